"""The policy as people keep it: wordings, where it is kept, and what a change would do."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AwareDatetime, Field, model_validator

from data.records.core.organization import AutonomyRule, Mode, Policy, ServiceLevel, WorkingHours
from data.records.core.record import Record

LONGEST_POLICY = 100_000
"""Characters of a policy's text."""
MOST_RULES = 200


class PolicyPlace(StrEnum):
    """Where the policy is kept; the other place does not count."""

    FILE = "file"  #: `sources/policy.yaml`, loaded by a sync
    WINDOW = "window"  #: in the state, changed in the window, by command or over the API


class PolicyVersion(Record):
    """One wording of the policy."""

    number: int
    """1 for the first; 0 stands for the defaults, before there was any."""
    place: PolicyPlace
    text: str
    """YAML over the built-in defaults, as `policy.yaml` has it."""
    author: str
    """Who wrote it; `policy.yaml` where a sync found it in the file."""
    note: str = ""
    """Why, in the author's words."""
    written_at: AwareDatetime | None = None


class PolicyVersions(Record):
    """Every wording, the newest first."""

    items: tuple[PolicyVersion, ...]


class PolicyState(Record):
    """What counts now, and where it is kept."""

    version: PolicyVersion
    policy: Policy
    """The text over the defaults."""
    file: str | None = None
    """What `sources/policy.yaml` holds; None without that file."""
    unread: bool = False
    """Whether the file holds something that does not count: it was changed after its place was
    taken, or it cannot be used."""
    fault: str = ""
    """Why the file cannot be used; empty where it can."""

    @property
    def pending(self) -> bool:
        """Whether the file counts and was changed since it was loaded."""
        changed = self.file is not None and self.file != self.version.text
        return self.version.place is PolicyPlace.FILE and changed and not self.fault


class PolicyChange(Record):
    """Some keys of the policy, as sliders set them; what is not given stays as it is."""

    mode: Mode | None = None
    confidence_threshold: float | None = Field(default=None, ge=0, le=1)
    autonomy_rules: tuple[AutonomyRule, ...] | None = Field(default=None, max_length=MOST_RULES)
    """All of them."""
    working_hours: WorkingHours | None = None
    """All of them; to have none, let the default count again."""
    service_levels: tuple[ServiceLevel, ...] | None = Field(default=None, max_length=50)
    """All of them, narrow ones first."""
    planted_a_week: int | None = Field(default=None, ge=0, le=7)
    defaults: tuple[Annotated[str, Field(max_length=100)], ...] = Field(default=(), max_length=100)
    """Keys that shall be said no longer, so that their default counts again."""


class PolicyOrder(Record):
    """A policy that somebody wants: a whole text, some keys, or an earlier version."""

    text: str | None = Field(default=None, max_length=LONGEST_POLICY)
    change: PolicyChange | None = None
    restore: int | None = Field(default=None, ge=1)
    """Number of an earlier version, whose text is to count again."""
    from_file: bool = False
    """Whether it is kept in the file again, which has to be there."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        """Refuse an order that says nothing, or two things."""
        ways = (self.text, self.change, self.restore, self.from_file or None)
        if sum(way is not None for way in ways) != 1:
            raise ValueError("give one of 'text', 'change', 'restore' and 'from_file'")
        return self


class SetPolicy(PolicyOrder):
    """An order to keep a policy."""

    was: int = Field(ge=0)
    """Number of the version that it was written over; refused where there is a newer one."""
    knowing: bool = False
    """Whether it is meant although warnings speak against it."""
    note: str = Field(default="", max_length=500)


class PolicyEffect(Record):
    """What a change would do to the text, and what speaks against it."""

    text: str
    diff: tuple[str, ...]
    """Lines of a diff without its head; empty where nothing changes."""
    warnings: tuple[str, ...] = ()
    """What would leave by itself that people's decisions do not support, a sentence each."""
