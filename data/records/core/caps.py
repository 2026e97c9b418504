"""Caps on what models use: how much of what, for whom, within which time.

A cap without a subject holds for each subject of its scope by itself: for every sender, every turn.
One that names its subject takes that one's place there.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from pydantic import AwareDatetime, Field, ValidationInfo, field_validator

from data.records.core.record import Record


class CapScope(StrEnum):
    """What a cap counts together."""

    ORGANIZATION = "organization"  #: everything of the organization
    AGENT = "agent"  #: what one agent is asked
    USER = "user"  #: what is asked in the name of one person
    TEAM = "team"  #: what is asked in the name of whoever is in one team then
    TURN = "turn"  #: one unit of an agent's work, with all that it hands on
    SENDER = "sender"  #: the mail of one sender
    ITEM = "item"  #: one message or case


class CapUnit(StrEnum):
    """What a cap limits."""

    MONEY = "money"  #: US dollars
    TOKENS = "tokens"  #: tokens read and written
    REQUESTS = "requests"  #: requests that were sent


class CapPeriod(StrEnum):
    """After which time the count begins anew, UTC."""

    HOUR = "hour"  #: with every full hour
    DAY = "day"  #: at midnight
    MONTH = "month"  #: at midnight before the first of a month
    ONCE = "once"  #: never

    def start(self, now: datetime) -> datetime | None:
        """Return since when the count runs, None for ever."""
        hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        if self is CapPeriod.ONCE:
            return None
        if self is CapPeriod.HOUR:
            return hour
        return hour.replace(hour=0) if self is CapPeriod.DAY else hour.replace(hour=0, day=1)

    def end(self, now: datetime) -> datetime | None:
        """Return when the count begins anew, None for never."""
        start = self.start(now)
        if start is None or self is CapPeriod.HOUR:
            return start and start + timedelta(hours=1)
        if self is CapPeriod.DAY:
            return start + timedelta(days=1)
        return (start + timedelta(days=32)).replace(day=1)


_EVERY = {
    CapPeriod.HOUR: "an hour",
    CapPeriod.DAY: "a day",
    CapPeriod.MONTH: "a month",
    CapPeriod.ONCE: "in all",
}
NAMED = frozenset({CapScope.AGENT, CapScope.USER, CapScope.TEAM, CapScope.SENDER})
"""Scopes whose caps may name a subject; the others pass too soon, or are the only one."""


class CapKey(Record):
    """Which cap it is: there is one row for each."""

    scope: CapScope
    subject: str = Field(default="", max_length=254)
    """Slug of an agent, id of a user or a team, or address of a sender; empty for each of them."""
    unit: CapUnit = CapUnit.MONEY
    period: CapPeriod = CapPeriod.DAY

    @field_validator("subject")
    @classmethod
    def _is_subject_of_scope(cls, subject: str, info: ValidationInfo) -> str:
        scope = info.data.get("scope")
        if subject and scope is not None and scope not in NAMED:
            raise ValueError(f"a cap of scope {scope.value!r} names no subject")
        return subject.lower() if scope is CapScope.SENDER else subject

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What no two caps share."""
        return self.scope.value, self.subject, self.unit.value, self.period.value


class Cap(CapKey):
    """One cap."""

    limit: float | None = Field(ge=0, allow_inf_nan=False)
    """The most, in its unit; None lifts a cap of the settings."""

    @property
    def sentence(self) -> str:
        """Which cap it is, for people; an address of a sender is not in it."""
        each = {
            CapScope.ORGANIZATION: "the organization",
            CapScope.AGENT: f"agent {self.subject!r}" if self.subject else "each agent",
            CapScope.USER: "this user" if self.subject else "each user",
            CapScope.TEAM: "this team" if self.subject else "each team",
            CapScope.TURN: "each answer of an agent",
            CapScope.SENDER: "the mail of this sender" if self.subject else "each sender's mail",
            CapScope.ITEM: "each message or case",
        }[self.scope]
        return f"{self.amount} {_EVERY[self.period]} for {each}"

    @property
    def amount(self) -> str:
        """The limit with its unit."""
        if self.limit is None:
            return "no cap"
        if self.unit is CapUnit.MONEY:
            return f"US$ {self.limit:.2f}"
        return f"{self.limit:,.0f} {self.unit.value}"


class SetCap(Record):
    """Who set a cap, and when."""

    cap: Cap
    set_by: str = ""
    """Empty for one of the settings."""
    set_at: AwareDatetime | None = None


class CapView(SetCap):
    """A cap that holds, with what of it is used."""

    used: float | None = None
    """In its unit, since the count began; None where each subject has a count of its own."""
    begins_anew_at: AwareDatetime | None = None
    """None for never."""


class CapRefusal(Record):
    """Why a call is not made: a cap does not leave enough for it."""

    cap: Cap
    too_large: bool = False
    """Whether the call alone could use more than the cap."""
    until: AwareDatetime | None = None
    """When the count begins anew; None for never."""

    @property
    def sentence(self) -> str:
        """Which cap it is and until when, for reviewers and logs."""
        if self.too_large:
            return f"the call could use more than the cap of {self.cap.sentence}"
        left = f"the cap of {self.cap.sentence} leaves too little for the call"
        if self.until is None:
            return left
        return f"{left} until {self.until:%Y-%m-%d %H:%M} UTC"


def merge_caps(stored: tuple[Cap, ...], settings: tuple[Cap, ...]) -> tuple[Cap, ...]:
    """Return all caps: a stored one takes the place of the settings' for the same."""
    return tuple({cap.key: cap for cap in (*settings, *stored)}.values())


class CountedCap(NamedTuple):
    """A cap, and whose count it is held against."""

    cap: Cap
    subject: str
    """One of the cap's scope, also where the cap holds for each of them."""


def caps_for(
    caps: tuple[Cap, ...], subjects: Mapping[CapScope, tuple[str, ...]]
) -> tuple[CountedCap, ...]:
    """Return the caps that a call has to stay below, each with whose count it is.

    Args:
        caps: as `merge_caps` gives them; a cap without a limit lifts what would hold otherwise.
        subjects: whom the call is counted for; a scope that is not in it has no caps here.

    """
    nearest: dict[tuple[CapScope, str, CapUnit, CapPeriod], Cap] = {}
    for cap in sorted(caps, key=lambda cap: bool(cap.subject)):
        for subject in subjects.get(cap.scope, ()):
            if cap.subject in ("", subject):
                nearest[cap.scope, subject, cap.unit, cap.period] = cap
    return tuple(
        CountedCap(cap, subject)
        for (_, subject, *_), cap in nearest.items()
        if cap.limit is not None
    )
