"""Items of memory: what is known, in one of four layers, and where it comes from."""

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, JsonValue, StringConstraints

from data.records.core.record import Line, Record
from data.states import MemoryState

INLINE = 4096
"""Octets of a text that stand in the database; what is longer is whole in the archive."""
LONGEST_MEMORY = 20_000
"""Characters of one item."""


class LayerKind(StrEnum):
    """Whom an item of memory is for; of two that contradict each other the first kind counts."""

    ORGANIZATION = "organization"  #: everybody who may look at the organization
    AGENT = "agent"  #: one agent's own experience, whoever asks it
    TEAM = "team"  #: the members of one team
    USER = "user"  #: one person, administrators excluded


class Layer(Record):
    """One namespace of memory."""

    kind: LayerKind
    owner: str = ""
    """Slug of the agent, id of the team or of the user; empty for the organization."""

    @property
    def key(self) -> str:
        """Its name in the store: `organization`, `agent:desk`, `team:…`, `user:…`."""
        return f"{self.kind}:{self.owner}" if self.owner else str(self.kind)


def layer_of(key: str) -> Layer:
    """Return the layer that a key names."""
    kind, _, owner = key.partition(":")
    return Layer(kind=LayerKind(kind), owner=owner)


ORGANIZATION_LAYER = Layer(kind=LayerKind.ORGANIZATION)


class Provenance(StrEnum):
    """Whose words something rests on, the most trusted first."""

    PERSON = "person"  #: somebody who works here said it
    SYSTEM = "system"  #: the organization's own data
    MODEL = "model"  #: a model concluded it
    MAIL = "mail"  #: a stranger wrote it
    WEB = "web"  #: it stood on a page of others


STRANGERS = frozenset({Provenance.MAIL, Provenance.WEB})
"""What rests on these is quoted, never followed, and needs a yes to be known by more than one."""
_TRUST = tuple(Provenance)


def least_trusted(classes: Collection[Provenance]) -> Provenance:
    """Return the least trusted of some classes: what rests on several is as good as the worst."""
    return max(classes, key=_TRUST.index)


def more_trusted(provenance: Provenance, other: Provenance) -> bool:
    """Return whether the first class is more trusted than the second."""
    return _TRUST.index(provenance) < _TRUST.index(other)


class Evidence(Record):
    """The words that an item rests on, and where they stand."""

    words: str
    said_by: str
    """Name of who said it."""
    provenance: Provenance
    chat_id: str = ""
    turn_id: str = ""
    message_id: str = ""
    said_at: AwareDatetime


class Memory(Record):
    """One item of memory."""

    id: str
    layer: str
    """Key of its layer."""
    kind: str = "fact"
    """What it is, in a word: `fact`, `preference`, `episode`, or a word of an agent's own."""
    subject: str = ""
    """What it is about, as stems in order: `length meet`."""
    slot: str = ""
    """What it says of the subject: of one subject and slot only one value is current."""
    value: str = ""
    """The value as stems in order, by which a restatement is known."""
    replaces: bool = False
    """Whether another value of its subject and slot ends with it."""
    text: str
    """What is known, up to 4 KiB; what is longer is whole in the archive."""
    size: int = Field(ge=0)
    """Octets of the whole text."""
    spilled: str = ""
    """Hash of the whole text in the archive, when it is longer."""
    context: str = ""
    """What was said just before, by which it is found too; kept where the chat is the layer's."""
    language: str = ""
    provenance: Provenance
    significance: float = Field(ge=0, le=1)
    half_life_days: int | None = Field(default=None, ge=1)
    """In which time it loses half of its weight; None for what does not age."""
    state: MemoryState
    asked_of: str = ""
    """Key of the layer whose people have to say yes to it; empty when nobody has to."""
    meant_for: LayerKind | None = None
    """The wider layer that it seems to belong to, where its person has not yet shared it."""
    corrected: bool = False
    """Whether a person has worded it; nothing that is concluded takes its place without a yes."""
    count: int = Field(ge=1)
    """How many times it was said."""
    agent: str = ""
    """Slug of the agent in whose turn it was learned."""
    author: str
    """Id of who said it, or did what it tells of."""
    author_name: str
    first_at: AwareDatetime
    last_at: AwareDatetime
    """When it was last said."""
    closed_at: AwareDatetime | None = None
    """Since when it does not hold any more."""
    closed_by: str = ""
    """Id of the item that took its place, or the name of who retired it."""
    revision: int = 0
    """Goes up with every change of any item; the index follows it."""


