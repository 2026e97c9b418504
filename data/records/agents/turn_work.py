"""The work of a turn, as it is shown below its answer: calls, claims, changes and cost."""

from enum import StrEnum

from pydantic import Field

from data.records.core.record import Record
from data.records.core.tools import ChangeKind
from data.states import MoveState


class ClaimStanding(StrEnum):
    """Where what an answer states stands."""

    SUPPORTED = "supported"  #: in a source that it names, or in what was told besides
    MISATTRIBUTED = "misattributed"  #: in another source than the one that it names
    STITCHED = "stitched"  #: in one that it names, and what it is put together with in another
    NONE = "none"  #: in nothing that was before who answered


class StatedClaim(Record):
    """A number, amount, day or name that an answer of a model states."""

    excerpt: str
    """As written."""
    standing: ClaimStanding


class CallShown(Record):
    """One call of a turn: what it was for, how it ended, and why it did not simply happen."""

    tool: str
    description: str = ""
    """What the tool does, in a sentence; empty for one that is not there."""
    state: MoveState
    why: tuple[str, ...] = ()
    """What gates answered that did not simply allow it, and why it gave nothing."""


class Stands(StrEnum):
    """Where something stands that an agent has changed."""

    LEFT = "left"  #: as the agent left it
    BACK = "back"  #: as it is once that is taken back
    CHANGED = "changed"  #: neither: somebody has changed it since, or deleted it


class Stored(Record):
    """One thing that an agent changed at a person's word, or picked up of it."""

    kind: str
    """`memory`, `task` or `event`."""
    id: str
    title: str
    deed: ChangeKind
    stands: Stands
    undoable: bool
    """Whether it stands as the agent left it, and the person may change it."""


class StoredList(Record):
    """What was taken back."""

    items: tuple[Stored, ...]


class TurnWork(Record):
    """What a turn did, and what it cost."""

    version: int = Field(ge=1)
    """Of the agent, as it was then."""
    requests: int = Field(default=0, ge=0)
    """How often a model was asked."""
    calls: tuple[CallShown, ...] = ()
    """In their order."""
    claims: tuple[StatedClaim, ...] = ()
    """What a model's answer states, held against its sources; empty for one without a model."""
    remembering: MoveState | None = None
    """Where it is with what was said by the way; None for an agent that picks nothing up."""
    remembered: str = ""
    """What became of each thing that was picked up, or why that failed."""
    seconds: float = Field(default=0.0, ge=0.0)
    cost: float | None = 0.0
    """In US dollars; 0 where no model was asked, None where a price is not known."""
