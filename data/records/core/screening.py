"""The screening of a message and its authentication: outputs of *screen* and *authenticate*."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.record import Record


class Verdict(StrEnum):
    """What the screen says."""

    CLEAN = "clean"  #: goes on
    FLAGGED = "flagged"  #: goes on, never auto-sends, the reviewer sees why
    QUARANTINE = "quarantine"  #: stops; a person releases, confirms or blocks


class FilterLayer(StrEnum):
    """The layer of the filter that a rule belongs to; see docs/pipeline.md#screen."""

    INJECTION = "injection"
    SMUGGLING = "smuggling"
    CONTENT = "content"
    METADATA = "metadata"


class MessagePlace(StrEnum):
    """Where in the message something was found."""

    SUBJECT = "subject"
    DISPLAY_NAME = "display_name"
    BODY = "body"
    QUOTED = "quoted"
    FORWARDED = "forwarded"
    SIGNATURE = "signature"
    HIDDEN = "hidden"
    ATTACHMENT_NAME = "attachment_name"
    HEADER = "header"
    LINK = "link"
    CALENDAR = "calendar"
    CONTACT = "contact"
    ATTACHMENT = "attachment"
    ALTERNATIVE = "alternative"


class Hit(Record):
    """One rule that found something."""

    rule: str
    """The rule's name, e.g. `direct_override`."""
    technique: str
    """What kind of attack it is, e.g. `direct_injection`."""
    layer: FilterLayer
    """The layer the rule belongs to."""
    place: MessagePlace
    """Where it was found."""
    excerpt: str
    """The words that matched, at most 200 characters."""
    score: float = Field(ge=0, le=1)
    """How strongly this alone speaks for an attack."""
    advisory: bool = False
    """Whether it may flag a message and not stop it: whoever says so has not learned enough."""
    heard: float | None = Field(default=None, ge=0, le=1)
    """What the classifier makes of these words by themselves, 0 where it has read them among all
    others and has said so of the message; None where it has not read them."""


class Screening(Record):
    """The verdict with its reasons; see docs/pipeline.md#screen."""

    verdict: Verdict
    """What happens to the message."""
    score: float = Field(ge=0, le=1)
    """How strongly the hits together speak for an attack."""
    hits: tuple[Hit, ...] = ()
    """Rules that found something, strongest first."""
    misses: tuple[str, ...] = ()
    """Names of the rules that ran and found nothing."""
    errors: tuple[str, ...] = ()
    """Rules that could not run; any makes the verdict at least `flagged`."""
    excused: tuple[Hit, ...] = ()
    """What a person's allowance for this sender kept out of the verdict."""
    unexcused: Verdict | None = None
    """The verdict without allowances; None when nothing was excused."""
    together: bool = False
    """Whether this was found only when the messages of a case were read as one."""

    @property
    def injection_type(self) -> str | None:
        """The technique of the strongest hit, or None."""
        return self.hits[0].technique if self.hits else None


class SecurityFlags(Record):
    """The record kept on a quarantined message."""

    injection_detected: bool
    """Whether orders to a machine were found (layers injection and smuggling, the classifier)."""
    injection_type: str | None = None
    """The technique of the strongest of these; None when there are none."""
    confidence: float = Field(ge=0, le=1)
    """How strongly they together speak for an attack; what else was found does not count."""
    flagged_content: str | None = None
    """The excerpt of the strongest of these."""
    reason: str | None = None
    """Why the message was stopped: the technique of what spoke most against it, an order or not.
    None in records of earlier versions."""
    reason_content: str | None = None
    """The excerpt of that."""
    scan_timestamp: AwareDatetime
    """When the message was screened, UTC."""


class AuthResult(StrEnum):
    """One mechanism's answer; what cannot be established is not a pass."""

    PASS = "pass"  # noqa: S105  # not a password
    FAIL = "fail"
    NOT_ESTABLISHED = "not_established"


class Authentication(Record):
    """Whether the sender is who From says (RFC 7208, 6376, 7489)."""

    spf: AuthResult = AuthResult.NOT_ESTABLISHED
    """Sender Policy Framework, for the envelope sender's domain."""
    dkim: AuthResult = AuthResult.NOT_ESTABLISHED
    """DomainKeys Identified Mail, any aligned signature."""
    dmarc: AuthResult = AuthResult.NOT_ESTABLISHED
    """DMARC with alignment to the From domain; what auto-send asks for."""
    reasons: tuple[str, ...] = ()
    """How each answer came about."""
