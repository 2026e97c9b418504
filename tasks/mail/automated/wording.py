"""Signs of a machine in the words of a message: its subject together with its body.

People write about automatic replies, failed deliveries and tickets too, so a subject alone is no
proof: something else has to speak for a machine, a header or what machines say in their bodies.
"""

from collections.abc import Iterator

import re2

from data.concepts import concepts_named_in
from data.records.core.parsed_mail import AutomatedKind, ParsedMail, Segments
from data.records.core.record import Record
from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import phrases
from tasks.core.segment.segmenting import segment
from tasks.core.segment.subject import is_forward_subject, is_reply_subject
from tasks.core.words.clauses import orders
from tasks.core.words.cleaning import straighten_apostrophes
from tasks.mail.automated.absence import says_away, tells_who_is_away
from tasks.mail.automated.bounce import is_bounce_text
from tasks.mail.automated.freeform import own_part
from tasks.mail.automated.noreply_senders import reads_like_a_person, speaks_of_writer
from tasks.mail.automated.signs import Sign, content_signs

TEXT_CHARACTERS = 4_000
"""Characters at the beginning of the body that are read."""
ABSENCE_CHARACTERS = 400
"""Characters at the beginning of the body in which an absence note would say so."""
NOTE_CHARACTERS = 2_500
"""Characters of the longest acknowledgement."""


def _any_of(key: str) -> "re2._Regexp":
    """Return a pattern of all phrases of a list."""
    return compiled("|".join(map(re2.escape, sorted(phrases("automated", key)))))


_ABSENCES = tuple(phrases("automated", "absence_sentences"))
_AWAY_SUBJECTS = tuple(phrases("automated", "away_subjects"))
_BOUNCE_SUBJECTS = tuple(phrases("automated", "bounce_subjects"))
_WEAK_AWAY = tuple(phrases("automated", "weak_away_subjects"))
_WEAK_BOUNCE = tuple(phrases("automated", "weak_bounce_subjects"))
_TECHNICAL = tuple(phrases("automated", "technical_words"))
_RECEIVED = _any_of("received_sentences")
_THANKED = _any_of("thanked_sentences")
_PATIENCE = tuple(phrases("automated", "patience_sentences"))
_TICKETS = tuple(phrases("automated", "ticket_sentences"))
_SELF = tuple(phrases("automated", "machine_sentences"))
_UNANSWERED = tuple(phrases("automated", "unanswered_sentences"))
_GOODS = frozenset({"invoice", "deliver", "quote", "pay"})
"""Concepts of what people receive and write about, as *we have received your invoice*."""
_MATTERS_OF_PEOPLE = _GOODS | {
    "send", "broken", "missing", "cancel", "refund", "return", "complain", "angry", "warranty",
    "price",
}  # fmt: skip
"""Concepts of what somebody goes on about who has received something, and waits."""
_SENTENCE = compiled(r"\n|[.!?;]\s+")
_DIGITS = compiled(r"\d{3,}")
_COMPLAINTS = tuple(phrases("automated", "complaint_sentences"))
_MATTERS = (
    r"ticket|case|incident|request|vorgang|fall|anfrage|demande|dossier|caso|solicitud|"
    r"incidencia|richiesta|solicitação|aanvraag|verzoek|requête|meldung|pratica|segnalazione|chamado|protocolo|zaak|melding|zgłoszeni\p{L}|sprawa"
)
_NUMBER = compiled(
    r"(?i)(?:\[#?|#\s?)[A-Z]{0,5}[-_]?\d{3,}|"
    rf"\b(?:{_MATTERS})\p{{L}}{{0,12}}"
    r"(?:[\s:#([-]+(?:no\.?|nr\.?|n\.|number|id|n\.?[º°]|núm\.?|numéro|número|numero|nummer|numer)?){1,3}"
    r"[\s:#.([-]{0,4}[A-Z]{0,5}[-_]?\d{3,}|"
    rf"\b(?:{_MATTERS})\s?(?:\(\s?#?|#|id\b[\s:#.-]{{0,4}})\d"
)
_BRACKETED = compiled(r"\s?\([\w\s#.º°-]{0,12}\d+\s?\)")
"""A number in brackets, which systems put between the words that tell of a receipt."""


