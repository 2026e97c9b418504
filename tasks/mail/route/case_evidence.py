"""The evidence for and against letting a case's reply leave, over all of its messages.

A case is as trustworthy as its worst message, and as all of them read as one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from data.records.core.envelope import Envelope
from data.records.core.parsed_mail import Automated
from data.records.core.screening import Authentication, AuthResult, Screening, Verdict
from tasks.mail.compose.recipients import Recipients
from tasks.mail.read import Reading

_ORDER = [Verdict.CLEAN, Verdict.FLAGGED, Verdict.QUARANTINE]
_TRUST = [AuthResult.PASS, AuthResult.NOT_ESTABLISHED, AuthResult.FAIL]
_SAME_ID = "another message has its Message-ID and says something else"


@dataclass(frozen=True, kw_only=True)
class MessageEvidence:
    """What the stages before found out about one message of a case."""

    reading: Reading
    envelope: Envelope
    screening: Screening
    authentication: Authentication
    automated: Automated
    shares_id: bool = False
    """Whether another message has its Message-ID and says something else."""


@dataclass(frozen=True, kw_only=True)
class CaseEvidence:
    """The worst that was found in any message of a case."""

    screening: Screening
    authentication: Authentication
    automated: Automated
    recipients: Recipients
    bare_eol: bool
    defects: tuple[str, ...]
    attachments: int
    sealed: str
    """Why nobody could read all of a message; empty when all was read."""


def combine_evidence(
    messages: Sequence[MessageEvidence],
    recipients: Recipients,
    together: Sequence[Screening] = (),
) -> CaseEvidence:
    """Return the evidence of a case.

    Args:
        messages: of the case, one at least.
        recipients: who gets the reply.
        together: what flags the messages when they are read as one.

    """
    screenings = [*(message.screening for message in messages), *together]
    return CaseEvidence(
        screening=max(screenings, key=lambda screening: _ORDER.index(screening.verdict)),
        authentication=max(
            (message.authentication for message in messages),
            key=lambda authentication: _TRUST.index(authentication.dmarc),
        ),
        automated=next(
            (message.automated for message in messages if message.automated.automated), Automated()
        ),
        recipients=recipients,
        bare_eol=any(message.envelope.bare_eol for message in messages),
        sealed=next(
            (sealed for message in messages if (sealed := message.reading.mail.sealed)), ""
        ),
        attachments=sum(len(message.reading.mail.attachments) for message in messages),
        defects=tuple(
            defect
            for message in messages
            for defect in (
                *((_SAME_ID,) if message.shares_id else ()),
                *message.reading.mail.defects,
                *message.automated.bars_sending,
            )
        ),
    )