class Candidate(Record):
    """Something that may be worth remembering, before it is looked at what is known already."""

    layer: Layer
    text: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_MEMORY)
    ]
    kind: str = Field(default="fact", max_length=40)
    subject: str = ""
    slot: str = ""
    value: str = ""
    replaces: bool = False
    context: str = ""
    language: str = ""
    significance: float = Field(default=0.5, ge=0, le=1)
    half_life_days: int | None = None
    meant_for: LayerKind | None = None
    explicit: bool = False
    """Whether a person asked for it to be remembered, or worded it."""
    corrected: bool = False
    needs_yes: bool = False
    agent: str = ""
    author: str
    author_name: str
    evidence: tuple[Evidence, ...] = Field(min_length=1)
    lineage: tuple[str, ...] = ()
    """Ids of items that it was made from."""


class Remembered(Record):
    """What became of a candidate."""

    outcome: Literal["added", "counted", "superseded", "proposed", "refused"]
    memory: Memory | None = None
    before: Memory | None = None
    """What it took the place of."""
    why: str = ""
    """Why it was refused, in a sentence that does not repeat it."""


class MemoryView(Record):
    """An item with where it comes from."""

    memory: Memory
    text: str
    """The whole of it."""
    evidence: tuple[Evidence, ...]
    before: tuple[Memory, ...] = ()
    """What held earlier of the same subject and slot, the newest first."""
    joined: tuple[Memory, ...] = ()
    """What says the same in other words, for which it stands; `restore` takes one apart again."""


class MemoryList(Record):
    """One page of items."""

    items: tuple[Memory, ...]
    total: int = Field(ge=0)


class LayerView(Record):
    """A layer that somebody may look into."""

    key: str
    name: str
    """As people call it: *you*, the team's name, the organization's."""
    may_change: bool
    number: int = Field(ge=0)
    """How many items are current in it."""


class LayerList(Record):
    """The layers that somebody may look into, the person's own first."""

    items: tuple[LayerView, ...]


class NewMemory(Record):
    """Something to remember."""

    text: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_MEMORY)
    ]
    layer: Line = ""
    """Key of the layer; empty for the person's own."""


class EditMemory(Record):
    """Another wording of an item."""

    text: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_MEMORY)
    ]


class ShareMemory(Record):
    """An order to let a wider layer know an item of one's own."""

    layer: Line


class Recalled(Record):
    """One item that fits a question."""

    memory: Memory
    score: float
    """How well it fits, weighed by significance and freshness; 1 is a plain hit."""


class Recall(Record):
    """What is known of a question; nothing where nothing fits."""

    items: tuple[Recalled, ...] = ()
    asked: str = ""


class MemoryExport(Record):
    """Everything that is remembered of one person."""

    user_id: str
    items: tuple[MemoryView, ...]
    things: dict[str, tuple[dict[str, JsonValue], ...]] = Field(default_factory=dict)
    """What else is the person's own, by the table that has it: chats with agents alone and what was
    said there, tasks, events, ratings, answers to agents' questions. For that person alone."""


class PersonHolding(Record):
    """How much is held of one person's own, for who may erase it; nothing of what it says."""

    user_id: str
    name: str
    ended: bool = False
    """Whether the person is no user any more."""
    items: int = Field(default=0, ge=0)
    """Items of the person's own layer, whatever their state."""
    chats: int = Field(default=0, ge=0)
    """Chats of the person with agents alone."""
    things: int = Field(default=0, ge=0)
    """Tasks, own events, ratings and preferences."""

    @property
    def nothing(self) -> bool:
        """Whether nothing is held that is the person's own."""
        return not (self.items or self.chats or self.things)


class PersonHoldingList(Record):
    """Of whom something is held, and who works here, by name."""

    items: tuple[PersonHolding, ...]


class MemoryErased(Record):
    """What was erased of one person."""

    items: int = Field(ge=0)
    """Items of the person's own layer."""
    elsewhere: int = Field(ge=0)
    """Items, evidence and messages of others in which the name was cut."""
    chats: int = Field(default=0, ge=0)
    """Chats of the person with agents alone."""


class ReviewMode(StrEnum):
    """What becomes of something that was picked up in a layer."""

    AUTOMATIC = "automatic"  #: it is remembered, and can be corrected
    REVIEW = "review"  #: it is remembered after a person's yes
    OFF = "off"  #: nothing is picked up; what is asked for is remembered


class MemoryPolicy(Record):
    """How what is picked up in chats is treated, by layer."""

    user: ReviewMode = ReviewMode.AUTOMATIC
    team: ReviewMode = ReviewMode.AUTOMATIC
    organization: ReviewMode = ReviewMode.REVIEW

    def mode(self, kind: LayerKind) -> ReviewMode:
        """Return the mode of a kind of layer; an agent's own is as the organization's."""
        if kind is LayerKind.USER:
            return self.user
        return self.team if kind is LayerKind.TEAM else self.organization