class Wording(Record):
    """What the words of a message say of who wrote it, whoever it came to and by which way."""

    content: tuple[Sign, ...] = ()
    """Signs of a machine in its body."""
    signs: tuple[Sign, ...] = ()
    """Signs in subject and body together, where nothing else speaks for a machine."""
    doubt: str = ""
    """Why no reply should leave by itself though a person may have written; empty for no reason."""


def wording_of(mail: ParsedMail, segments: Segments | None = None) -> Wording:
    """Return what the words of a message say of who wrote it; `segments` is its body, cut."""
    own = own_words(mail, segments)
    return Wording(
        content=tuple(content_signs(mail, own)),
        signs=tuple(wording_signs(mail, own, machine=False, travelled=False)),
        doubt=reads_like_a_machine(own),
    )


def own_words(mail: ParsedMail, segments: Segments | None = None) -> ParsedMail:
    """Return a message with no other text than its sender's own, remarks below it included.

    What is answered or passed on is another's: who answers our automatic mail is no machine.
    """
    cut = segment(mail) if segments is None else segments
    if not (cut.quoted or cut.forwarded):
        return mail
    own = "\n\n".join(part for part in (cut.new, cut.signature) if part.strip())
    answers = mail.in_reply_to is not None or is_reply_subject(mail.subject)
    if not own and not (answers or is_forward_subject(mail.subject)):
        return mail  # nobody has put anything above it: it may be what a machine sends
    return mail.model_copy(update={"text": own})


def wording_signs(
    mail: ParsedMail, own: ParsedMail, *, machine: bool, travelled: bool
) -> Iterator[Sign]:
    """Yield what subject and body say together; `own` is the mail with its sender's words alone.

    A bounce returns what was sent, so there the whole body counts. `machine` says that something
    else speaks for a machine, `travelled` that the message bears a mark of travel, which is not
    enough by itself.
    """
    subject = _subject(mail)
    answers = bool(mail.in_reply_to or mail.references)
    text = straighten_apostrophes(own.text[:TEXT_CHARACTERS]).casefold()
    whole = straighten_apostrophes(mail.text[:TEXT_CHARACTERS]).casefold()
    quoted = f"subject {mail.subject[:60]!r}"
    strong = subject.startswith(_AWAY_SUBJECTS)
    prefixed = strong and _is_prefix(subject) and (answers or travelled)
    weak = subject.startswith(_WEAK_AWAY) or says_away(subject)
    note = says_away(subject) and says_away(text) and "?" not in text
    absent = strong and _is_absence(text) and not _asks(own)
    if prefixed or note or absent or (machine and (strong or weak)):
        yield AutomatedKind.OUT_OF_OFFICE, quoted
    technical = machine or any(word in whole for word in _TECHNICAL)
    reported = technical or is_bounce_text(mail.text)
    failed = subject.startswith(_BOUNCE_SUBJECTS) and reported
    failed = failed or (subject.startswith(_WEAK_BOUNCE) and technical)
    if failed and (machine or not _asks(mail)):
        yield AutomatedKind.BOUNCE, quoted
    yield from _acknowledgement(own, text, answers=answers)
    yield from _self_description(own, text, travelled=travelled)
    if not machine and any(sentence in text for sentence in _COMPLAINTS) and "?" not in text:
        yield AutomatedKind.COMPLAINT, "the text is an abuse report"


def reads_like_a_machine(mail: ParsedMail) -> str:
    """Return why no reply should leave by itself though a person may have written; else nothing."""
    beginning = straighten_apostrophes(mail.text[:ABSENCE_CHARACTERS]).casefold()
    if _is_absence(beginning) or tells_who_is_away(mail.text):
        return "reads like an absence note"
    subject = _subject(mail)
    if subject.startswith(_AWAY_SUBJECTS) or subject.startswith(_BOUNCE_SUBJECTS):
        return "the subject is one that machines write"
    received = _receipt(_BRACKETED.sub("", beginning))
    numbered = _NUMBER.search(mail.subject) or _DIGITS.search(received or "")
    patient = "?" not in beginning and any(word in beginning for word in _PATIENCE)
    if received is not None and (numbered or patient):
        return "reads like an acknowledgement"
    text = straighten_apostrophes(mail.text).casefold()
    if any(sentence in text for sentence in _UNANSWERED):
        return "the text asks for no answers"
    return ""


