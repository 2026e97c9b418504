"""The plan of a branch: the output of the stage *plan*; see docs/pipeline.md#plan."""

from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime, Field

from data.records.core.approvals import Floor
from data.records.core.record import Record


class ActionType(StrEnum):
    """The closed set of actions."""

    REPLY = "reply"
    FORWARD = "forward"
    ESCALATE = "escalate"
    CREATE_TICKET = "create_ticket"
    ARCHIVE = "archive"
    CREATE_CONTACT = "create_contact"
    TAG_THREAD = "tag_thread"
    ASK_OWNER = "ask_owner"
    WAIT = "wait"


class Audience(StrEnum):
    """Whom an action reaches; the provenance of its recipients."""

    NOBODY = "nobody"  #: changes our own records only
    INSIDE = "inside"  #: somebody of the organization
    SENDER = "sender"  #: the sender of the message, as established by code
    OTHER = "other"  #: somebody outside who did not write


class Action(Record):
    """One step of a plan."""

    type: ActionType
    """What to do."""
    reason: str
    """Why, in a sentence for the reviewer."""
    reversible: bool
    """Whether it can be undone."""
    outside_effect: bool
    """Whether somebody outside the organization notices."""
    floor: Floor
    """The least approval it needs."""
    argument: str = ""
    """Tag, ticket title, question, person or end of the wait (ISO 8601), by type of action."""
    money: bool = False
    """Whether it concerns money."""
    audience: Audience = Audience.NOBODY
    """Whom it reaches."""
    inverse: str = ""
    """What undoes it, in plain words; empty when nothing does."""
    related: str = ""
    """Id of the ticket that it may repeat, or the address of who is asked."""


class ActionStatus(StrEnum):
    """What became of an action."""

    PLANNED = "planned"  #: part of a plan whose case is in work
    PENDING_REVIEW = "pending_review"  #: waits for a person
    APPROVED = "approved"  #: a person, or the policy, said yes; it has not happened yet
    EXECUTED = "executed"  #: it has happened
    REJECTED = "rejected"  #: it will not happen


class ActionView(Record):
    """What became of one action of a plan, by its place in the plan."""

    position: int
    type: ActionType
    status: ActionStatus
    reviewed_by: str = ""
    """Who decided: a person, or `policy`; empty while nobody had to."""
    reviewed_at: AwareDatetime | None = None
    executed_at: AwareDatetime | None = None


class SlotName(StrEnum):
    """What a wish may state that whoever carries it out needs."""

    REFERENCE = "reference"  #: number of an order, invoice, contract, ticket
    DATE = "date"
    AMOUNT = "amount"
    QUANTITY = "quantity"
    PRODUCT = "product"
    PERSON = "person"
    PLACE = "place"
    PHONE = "phone"


class Slot(Record):
    """One thing that a wish states, in the sender's own letters; untrusted."""

    name: SlotName
    value: str
    """As it stands in the message."""


LookupOutcome = Literal["answered", "refused", "failed", "limit"]


class Lookup(Record):
    """Something that a model looked up while it planned; one line of the trace."""

    tool: str
    """Name of the tool, or `unknown`."""
    words: str = ""
    """What it looked for; a model's words, without links and addresses."""
    found: int = 0
    """How many things it was given."""
    refs: tuple[str, ...] = ()
    """Which of them a reply may be written from: knowledge, and messages of the conversation."""
    outcome: LookupOutcome
    """`refused`: no such tool, or arguments that are not its own; `limit`: one too many."""


class Plan(Record):
    """The actions of one branch, in order."""

    actions: tuple[Action, ...]
    """At least one."""
    provider: str = "local"
    """Who planned: `local` or a model's name."""
    fallback: str = ""
    """Why the embedded provider planned although a model should have; empty when none failed."""
    slots: tuple[Slot, ...] = ()
    """What the wish states for whoever carries it out, where somebody does."""
    lookups: tuple[Lookup, ...] = ()
    """What the model looked up first, in order."""
    left_to: str = ""
    """Who is to answer, where the message is written to others and we stand in Cc only."""
    confidence: float | None = Field(default=None, ge=0, le=1)
    """How sure it is that this is what the wish asks for: the least of what it rests on, from the
    understanding of the category and of the wish; None in plans of before."""

    @property
    def replies(self) -> bool:
        """Whether the plan holds a reply."""
        return any(action.type is ActionType.REPLY for action in self.actions)

    @property
    def asks(self) -> str:
        """The question to the owner, empty when there is none."""
        asked = (a.argument for a in self.actions if a.type is ActionType.ASK_OWNER)
        return next(asked, "")

    @property
    def handed(self) -> bool:
        """Whether a person carries a part of it out: a ticket, or who it is escalated to."""
        return self.escalates or any(a.type is ActionType.CREATE_TICKET for a in self.actions)

    @property
    def escalates(self) -> bool:
        """Whether the plan hands the branch to a person."""
        return any(action.type is ActionType.ESCALATE for action in self.actions)
