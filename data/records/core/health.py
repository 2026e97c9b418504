"""The health of an installation: a finding per thing that can be wrong, and what to do about it."""

from typing import Literal, Self

from pydantic import AwareDatetime

from data.records.core.record import Record

HealthLevel = Literal["ok", "warn", "fail"]


class HealthFinding(Record):
    """What one check found."""

    name: str
    status: HealthLevel
    sentence: str
    remedy: str = ""
    """What to do about it."""
    group: str = ""
    """What it is about, for a page: `machine`, `running`, `outside`, or an organization's slug."""

    @classmethod
    def of(cls, name: str, status: HealthLevel, sentence: str, remedy: str = "") -> Self:
        """Return a finding by its place."""
        return cls(name=name, status=status, sentence=sentence, remedy=remedy)


class HealthReport(Record):
    """Everything that was looked at."""

    looked_at: AwareDatetime
    outside: bool
    """Whether others were asked too: models, spam filters, a resolver."""
    findings: tuple[HealthFinding, ...]
