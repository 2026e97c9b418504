"""Questions about a message that SPF, DKIM, DMARC and ARC are asked, and their answers."""

from enum import StrEnum

from data.records.core.record import Record


class MechanismOutcome(StrEnum):
    """What one mechanism says."""

    PASS = "pass"  # noqa: S105  # not a password
    FAIL = "fail"
    NONE = "none"  #: nothing is published that could pass or fail
    UNKNOWN = "unknown"  #: could not be asked or answered; asking again might help


class SpfQuestion(Record):
    """Whether this peer may send for that reverse-path (RFC 7208 section 4.1)."""

    peer: str
    """Address of the client, IPv4 or IPv6."""
    mail_from: str
    """The reverse-path; empty for the null sender, then the HELO name is asked about."""
    helo: str
    """The HELO name."""


class DkimQuestion(Record):
    """Whether this signature holds (RFC 6376 section 6)."""

    index: int
    """Which DKIM-Signature field, the topmost is 0."""
    domain: str
    """Its `d=`, lower case."""
    selector: str
    """Its `s=`."""


class Questions(Record):
    """Everything that is worth asking about one message."""

    spf: SpfQuestion | None = None
    """The envelope's question, or None when it cannot say anything."""
    dkim: tuple[DkimQuestion, ...] = ()
    """Signatures that would count if they hold."""
    policy: tuple[str, ...] = ()
    """Domains whose DMARC record is looked for, the first that has one counts."""
    arc: bool = False
    """Whether the ARC chain is worth checking."""
    notes: tuple[str, ...] = ()
    """Why something is not asked, one sentence each."""
    undecided: bool = False
    """Whether something that is not asked might have passed."""


class MechanismAnswer(Record):
    """The answer of SPF, or of DKIM to one signature."""

    outcome: MechanismOutcome
    """What it says."""
    detail: str = ""
    """Why, in a few words."""


class PolicyAnswer(Record):
    """The DMARC records that were found (RFC 7489 section 6.6.3)."""

    domain: str = ""
    """Where they were found; empty when there are none."""
    texts: tuple[str, ...] = ()
    """The records that begin as DMARC records do."""
    problem: str = ""
    """Why it is not known whether there is one; empty when it is."""


class ArcAnswer(Record):
    """What became of the ARC chain (RFC 8617 section 5.2)."""

    outcome: MechanismOutcome
    """Whether the whole chain holds."""
    detail: str = ""
    """Why, in a few words."""
    sealer: str = ""
    """The domain of the newest seal, lower case."""
    results: str = ""
    """The newest ARC-Authentication-Results, without its instance tag."""


class Answers(Record):
    """The answers to `Questions`, in the same order."""

    spf: MechanismAnswer | None = None
    """None when it was not asked."""
    dkim: tuple[MechanismAnswer, ...] = ()
    """One for each signature asked about."""
    policy: PolicyAnswer = PolicyAnswer()
    """The DMARC record."""
    arc: ArcAnswer | None = None
    """None when it was not asked."""
