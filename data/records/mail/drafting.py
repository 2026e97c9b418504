"""The reply and what was found in it: the output of the stages *draft* and *check*."""

from enum import StrEnum

from pydantic import Field, model_validator

from data.records.core.citations import Citation, Suggestion
from data.records.core.record import Record
from data.records.mail.planning import ActionType

BEGUN = "begun"
"""Who has written a letter that holds a greeting and a closing and nothing else: nobody yet."""


class Draft(Record):
    """A reply, ready for a person or for the gates."""

    subject: str
    """Subject of the reply."""
    body: str
    """Plain text of the reply with greeting, closing and signature, without quoted history."""
    language: str
    """ISO 639-1 code of the reply."""
    citations: tuple[Citation, ...] = ()
    """What each factual sentence rests on."""
    unanswered: tuple[str, ...] = ()
    """Questions of the sender that the draft does not answer."""
    suggestions: tuple[Suggestion, ...] = ()
    """What knowledge in other languages says to questions that are not answered."""
    provider: str = "local"
    """Who wrote it: `local`, a model's name, or a person."""
    fallback: str = ""
    """Why the embedded provider wrote although a model should have; empty when none failed."""
    note: str = ""
    """What a reviewer should know of how it came about, e.g. a wish that could not be met."""


class Severity(StrEnum):
    """What a finding does."""

    INFO = "info"  #: shown
    HOLD = "hold"  #: bars auto-send
    BLOCK = "block"  #: bars sending until a person has changed or confirmed it


class Finding(Record):
    """One thing the check noticed in a draft."""

    check: str
    """Name of the check, e.g. `unsupported_number`."""
    severity: Severity
    """What it does."""
    excerpt: str
    """The words concerned."""
    sentence: str
    """What is the matter, in a sentence for the reviewer."""
    start: int = -1
    """Where the words begin in the draft's body; -1 when they are not in it as they stand here."""
    end: int = -1
    """Where they end."""


class Disposition(StrEnum):
    """What becomes of a sentence of the sender's letter."""

    ANSWERED = "answered"  #: the draft answers it, out of a source
    ACTION = "action"  #: an action of the plan puts it before a person
    COURTESY = "courtesy"  #: it greets, thanks, takes leave or makes small talk
    BACKGROUND = "background"  #: it is recognized as something that asks for nothing
    OPEN = "open"  #: none of these: it is not dealt with


class AccountedSentence(Record):
    """One sentence of the sender's letter, or a clause of one, and what becomes of it."""

    text: str
    """As written; untrusted."""
    disposition: Disposition
    """What becomes of it."""
    why: str = ""
    """In a sentence for the reviewer."""
    action: ActionType | None = None
    """What of the plan carries it, where an action does."""
    asks: bool = False
    """Whether it reads like a question or a request."""


class AlternativeKind(StrEnum):
    """How another draft differs."""

    SHORTER = "shorter"  #: the answers alone, one sentence each
    ASK_BACK = "ask_back"  #: asks the sender to say more about what is open
    HAND_OVER = "hand_over"  #: says that a person has it now


class Alternative(Record):
    """Another draft, offered beside one of low quality; it is checked when somebody takes it."""

    kind: AlternativeKind
    draft: Draft

    @model_validator(mode="before")
    @classmethod
    def drop_quality(cls, stored: object) -> object:
        """Leave out the quality that was kept with earlier drafts."""
        if isinstance(stored, dict):
            return {key: value for key, value in stored.items() if key != "quality"}
        return stored


class Checked(Record):
    """The findings and the number that routing compares."""

    findings: tuple[Finding, ...] = ()
    """In the order of the draft."""
    quality: float = Field(default=0.0, ge=0, le=1)
    """Draft quality: complete, grounded, tone, safe; unknown is 0."""
    parts: dict[str, float] = Field(default_factory=dict)
    """What the quality is made of: `complete`, `grounded`, `tone`, `safe`, each 0 to 1."""
    accounts: tuple[AccountedSentence, ...] = ()
    """What becomes of each sentence of the letter, in order; empty where nobody could say."""
    alternatives: tuple[Alternative, ...] = ()
    """Other drafts, where the quality is too low to send this one by itself."""
