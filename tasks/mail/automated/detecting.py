"""Stage *automated*: did a machine write this? Then it is stored and shown, never answered.

The signs are those of RFC 3834 and of practice; each one found is a reason.
Signs that a person may have caused too (a blind copy, two From headers, bare line ends) do not
make a message automated; they are listed apart and bar sending without a person.
"""

from collections.abc import Callable, Collection, Container, Iterator, Sequence

from data.records.core.envelope import Channel, Envelope
from data.records.core.parsed_mail import Automated, AutomatedKind, ParsedMail
from tasks.core.parse.content_elsewhere import WAITING
from tasks.core.patterns import compiled
from tasks.mail.automated.absence import away_until
from tasks.mail.automated.bounce import is_bounce_text, read_bounce
from tasks.mail.automated.noreply_senders import reads_like_a_person
from tasks.mail.automated.signs import (
    Sign,
    envelope_signs,
    header_signs,
    report_signs,
    silent_senders,
)
from tasks.mail.automated.travel_marks import TravelMark, group_named, mass_sign, travel_marks
from tasks.mail.automated.web_forms import answers_or_lists, form_writer, is_nameless
from tasks.mail.automated.wording import Wording, own_words, wording_of, wording_signs

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


PERSONS = "person: "
"""How the name of an allowance begins that a marker means nothing from a sender; it follows."""
_OWN_ID = compiled(r"(?i)^[0-9A-Z]{26}$")
"""The local part of a Message-ID that we make."""
_WEAK = ("null", "header return-path", "sender 'post")
"""Beginnings of reasons that speak for a bounce only together with its text."""


def detect_automated(
    mail: ParsedMail,
    envelope: Envelope,
    own_addresses: Collection[str],
    own_message_ids: Container[str],
    is_own_loop_token: LoopToken,
    *,
    excused: Collection[str] = (),
    own_host: str = "",
    wording: Wording | None = None,
) -> Automated:
    """Return whether a machine wrote `mail`, what kind of machine, and every sign.

    `own_addresses` are the organization's mailboxes and groups, in any case; `own_message_ids` the
    ids of what we sent, written before sending; `is_own_loop_token` checks an X-Loop value.
    `excused` are markers that a person has said mean nothing from this sender (see `marker`),
    `own_host` the host in whose name we make Message-IDs, `wording` what the words say where that
    was looked at when the message was read.
    """
    wording = wording or wording_of(mail)
    own = {address.casefold() for address in own_addresses}
    proof = list(_own_proof(mail, own_message_ids, is_own_loop_token, own_host))
    bars = _bars(mail, envelope, own)
    ours = own | {address.casefold() for address in envelope.rcpt_to}
    group = group_named(mail, ours)
    near = Automated(own_group=group if group not in own else None)
    answers = bool(proof) or answers_or_lists(mail, frozenset(own))
    silent = [] if answers else silent_senders(mail, envelope)
    writer = None if proof else form_writer(mail, own)
    if writer is not None:
        bars.append("written through a web form: nobody has proved whose address it names")
        return near.model_copy(update={"bars_sending": tuple(bars), "form_writer": writer})
    if not proof and is_nameless(mail, own):
        bars.append("written through a web form that names no address to answer to")
        return near.model_copy(update={"bars_sending": tuple(bars)})
    marks = travel_marks(mail, envelope.mail_from, own, ours)
    signs = [*proof, *_signs(mail, envelope, own, ours, marks, wording)]
    left = [sign for sign in signs if sign in proof or marker(sign[1]) not in excused]
    nulls = [sign for sign in left if _is_null(sign)]
    if nulls and not (answers or mail.in_reply_to or mail.references or is_bounce_text(mail.text)):
        silent += nulls
    unread = bool(left) and all(sign in silent for sign in left) and reads_like_a_person(mail)
    waits = mail.sealed in WAITING and all(_is_of_service(sign, silent) for sign in left)
    if unread or waits or not left:
        bars += _doubts([] if unread or waits else signs, marks, wording)
        bars += ["tells of a person's letter that waits elsewhere"] if waits else []
        bars += ["reads like a person's, from a sender that takes no answers"] if unread else []
        return near.model_copy(update={"bars_sending": tuple(bars)})
    kind = _kind(mail, left)
    report = read_bounce(mail) if kind is AutomatedKind.BOUNCE else ()
    away = away_until(mail.text, mail.date) if kind is AutomatedKind.OUT_OF_OFFICE else None
    return Automated(
        automated=True,
        kind=kind,
        reasons=tuple(dict.fromkeys(reason for _, reason in left)),
        failed_recipient=report[0].address if report else None,
        status_code=report[0].status if report else None,
        report=report,
        delayed=bool(report) and all(recipient.action == "delayed" for recipient in report),
        away_until=away,
        bars_sending=tuple(bars),
        own_group=near.own_group,
    )


def keep_claimed(automated: Automated) -> Automated:
    """Return what is left of a machine's signs when a person has let the message in as a person's.

    It is worked on, and never answered without a person.
    """
    if not automated.automated:
        return automated
    why = f"let in by a person in spite of: {', '.join(automated.reasons)}"
    return Automated(own_group=automated.own_group, bars_sending=(*automated.bars_sending, why))


def marker(reason: str) -> str:
    """Return what stays the same of a reason when another message bears its sign.

    That is the header without its value, or the kind of wording without what was found.
    """
    if reason.startswith("subject "):
        return "subject"
    return reason.partition(":")[0].partition(" (")[0]


