from __future__ import annotations

import abc
from collections.abc import Iterator
from datetime import datetime
from typing import Protocol, TypeVar, runtime_checkable

T = TypeVar("T", covariant=True)


@runtime_checkable
class Source(Protocol[T]):
    name: str

    def between(self, start: datetime, end: datetime) -> Iterator[T]: ...


class Predictor(abc.ABC):
    """What every method of prediction has in common."""

    def __init__(self, station: str) -> None:
        self.station = station

    @abc.abstractmethod
    def height(self, at: datetime) -> float:
        """Metres above chart datum."""

    @abc.abstractmethod
    def uncertainty(self, at: datetime) -> float: ...

    def __call__(self, at: datetime) -> float:
        return self.height(at)


class Cached(Predictor, abc.ABC):
    @property
    @abc.abstractmethod
    def size(self) -> int: ...
