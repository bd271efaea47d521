"""The embedded planner: deterministic, without a model."""

from plantwin.cloud.offline.planner import Offline

__all__ = ["Offline"]
