"""Signs that a machine wrote a message, each with the kind of machine it speaks for.

Sources: RFC 3834 section 2, RFC 5230 section 4.6. The phrases are in
`data/lexicons/reading/automated.yaml`.
"""

from collections.abc import Iterator

from data.records.core.envelope import Channel, Envelope
from data.records.core.parsed_mail import AutomatedKind, ParsedMail
from tasks.core.segment.lexicon import phrases
from tasks.core.words.cleaning import straighten_apostrophes
from tasks.mail.automated.absence import is_absence_note, is_sentence_note, is_short_note, says_away

RECEIVED = 100
"""Received headers above which a message goes in circles (RFC 5321 section 6.3: at least 100)."""

_LOCAL_PARTS = phrases("automated", "local_parts")
_SILENT = phrases("automated", "silent_parts")
_LOCAL_STARTS = tuple(phrases("automated", "local_starts"))
_LOCAL_ENDS = tuple(phrases("automated", "local_ends"))
_ANSWER_HEADERS = phrases("automated", "answer_headers")
_CALENDAR_SUBJECTS = tuple(phrases("automated", "calendar_subjects"))
_CHALLENGE_HEADERS = phrases("automated", "challenge_headers")
_CHALLENGES = tuple(phrases("automated", "challenge_sentences"))

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
    """Yield what the headers say of who wrote; how a message travelled is told in `travel`."""
    received = 0
    for name, value in mail.headers:
        folded = value.casefold()
        if name == "received":
            received += 1
        elif name == "auto-submitted":
            yield from _auto_submitted(folded)
        elif name in ("precedence", "x-precedence") and folded.strip() == "auto_reply":
            yield AutomatedKind.OUT_OF_OFFICE, "header precedence: auto_reply"
        elif name in _ANSWER_HEADERS:
            if folded.strip() not in ("no", "none", "false", "0"):
                yield AutomatedKind.OUT_OF_OFFICE, f"header {name}"
        elif name in _CHALLENGE_HEADERS:
            yield AutomatedKind.CHALLENGE, f"header {name}"
        elif name == "x-loop" and _is_looped_by_sender(mail, folded):
            yield AutomatedKind.NOTIFICATION, "header x-loop: of the sender's own program"
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


def _is_looped_by_sender(mail: ParsedMail, value: str) -> bool:
    """Whether an answer bears the sender or his host in X-Loop, as answering filters do."""
    domain = value.strip().rpartition("@")[2]
    answers = bool(mail.in_reply_to or mail.references)
    return (
        answers
        and "." in domain
        and any(sender.email.rpartition("@")[2].casefold() == domain for sender in mail.senders)
    )


def _auto_submitted(value: str) -> Iterator[Sign]:
    """Yield the sign of Auto-Submitted (RFC 3834 section 5)."""
    word = value.partition(";")[0].partition("(")[0].strip()
    if word and word != "no":
        kind = AutomatedKind.NOTIFICATION
        if word == "auto-replied":
            kind = AutomatedKind.OUT_OF_OFFICE
        yield kind, f"header auto-submitted: {word[:60]}"


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
    for local in _locals(mail, envelope):
        if is_machine(local):
            yield machine_kind(local), _machine_sender(local)


def silent_senders(mail: ParsedMail, envelope: Envelope) -> list[Sign]:
    """Return those of the sender's signs that only say that nobody reads answers there.

    Websites and programs send from such addresses in a person's name too.
    """
    locals_ = [local_part for local_part in _locals(mail, envelope) if is_silent(local_part)]
    return [(machine_kind(local_part), _machine_sender(local_part)) for local_part in locals_]


def _locals(mail: ParsedMail, envelope: Envelope) -> Iterator[str]:
    """Yield the case-folded local parts of reverse-path and From, each address once."""
    reverse = "" if is_return_address(envelope.mail_from) else envelope.mail_from
    addresses = [reverse, *(sender.email for sender in mail.senders)]
    if not mail.senders:
        addresses.append(mail.header("from") or "")
    for address in dict.fromkeys(addresses):
        local = address.strip(' "<>').rpartition("<")[2].partition("@")[0].casefold()
        if local:
            yield local


def _machine_sender(local: str) -> str:
    return f"sender {local[:60]!r} is a machine"


def is_return_address(reverse_path: str) -> bool:
    """Return whether a reverse-path is where a list or a service collects what comes back."""
    local = reverse_path.partition("@")[0].casefold()
    return local.startswith(("owner-", "bounce", "msprvs1=", "prvs-bounce")) or local.endswith(
        ("-request", "-bounces", "-bounce", "-owner")
    )


def is_silent(local: str) -> bool:
    """Whether nobody reads answers to a case-folded local part, and no more is known of it."""
    return local in _SILENT


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


def content_signs(mail: ParsedMail, own: ParsedMail) -> Iterator[Sign]:
    """Yield what calendar parts and filters that ask for a proof say.

    `own` is the mail with no other text than its sender's own.
    """
    calendar = any(
        carried.text.startswith(("Calendar: REPLY", "Calendar: REFRESH"))
        for carried in mail.carried
    )
    if calendar:
        yield AutomatedKind.CALENDAR, "a calendar answers an invitation (METHOD:REPLY)"
    elif mail.carried and mail.subject.casefold().startswith(_CALENDAR_SUBJECTS):
        yield AutomatedKind.CALENDAR, f"subject {mail.subject[:60]!r}"
    folded = straighten_apostrophes(own.text[:CHALLENGE_CHARACTERS]).casefold()
    brief = len(own.text) < TEXT_CHARACTERS and "\n>" not in folded
    if brief and any(sentence in folded for sentence in _CHALLENGES):
        yield AutomatedKind.CHALLENGE, "the text asks to prove that a person wrote"
    answers = mail.in_reply_to or mail.references or says_away(mail.subject)
    if answers and is_short_note(own.text):
        yield AutomatedKind.OUT_OF_OFFICE, "the text says until when somebody is away, and no more"
    elif is_absence_note(own.text) or is_sentence_note(own.text):
        yield AutomatedKind.OUT_OF_OFFICE, "all of the text is an absence note"
