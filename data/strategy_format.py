"""Strategies of an agent's memory, as files: what it is told before it thinks, and what it keeps.

The platform asks and writes; a strategy says what. It can only take less than the platform gives:
no file reaches a layer that the chat does not open, and none keeps what may never be kept.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from data.records.agents.memories import LayerKind
from data.records.core.manifest_format import Slug
from data.records.core.record import Record

MOST_MESSAGES = 20
"""Messages of the session that a model is told, besides what is asked."""
MOST_ITEMS = {
    LayerKind.USER: 20,
    LayerKind.TEAM: 15,
    LayerKind.AGENT: 10,
    LayerKind.ORGANIZATION: 10,
}
"""Items of memory of each kind of layer."""
MOST_TOKENS = 4_000
"""Tokens of all layers together."""
MOST_SENTENCES = 12
"""Sentences of one message that are looked at for what is worth keeping."""

_Word = Annotated[str, StringConstraints(min_length=2, max_length=80)]


class MemoryShare(Record):
    """How much of what is remembered is told; never more than the platform's own caps."""

    user: int = Field(default=MOST_ITEMS[LayerKind.USER], ge=0, le=MOST_ITEMS[LayerKind.USER])
    team: int = Field(default=MOST_ITEMS[LayerKind.TEAM], ge=0, le=MOST_ITEMS[LayerKind.TEAM])
    agent: int = Field(default=MOST_ITEMS[LayerKind.AGENT], ge=0, le=MOST_ITEMS[LayerKind.AGENT])
    organization: int = Field(
        default=MOST_ITEMS[LayerKind.ORGANIZATION], ge=0, le=MOST_ITEMS[LayerKind.ORGANIZATION]
    )
    tokens: int = Field(default=MOST_TOKENS, ge=0, le=MOST_TOKENS)
    """Of all layers together."""

    def most(self, kind: LayerKind) -> int:
        """Return how many items of a kind of layer are told."""
        return int(getattr(self, kind.value))


WHOLE = MemoryShare()
"""All that the platform gives."""


class Assembly(Record):
    """What a model is told before it thinks, besides what is asked and what the chat is about."""

    version: Literal["1"]
    kind: Literal["assembly"]
    name: Slug
    description: str = Field(min_length=1, max_length=500)
    profile: bool = True
    """What the organization says of itself."""
    messages: int = Field(default=MOST_MESSAGES, ge=0, le=MOST_MESSAGES)
    """Newest messages of the session."""
    memory: MemoryShare = WHOLE
    knowledge: bool = False
    """Whether the question is looked up in the knowledge before the model is asked."""
    index: bool = False
    """Whether it is told what there is to read: titles of the knowledge, and how much is known."""
    pending: bool = True
    """Whether it is told what other turns of the chat still work on."""


class Extraction(Record):
    """What of a message is kept after an answer; secrets, health and pay never are."""

    version: Literal["1"]
    kind: Literal["extraction"]
    name: Slug
    description: str = Field(min_length=1, max_length=500)
    sentences: int = Field(default=MOST_SENTENCES, ge=1, le=MOST_SENTENCES)
    """Sentences of a message that are looked at."""
    layers: tuple[Literal["user", "team", "organization"], ...] = ("user", "team", "organization")
    """Whom a statement may be about; about others nothing is kept."""
    about: tuple[_Word, ...] = Field(default=(), max_length=200)
    """Words of which a statement has one to be kept; none: whatever it is about."""
    kinds: dict[Slug, tuple[_Word, ...]] = Field(default_factory=dict, max_length=20)
    """Kinds of items by the words that make them, as `decision: [decided, agreed]`."""
    review: bool = False
    """Whether everything waits for a person's yes, whatever the policy lets through."""
