"""The briefing of a case: the output of the stage *context*; see docs/pipeline.md#context."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.record import Record

INTERNAL = "internal:"
"""What the `ref` of knowledge that no draft may tell begins with."""


class Tier(StrEnum):
    """How much the context had to be cut."""

    NORMAL = "normal"
    COMPACTED = "compacted"
    EMERGENCY = "emergency"


class SourceKind(StrEnum):
    """The five sources of context."""

    CONTACT = "contact"
    THREAD = "thread"
    KNOWLEDGE = "knowledge"
    ACCOUNT = "account"  #: what the organization's systems know of the contact; only where the
    #: sender is established
    ORGANIZATION = "organization"


class Snippet(Record):
    """One piece of context with where it came from."""

    source: SourceKind
    """Which of the five sources."""
    ref: str
    """Stable reference that a draft can cite, e.g. `knowledge:opening-hours` or `message:01J…`."""
    title: str = ""
    """What to call it on the screen."""
    text: str
    """The words, verbatim or summarized according to the tier."""
    at: AwareDatetime | None = None
    """When it was written, where that is known."""
    score: float = Field(default=0.0, ge=0)
    """How relevant it is; only compares within one source."""
    outbound: bool = False
    """Whether we wrote it."""
    trusted: bool = False
    """Whether the organization vouches for it; mail is never trusted."""
    citable: bool = True
    """Whether a reply may tell it, where the organization vouches for it."""
    language: str = "und"
    """ISO 639-1 code of the text."""
    against: tuple[str, ...] = ()
    """Names of entries that contradict it today."""
    answers: str = ""
    """The sender's question that an owner has answered with it; untrusted words, never shown to a
    model as ours."""


class Briefing(Record):
    """The context of one case, within the token budget."""

    tier: Tier = Tier.NORMAL
    """How much was cut."""
    tokens: int = 0
    """Estimated size, in tokens."""
    budget: int = 4000
    """What was allowed, in tokens."""
    snippets: tuple[Snippet, ...] = ()
    """Thread first, then contact, knowledge, account and organization; each in order of use."""
    omitted: int = 0
    """How many pieces were left out or shortened."""
    version: int = 0
    """Version of the case that it was gathered for; 0 when it was not gathered for one."""
    provider: str = "local"
    """Who shortened older mail: `local` or a model's name."""
    fallback: str = ""
    """Why the embedded provider shortened although a model should have; empty when none failed."""

    def of(self, source: SourceKind) -> tuple[Snippet, ...]:
        """Return the snippets of one source, in order."""
        return tuple(snippet for snippet in self.snippets if snippet.source is source)

    @property
    def is_first_contact(self) -> bool:
        """Whether nothing was said with this contact before."""
        return not self.of(SourceKind.CONTACT) and not self.of(SourceKind.THREAD)
