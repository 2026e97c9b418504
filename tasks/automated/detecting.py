"""Stage *automated*: did a machine write this? Then it is stored and shown, never answered.

The signs are those of RFC 3834 and of practice; each one found is a reason.
Signs that a person may have caused too (a blind copy, two From headers, bare line ends) do not
make a message automated; they are listed apart and bar sending without a person.
"""

from collections.abc import Callable, Collection, Container, Iterator

from data.records.envelope import Channel, Envelope
from data.records.mail import Automated, AutomatedKind, ParsedMail
from tasks.automated.absence import away_until, says_away
from tasks.automated.bounce import is_bounce_text, read_bounce
from tasks.automated.form import form_writer
from tasks.automated.signs import (
    Sign,
    content_signs,
    envelope_signs,
    header_signs,
    report_signs,
    subject_signs,
)
from tasks.segment.lexicon import phrases

LoopToken = Callable[[str], bool]
"""Whether the value of an X-Loop header was made by us."""

# What a message is when signs of several kinds are found, strongest first.
_ORDER = (
    AutomatedKind.OWN,
    AutomatedKind.COMPLAINT,
    AutomatedKind.RECEIPT,
    AutomatedKind.BOUNCE,
    AutomatedKind.CALENDAR,
    AutomatedKind.OUT_OF_OFFICE,
    AutomatedKind.MAILING_LIST,
    AutomatedKind.NEWSLETTER,
    AutomatedKind.CHALLENGE,
    AutomatedKind.NOTIFICATION,
)


ABSENCE_CHARACTERS = 400
"""Characters at the beginning of the body in which an absence note would say so."""
_ABSENCES = tuple(phrases("automated", "absence_sentences"))
_WEAK = ("null", "header return-path", "sender 'post")
"""Beginnings of reasons that speak for a bounce only together with its text."""


def detect_automated(
    mail: ParsedMail,
    envelope: Envelope,
    own_addresses: Collection[str],
    own_message_ids: Container[str],
    is_own_loop_token: LoopToken,
) -> Automated:
    """Return whether a machine wrote `mail`, what kind of machine, and every sign.

    `own_addresses` are the organization's mailboxes, in any case; `own_message_ids` the ids of
    what we sent, written before sending; `is_own_loop_token` checks an X-Loop value.
    """
    own = {address.casefold() for address in own_addresses}
    proof = list(_own_proof(mail, own_message_ids, is_own_loop_token))
    bars = _bars(mail, envelope, own)
    writer = None if proof else form_writer(mail, own)
    if writer is not None:
        bars.append("written through a web form: nobody has proved whose address it names")
        return Automated(bars_sending=tuple(bars), form_writer=writer)
    signs: list[Sign] = [*proof, *_own_sender(mail, own), *header_signs(mail)]
    signs += envelope_signs(mail, envelope)
    signs += report_signs(mail)
    signs += content_signs(mail)
    signs += subject_signs(mail, machine=bool(signs))
    if not signs:
        return Automated(bars_sending=tuple(bars))
    kind = _kind(mail, signs)
    report = read_bounce(mail) if kind is AutomatedKind.BOUNCE else ()
    away = away_until(mail.text, mail.date) if kind is AutomatedKind.OUT_OF_OFFICE else None
    return Automated(
        automated=True,
        kind=kind,
        reasons=tuple(dict.fromkeys(reason for _, reason in signs)),
        failed_recipient=report[0].address if report else None,
        status_code=report[0].status if report else None,
        report=report,
        delayed=bool(report) and all(one.action == "delayed" for one in report),
        away_until=away,
        bars_sending=tuple(bars),
    )


def _own_proof(
    mail: ParsedMail, own_message_ids: Container[str], is_own_token: LoopToken
) -> Iterator[Sign]:
    """Yield what proves that we wrote the message ourselves."""
    if mail.message_id is not None and mail.message_id in own_message_ids:
        yield AutomatedKind.OWN, "Message-ID is one of ours"
    if any(is_own_token(value) for value in mail.header_values("x-loop")):
        yield AutomatedKind.OWN, "header x-loop holds our token"


def _own_sender(mail: ParsedMail, own: set[str]) -> Iterator[Sign]:
    """Yield whether one of our addresses is named as the sender."""
    if any(sender.email.casefold() in own for sender in mail.senders):
        yield AutomatedKind.OWN, "sender is our own address"


def _kind(mail: ParsedMail, signs: list[Sign]) -> AutomatedKind:
    """Return the strongest kind among the signs.

    A null reverse-path alone is no bounce, since vacation programs use it too (RFC 3834 section
    3.3), nor is mail from a postmaster, who may be a person; the text decides.
    """
    kinds = {kind for kind, _ in signs}
    found = next(kind for kind in _ORDER if kind in kinds)
    if found is not AutomatedKind.BOUNCE:
        return found
    strong = any(
        kind is AutomatedKind.BOUNCE and not reason.startswith(_WEAK) for kind, reason in signs
    )
    if strong or is_bounce_text(mail.text):
        return found
    others = [kind for kind in _ORDER if kind in kinds - {AutomatedKind.BOUNCE}]
    return others[0] if others else AutomatedKind.NOTIFICATION


def _bars(mail: ParsedMail, envelope: Envelope, own: set[str]) -> list[str]:
    """Return why no reply may leave without a person though a person may have written."""
    bars = []
    folded = mail.text[:ABSENCE_CHARACTERS].casefold()
    if any(sentence in folded for sentence in _ABSENCES) or says_away(folded):
        bars.append("reads like an absence note")
    if any(one.text.startswith("Calendar: ") for one in mail.carried):
        bars.append("holds a calendar entry")
    if envelope.bare_eol:
        bars.append("bare CR or LF on the wire")
    if len(mail.header_values("from")) != 1 or mail.sender is None:
        bars.append("From is not exactly one address")
    if len(mail.header_values("sender")) > 1 or len(mail.header_values("reply-to")) > 1:
        bars.append("more than one Sender or Reply-To header")
    if envelope.channel is Channel.SMTP:
        addressed = {_untagged(one.email) for one in (*mail.to, *mail.cc)}
        ours = {_untagged(one) for one in (*own, *envelope.rcpt_to)}
        if not addressed & ours:
            bars.append("our address is neither in To nor in Cc")
    return bars


def _untagged(address: str) -> str:
    """Return an address case-folded and without its `+tag`."""
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