def _signs(
    mail: ParsedMail,
    envelope: Envelope,
    own: Collection[str],
    ours: Collection[str],
    marks: Sequence[TravelMark],
    wording: Wording,
) -> list[Sign]:
    """Return every sign but what proves that we wrote the message ourselves."""
    signs: list[Sign] = [*_own_sender(mail, own), *header_signs(mail)]
    signs += envelope_signs(mail, envelope)
    signs += report_signs(mail)
    signs += wording.content
    many = mass_sign(mail, marks, ours)
    signs += [many] if many and not _is_personal(mail, many) else []
    if signs or marks:
        own_mail = own_words(mail)
        signs += wording_signs(mail, own_mail, machine=bool(signs), travelled=bool(marks))
    else:
        signs += wording.signs
    return signs


def _is_personal(mail: ParsedMail, many: Sign) -> bool:
    """Return whether what was sent as mail to many asks one organization for something of its own.

    A sales tool marks single letters as its mailings; a text without a link, in which somebody
    speaks of himself and asks, is no newsletter.
    """
    return (
        many[0] is AutomatedKind.NEWSLETTER
        and len({*mail.to, *mail.cc}) == 1
        and "?" in mail.text
        and reads_like_a_person(mail)
    )


def _doubts(excused: Sequence[Sign], marks: Sequence[TravelMark], wording: Wording) -> list[str]:
    """Return what a person may have caused and bars sending: signs, marks of travel, wording."""
    doubts = []
    if excused:
        reasons = ", ".join(dict.fromkeys(reason for _, reason in excused))
        doubts.append(f"a person has said that this is no machine's in spite of: {reasons}")
    if marks:
        reasons = ", ".join(dict.fromkeys(reason for _, reason in marks))
        doubts.append(f"came the way of mail to many or of machines: {reasons}")
    return [*doubts, wording.doubt] if wording.doubt else doubts


def _is_of_service(sign: Sign, silent: Sequence[Sign]) -> bool:
    """Return whether a sign says no more than that a service's program has sent the message."""
    return sign[0] is AutomatedKind.NOTIFICATION or sign in silent


def _is_null(sign: Sign) -> bool:
    """Return whether a sign says no more than that what cannot be delivered comes back to nobody.

    Devices and websites send so what a person wrote, absence notes and bounces too.
    """
    return sign[1] == "null reverse-path" or sign[1].startswith("header return-path")


def _own_proof(
    mail: ParsedMail, own_message_ids: Container[str], is_own_token: LoopToken, own_host: str
) -> Iterator[Sign]:
    """Yield what proves that we wrote the message ourselves."""
    if mail.message_id is not None and mail.message_id in own_message_ids:
        yield AutomatedKind.OWN, "Message-ID is one of ours"
    elif mail.message_id is not None and "." in own_host:
        local, _, host = mail.message_id.strip("<> ").rpartition("@")
        if host.casefold() == own_host.casefold() and _OWN_ID.match(local):
            yield AutomatedKind.OWN, "Message-ID was made by our host"
    if any(is_own_token(value) for value in mail.header_values("x-loop")):
        yield AutomatedKind.OWN, "header x-loop holds our token"


def _own_sender(mail: ParsedMail, own: Collection[str]) -> Iterator[Sign]:
    """Yield whether one of our addresses is named as the sender."""
    if any(sender.email.casefold() in own for sender in mail.senders):
        yield AutomatedKind.OWN, "sender is our own address"


def _kind(mail: ParsedMail, signs: list[Sign]) -> AutomatedKind:
    """Return the strongest kind among the signs.

    A null reverse-path alone is no bounce, since vacation programs use it too (RFC 3834 section
    3.3), nor is mail from a postmaster, who may be a person; the text decides.
    """
    kinds = {kind for kind, _ in signs}
    chosen_kind = next(kind for kind in _ORDER if kind in kinds)
    if chosen_kind is not AutomatedKind.BOUNCE:
        return chosen_kind
    strong = any(
        kind is AutomatedKind.BOUNCE and not reason.startswith(_WEAK) for kind, reason in signs
    )
    if strong or is_bounce_text(mail.text):
        return chosen_kind
    others = [kind for kind in _ORDER if kind in kinds - {AutomatedKind.BOUNCE}]
    return others[0] if others else AutomatedKind.NOTIFICATION


def _bars(mail: ParsedMail, envelope: Envelope, own: set[str]) -> list[str]:
    """Return why no reply may leave without a person though a person may have written."""
    bars = []
    if any(carried.text.startswith("Calendar: ") for carried in mail.carried):
        bars.append("holds a calendar entry")
    if envelope.bare_eol:
        bars.append("bare CR or LF on the wire")
    if len(mail.header_values("from")) != 1 or mail.sender is None:
        bars.append("From is not exactly one address")
    if len(mail.header_values("sender")) > 1 or len(mail.header_values("reply-to")) > 1:
        bars.append("more than one Sender or Reply-To header")
    if envelope.channel is Channel.SMTP:
        addressed = {_untagged(mailbox.email) for mailbox in (*mail.to, *mail.cc)}
        ours = {_untagged(address) for address in (*own, *envelope.rcpt_to)}
        if not addressed & ours:
            bars.append("our address is neither in To nor in Cc")
    return bars


def _untagged(address: str) -> str:
    """Return an address case-folded and without its `+tag`."""
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