def _subject(mail: ParsedMail) -> str:
    """Return the subject as the lists have theirs."""
    return straighten_apostrophes(mail.subject).casefold().lstrip("[(*- ")


def _is_absence(text: str) -> bool:
    """Return whether the beginning of a case-folded text says that its writer is away."""
    beginning = text[:ABSENCE_CHARACTERS]
    return any(sentence in beginning for sentence in _ABSENCES) or says_away(beginning)


def _is_prefix(subject: str) -> bool:
    """Return whether nothing follows the words of an automatic answer but a colon and a subject."""
    rest = next(subject[len(word) :] for word in _LONGEST_FIRST if subject.startswith(word))
    return not rest.strip() or rest.lstrip().startswith((":", "：", "[", "(", "-", "–", "—"))


_LONGEST_FIRST = sorted(_AWAY_SUBJECTS, key=len, reverse=True)


def _acknowledgement(mail: ParsedMail, text: str, *, answers: bool) -> Iterator[Sign]:
    """Yield the sign of a ticket system that confirms that something has reached it.

    It says that it has received what was sent, by which number, and that somebody will answer or
    how to go on; two of the last three are enough for an answer to mail of ours. A text that asks
    something is none.
    """
    if "?" in text or len(mail.text) > NOTE_CHARACTERS:
        return
    plain = _BRACKETED.sub("", text)
    received = _receipt(plain)
    thanked = None if received is not None else _receipt(plain, _THANKED)
    received = received or thanked
    if received is None or concepts_named_in(received) & _GOODS:
        return
    own = "http" not in text and "me" in concepts_named_in(plain)
    if own or _goes_on(plain):
        return
    numbered = bool(
        _NUMBER.search(mail.subject)
        or _NUMBER.search(mail.text[:TEXT_CHARACTERS])
        or ((_DIGITS.search(received) or plain != text) and not orders(mail.text[:TEXT_CHARACTERS]))
    )
    patience = any(sentence in text for sentence in _PATIENCE)
    ticket = any(sentence in text for sentence in _TICKETS)
    if thanked is not None:  # so a person begins as well
        machine = numbered and patience and ticket
    else:
        patient = patience and not concepts_named_in(plain) & _MATTERS_OF_PEOPLE
        machine = (numbered and (patient or ticket)) or (answers and patience and ticket)
    if machine:
        yield AutomatedKind.NOTIFICATION, "the text is a ticket system's acknowledgement"


def _goes_on(text: str) -> bool:
    """Return whether a sentence of a case-folded text is about a matter, and none of a service."""
    return any(
        not any(word in sentence for word in (*_PATIENCE, *_TICKETS))
        and bool(concepts_named_in(sentence) & (_MATTERS_OF_PEOPLE - {"send"}))  # services send
        for sentence in _SENTENCE.split(text)
    )


def _receipt(text: str, phrases: "re2._Regexp" = _RECEIVED) -> str | None:
    """Return the sentence of a case-folded text that says that something was received, or None.

    `phrases` finds what says so.
    """
    if phrases.search(text) is None:  # as in most mail
        return None
    for sentence in _SENTENCE.split(text):
        match = phrases.search(sentence)
        if match is not None:
            return str(sentence[match.start() :])
    return None


def _asks(mail: ParsedMail) -> bool:
    """Return whether somebody who speaks of himself asks something, above what is returned."""
    return "?" in own_part(mail.text[:TEXT_CHARACTERS]) and reads_like_a_person(mail)


def _self_description(mail: ParsedMail, text: str, *, travelled: bool) -> Iterator[Sign]:
    """Yield whether the text calls itself a machine's, in a sentence that begins so.

    A person may ask for no answer to his address as well, and then speaks of himself.
    """
    if "?" in text and not travelled:
        return
    pieces = [piece.strip(" \t*_-=#>(") for piece in _SENTENCE.split(text)]
    plea = any(piece.startswith(_UNANSWERED) for piece in pieces) and not speaks_of_writer(mail)
    selves = (piece for piece in pieces if piece.startswith(_SELF))
    called = next((piece for piece in selves if "me" not in concepts_named_in(piece)), "")
    if called:  # who tells what he was sent speaks of himself above it
        above = mail.model_copy(update={"text": text.partition(called)[0]})
        called = "" if speaks_of_writer(above) else called
    if plea or called:
        yield AutomatedKind.NOTIFICATION, "the text says that a machine wrote it"
