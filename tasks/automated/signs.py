"""Signs that a machine wrote a message, each with the kind of machine it speaks for.

Sources: RFC 3834 section 2, RFC 5230 section 4.6, RFC 2919, RFC 2369. The phrases
are in `data/lexicons/reading/automated.yaml`.
"""

from collections.abc import Iterator

from data.records.envelope import Channel, Envelope
from data.records.mail import AutomatedKind, ParsedMail
from tasks.automated.absence import is_short_note, says_away
from tasks.segment.lexicon import phrases

RECEIVED = 100
"""Received headers above which a message goes in circles (RFC 5321 section 6.3: at least 100)."""

_LOCAL_PARTS = phrases("automated", "local_parts")
_LOCAL_STARTS = tuple(phrases("automated", "local_starts"))
_LOCAL_ENDS = tuple(phrases("automated", "local_ends"))
_ANSWER_HEADERS = phrases("automated", "answer_headers")
_BULK_HEADERS = phrases("automated", "bulk_headers")
_AWAY_SUBJECTS = tuple(phrases("automated", "away_subjects"))
_BOUNCE_SUBJECTS = tuple(phrases("automated", "bounce_subjects"))
_WEAK_AWAY = tuple(phrases("automated", "weak_away_subjects"))
_WEAK_BOUNCE = tuple(phrases("automated", "weak_bounce_subjects"))
_TECHNICAL = tuple(phrases("automated", "technical_words"))
_CALENDAR_SUBJECTS = tuple(phrases("automated", "calendar_subjects"))
_CHALLENGE_HEADERS = phrases("automated", "challenge_headers")
_CHALLENGES = tuple(phrases("automated", "challenge_sentences"))
_LIST_HEADERS = frozenset({"list-id", "list-post", "list-archive", "list-help", "list-owner"})

_DELIVERY_SYSTEMS = (
    *("mailer-daemon", "mailerdaemon", "maildaemon", "mail-daemon", "mdaemon", "daemon"),
    *("postmaster", "post-master", "post_master", "mail-delivery", "mailsystem", "mmdf"),
)

TEXT_CHARACTERS = 4_000
"""Characters at the beginning of the body that are read."""
CHALLENGE_CHARACTERS = 1_500
"""Characters in which a filter asks for its proof."""

Sign = tuple[AutomatedKind, str]
"""The kind of machine, and the sentence for people."""


def header_signs(mail: ParsedMail) -> Iterator[Sign]:
    """Yield what the headers say."""
    received = 0
    for name, value in mail.headers:
        folded = value.casefold()
        if name == "received":
            received += 1
        elif name == "auto-submitted":
            yield from _auto_submitted(folded)
        elif name in _LIST_HEADERS:
            yield AutomatedKind.MAILING_LIST, f"header {name}"
        elif name.startswith("list-"):
            yield AutomatedKind.NEWSLETTER, f"header {name}"
        elif name in ("precedence", "x-precedence"):
            yield from _precedence(folded)
        elif name in _ANSWER_HEADERS:
            if folded.strip() not in ("no", "none", "false", "0"):
                yield AutomatedKind.OUT_OF_OFFICE, f"header {name}"
        elif name in _BULK_HEADERS:
            yield AutomatedKind.NEWSLETTER, f"header {name}"
        elif name == "x-auto-response-suppress":
            if folded.strip() != "none":
                yield AutomatedKind.NOTIFICATION, f"header {name}: {value[:60]}"
        elif name in _CHALLENGE_HEADERS:
            yield AutomatedKind.CHALLENGE, f"header {name}"
        elif name == "from" and folded.replace(" ", "").endswith("<>"):
            yield AutomatedKind.BOUNCE, "header from: the null address"
        elif name in ("return-path", "x-failed-recipients") and _is_bounce_trace(name, folded):
            yield AutomatedKind.BOUNCE, f"header {name}: {value[:60]}"
        elif name in ("delivered-to", "preference") and folded.startswith("auto"):
            yield AutomatedKind.OUT_OF_OFFICE, f"header {name}: {value[:60]}"
        elif name == "content-type" and folded.startswith("multipart/report"):
            yield _report_kind(folded), f"header content-type: {_report_type(folded)}"
    if received > RECEIVED:
        yield AutomatedKind.NOTIFICATION, f"more than {RECEIVED} Received headers"


def _auto_submitted(value: str) -> Iterator[Sign]:
    """Yield the sign of Auto-Submitted (RFC 3834 section 5)."""
    word = value.partition(";")[0].partition("(")[0].strip()
    if word and word != "no":
        kind = AutomatedKind.NOTIFICATION
        if word == "auto-replied":
            kind = AutomatedKind.OUT_OF_OFFICE
        yield kind, f"header auto-submitted: {word[:60]}"


def _precedence(value: str) -> Iterator[Sign]:
    """Yield the sign of Precedence, which no standard defines and everybody uses."""
    word = value.strip()
    if word == "list":
        yield AutomatedKind.MAILING_LIST, "header precedence: list"
    elif word in ("bulk", "junk"):
        yield AutomatedKind.NEWSLETTER, f"header precedence: {word}"
    elif word == "auto_reply":
        yield AutomatedKind.OUT_OF_OFFICE, "header precedence: auto_reply"


