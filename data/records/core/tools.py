"""Tools that agents call: what they declare of themselves, and what they give.

A tool belongs to the slice whose data it reads; the registry belongs to the core, so that agents
reach mail without importing it (docs/agents.md#tools).
"""

from datetime import date
from enum import StrEnum

from pydantic import Field, JsonValue

from data.records.core.principals import Permission
from data.records.core.record import Record


class Effect(StrEnum):
    """What a call changes."""

    NONE = "none"  #: it reads; calling it again is harmless
    REVERSIBLE = "reversible"  #: it writes in the organization's own state, and can be undone there
    INSIDE = "inside"  #: it writes in the organization's own state
    OUTSIDE = "outside"  #: somebody outside of the organization will notice


class Trust(StrEnum):
    """How far an agent is trusted, and how far it must be to call a tool."""

    READ = "read"  #: looks things up
    STANDARD = "standard"  #: writes what can be undone
    ELEVATED = "elevated"  #: writes what cannot, or reaches outside
    ADMIN = "admin"  #: changes how Postern itself works

    @property
    def rank(self) -> int:
        """Count the levels below it."""
        return list(Trust).index(self)


class Label(StrEnum):
    """What a result brings into a turn."""

    PRIVATE = "private"  #: data of the organization or of a person
    UNTRUSTED = "untrusted"  #: words of strangers


OWN = frozenset({Label.PRIVATE})
"""What is the organization's or a person's own words."""
OF_STRANGERS = frozenset({Label.PRIVATE, Label.UNTRUSTED})
"""What is the organization's own, and holds words of strangers."""


class Source(Record):
    """Where something that is told can be looked up."""

    kind: str
    """What it is: `case`, `message`, `thread`, `contact`, `knowledge`, `memory`, `task`, `event`,
    `profile`."""
    id: str
    """Of a contact the address."""
    title: str
    quote: str = ""
    """The words it rests on, where there are any."""
    on: date | None = None
    """The day of an event, where it is."""
    was: str = ""
    """When something was that has just been moved, as in `2026-12-03 11:00`, to put it back."""
    page: str = ""
    """Where the window shows it, as path and query; filled in as it is handed out."""


class NoArguments(Record):
    """A call that needs to be told nothing."""


class ChangeKind(StrEnum):
    """What became of one thing at a person's word."""

    ADDED = "added"  #: it was not there before
    MOVED = "moved"  #: it has another time
    FINISHED = "finished"  #: it is done
    REMOVED = "removed"  #: it is taken off the list, or out of the calendar
    FORGOTTEN = "forgotten"  #: it is kept, and recalled no more


ThingState = dict[str, JsonValue] | None
"""The fields of a thing that say how it stands; None where it is not there."""


class Change(Record):
    """What a call changed of one thing, so that it can be taken back for as long as it stands."""

    kind: str
    """`memory`, `task` or `event`."""
    id: str
    title: str
    deed: ChangeKind
    before: ThingState = None
    """How it is to stand once that is taken back."""
    after: ThingState = None
    """How the call left it."""


class Fact(Record):
    """One thing that is known of an item."""

    name: str
    value: str


class Item(Record):
    """One line of a result."""

    title: str
    facts: tuple[Fact, ...] = ()
    text: str = ""
    """Words of it, as they stand."""
    source: Source | None = None


class ToolResult(Record):
    """What a call gave."""

    items: tuple[Item, ...] = ()
    about: tuple[Source, ...] = ()
    """What the sentence is about, where no item has it as its source."""
    total: int = Field(default=0, ge=0)
    """How many there are in all; `items` may be the first of them."""
    labels: frozenset[Label] = frozenset()
    """What it brings into a turn beside what its tool declares."""
    note: str = ""
    """What became of it, in a word, for whoever tells it."""
    sentence: str = ""
    """What became of the call, in a sentence for who asked; empty where the items say it."""
    refused: bool = False
    """Whether the sentence says why nothing was done."""
    changes: tuple[Change, ...] = ()
    """What it changed at the person's word and can be taken back, in order."""
    unanswered: tuple[str, ...] = ()
    """Of several questions those that none of the items answers, as asked."""
    chart: dict[str, JsonValue] | None = None
    """The items as a picture, in the grammar of Vega-Lite."""


class ToolDeclaration(Record):
    """A tool as agents and people see it; what it does not declare of itself it cannot be."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")
    group: str
    """Manifests name tools by group or one by one."""
    description: str = Field(min_length=1)
    """What it does, in a sentence for people and for models."""
    effect: Effect
    labels: frozenset[Label]
    """What its result brings into a turn."""
    trust: Trust
    """How far an agent must be trusted that calls it."""
    permission: Permission
    """What the person for whom it is called must be permitted."""
    approval: bool
    """Whether a person must say yes to each call."""
    about: str = ""
    """Of what a chat must be for it to be there: `case`; empty for a tool of every chat."""
    goes_to: str = ""
    """Method and address outside that a call of it goes to; empty for a tool of Postern's own."""


def declare_lookup(
    name: str, group: str, description: str, labels: frozenset[Label], *, about: str = ""
) -> ToolDeclaration:
    """Return the declaration of a tool that only reads, for whoever may look."""
    declared = _declare(name, group, description, labels, Effect.NONE, Trust.READ)
    return declared.model_copy(update={"about": about})


def declare_note(
    name: str, group: str, description: str, labels: frozenset[Label]
) -> ToolDeclaration:
    """Return the declaration of a tool that writes what the person can take back inside."""
    return _declare(name, group, description, labels, Effect.REVERSIBLE, Trust.STANDARD)


def _declare(
    name: str, group: str, description: str, labels: frozenset[Label], effect: Effect, trust: Trust
) -> ToolDeclaration:
    """Return the declaration of a tool that whoever may look calls, without asking anybody."""
    return ToolDeclaration(
        name=name,
        group=group,
        description=description,
        effect=effect,
        labels=labels,
        trust=trust,
        permission=Permission.SEE,
        approval=False,
    )
