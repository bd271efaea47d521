from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import ForeignKey, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship


class Base(DeclarativeBase):
    pass


class Practitioner(Base):
    __tablename__ = "practitioners"

    practitioner_id: Mapped[int] = mapped_column(primary_key=True)
    display_name: Mapped[str]
    visits: Mapped[list["Visit"]] = relationship(back_populates="practitioner")


class Visit(Base):
    __tablename__ = "visits"

    visit_id: Mapped[int] = mapped_column(primary_key=True)
    practitioner_id: Mapped[int] = mapped_column(ForeignKey("practitioners.practitioner_id"))
    starts_at: Mapped[datetime]
    practitioner: Mapped[Practitioner] = relationship(back_populates="visits")


class VisitRepository:
    def __init__(self, session: Session) -> None:
        self._session = session

    def on(self, day: date) -> Sequence[Visit]:
        return self._session.scalars(select(Visit).where(Visit.starts_at >= day).order_by(Visit.starts_at)).all()

    def add(self, visit: Visit) -> None:
        self._session.add(visit)
