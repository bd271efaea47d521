from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long a machine under load takes to draw an example says nothing about what is tested.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