def _is_bounce_trace(name: str, folded: str) -> bool:
    """Whether Return-Path is null, or a server lists failed recipients."""
    return name == "x-failed-recipients" or folded.replace(" ", "") == "<>"


def _report_type(folded: str) -> str:
    """Return `multipart/report` with the report-type that it declares (RFC 6522)."""
    _, _, rest = folded.partition("report-type=")
    declared = rest.partition(";")[0].strip(' "')
    return f"multipart/report {declared[:60]}".strip()


def _report_kind(folded: str) -> AutomatedKind:
    """Return what reports: a delivery system, a reader's program or a complaint service."""
    if "disposition-notification" in folded:
        return AutomatedKind.RECEIPT
    if "feedback-report" in folded:
        return AutomatedKind.COMPLAINT
    return AutomatedKind.BOUNCE


def report_signs(mail: ParsedMail) -> Iterator[Sign]:
    """Yield what the report parts say, whatever the message calls itself."""
    for report in mail.reports:
        folded = report[:TEXT_CHARACTERS].casefold()
        if "final-recipient:" in folded and "\ndisposition:" in f"\n{folded}":
            yield AutomatedKind.RECEIPT, "a receipt inside (disposition)"
        elif "final-recipient:" in folded:
            yield AutomatedKind.BOUNCE, "delivery report inside"
        elif "feedback-type:" in folded:
            yield AutomatedKind.COMPLAINT, "a complaint report inside"


def envelope_signs(mail: ParsedMail, envelope: Envelope) -> Iterator[Sign]:
    """Yield what the reverse-path and the sender's address say."""
    if envelope.channel is Channel.SMTP and not envelope.mail_from:
        yield AutomatedKind.BOUNCE, "null reverse-path"
    addresses = [envelope.mail_from, *(sender.email for sender in mail.senders)]
    if not mail.senders:
        addresses.append(mail.header("from") or "")
    for address in dict.fromkeys(addresses):
        local = address.strip(' "<>').rpartition("<")[2].partition("@")[0].casefold()
        if local and is_machine(local):
            yield machine_kind(local), f"sender {local[:60]!r} is a machine"


def is_machine(local: str) -> bool:
    """Whether a case-folded local part belongs to a machine."""
    return local in _LOCAL_PARTS or local.startswith(_LOCAL_STARTS) or local.endswith(_LOCAL_ENDS)


def machine_kind(local: str) -> AutomatedKind:
    """Return what kind of machine a local part belongs to."""
    if local.startswith(_DELIVERY_SYSTEMS):
        return AutomatedKind.BOUNCE
    if local.startswith("owner-") or local.endswith(("-request", "-bounces", "-owner")):
        return AutomatedKind.MAILING_LIST
    return AutomatedKind.NOTIFICATION


def subject_signs(mail: ParsedMail, *, machine: bool) -> Iterator[Sign]:
    """Yield what the subject says; an answer or a forward of such mail begins otherwise.

    `machine` says that something else speaks for a machine: people too write of failed deliveries
    and of holidays.
    """
    subject = mail.subject.casefold().lstrip("[(*- ")
    weak = subject.startswith(_WEAK_AWAY) or says_away(subject)
    if subject.startswith(_AWAY_SUBJECTS) or (machine and weak):
        yield AutomatedKind.OUT_OF_OFFICE, f"subject {mail.subject[:60]!r}"
    elif subject.startswith(_BOUNCE_SUBJECTS) or (
        subject.startswith(_WEAK_BOUNCE) and (machine or _is_technical(mail))
    ):
        yield AutomatedKind.BOUNCE, f"subject {mail.subject[:60]!r}"


def _is_technical(mail: ParsedMail) -> bool:
    """Whether the body speaks the language of mail servers."""
    folded = mail.text[:TEXT_CHARACTERS].casefold()
    return any(word in folded for word in _TECHNICAL)


def content_signs(mail: ParsedMail) -> Iterator[Sign]:
    """Yield what calendar parts and filters that ask for a proof say."""
    calendar = any(
        one.text.startswith(("Calendar: REPLY", "Calendar: REFRESH")) for one in mail.carried
    )
    if calendar:
        yield AutomatedKind.CALENDAR, "a calendar answers an invitation (METHOD:REPLY)"
    elif mail.carried and mail.subject.casefold().startswith(_CALENDAR_SUBJECTS):
        yield AutomatedKind.CALENDAR, f"subject {mail.subject[:60]!r}"
    folded = mail.text[:CHALLENGE_CHARACTERS].casefold()
    brief = len(mail.text) < TEXT_CHARACTERS and "\n>" not in folded
    if brief and any(sentence in folded for sentence in _CHALLENGES):
        yield AutomatedKind.CHALLENGE, "the text asks to prove that a person wrote"
    answers = mail.in_reply_to or mail.references or says_away(mail.subject)
    if answers and is_short_note(mail.text):
        yield AutomatedKind.OUT_OF_OFFICE, "the text says until when somebody is away, and no more"
