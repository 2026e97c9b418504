"""Every place of a message that an attacker can write to."""

from collections.abc import Iterable, Iterator, Sequence

from data.batches import split_into_batches
from data.records.core.parsed_mail import ParsedMail, Segments
from data.records.core.screening import MessagePlace
from tasks.core.patterns import compiled
from tasks.core.screen.message.identifiers import said_in_addresses, said_in_ids
from tasks.core.screen.message.usual_headers import USUAL_HEADERS
from tasks.core.screen.words.scanned import Text

MAX_PLACE_CHARACTERS = 1_500_000
"""Longer places are scanned at their head and tail only."""
_ELSEWHERE = frozenset({"from", "to", "cc", "subject", "reply-to"})
"""Usual headers that are places of their own."""
_IDS = frozenset({"message-id", "in-reply-to", "references"})
_PROSE = compiled(r"\pL{2,}(?:[ ,]{1,2}\pL{2,}){4}")
_FEWEST_SPACES = 4
_SHORTEST_HEADER = 12
"""Characters of an unusual header that is not scanned."""
_LINKS_TOGETHER, _LINKS_SIZE = 8, 1_000
"""Links, and their characters, that are scanned as one text, a paragraph each: to begin with a text
costs more than to scan a link, and newsletters have dozens."""
_HEADERS, _NAMES, _FILES, _LINKS = 200, 50, 100, 200
"""Headers, names, file names and links that are scanned each for itself or in small portions; those
beyond are one text, a paragraph each, so that a thousand cost little and none goes unread."""


def places(mail: ParsedMail, segments: Segments) -> Iterator[Text]:
    """Yield every place that holds something."""
    yield from _if_any(MessagePlace.SUBJECT, mail.subject)
    addresses = [
        mailbox for group in (mail.senders, mail.reply_to, mail.to, mail.cc) for mailbox in group
    ]
    names = sorted({address.name for address in addresses if address.name})
    yield from _each(MessagePlace.DISPLAY_NAME, names, _NAMES)
    yield from _identifiers(mail, [address.email for address in addresses])
    yield from _if_any(MessagePlace.BODY, segments.new)
    yield from _if_any(MessagePlace.QUOTED, _without_marks(segments.quoted))
    yield from _if_any(MessagePlace.FORWARDED, _without_marks(segments.forwarded))
    yield from _if_any(MessagePlace.SIGNATURE, segments.signature)
    by_reason: dict[str, list[str]] = {}
    for hidden in mail.hidden:
        by_reason.setdefault(hidden.reason, []).append(hidden.text)
    for reason, texts in by_reason.items():  # together, for a payload may be cut in pieces
        yield from _if_any(MessagePlace.HIDDEN, "\n\n".join(texts), reason)
    file_names = [
        name
        for attachment in mail.attachments
        for name in (attachment.filename, *attachment.other_names)
    ]
    files = [name.replace("_", " ").replace("-", " ") for name in dict.fromkeys(file_names)]
    yield from _each(MessagePlace.ATTACHMENT_NAME, files, _FILES)
    yield from _yield_carried_texts(mail)
    yield from _headers(mail)
    yield from _prose_in_usual_headers(mail)
    links = [link.href for link in mail.links if len(link.href) > 60 or "%" in link.href]
    links = list(dict.fromkeys(links))
    for some in split_into_batches(links[:_LINKS], len, most=_LINKS_TOGETHER, size=_LINKS_SIZE):
        yield from _if_any(MessagePlace.LINK, "\n\n".join(some))
    yield from _if_any(MessagePlace.LINK, "\n\n".join(links[_LINKS:]))


def _each(place: MessagePlace, texts: Sequence[str], most: int, note: str = "") -> Iterator[Text]:
    """Yield `most` texts of a place each for itself, and those beyond as one."""
    for text in texts[:most]:
        yield from _if_any(place, text, note)
    yield from _if_any(place, "\n\n".join(texts[most:]), note)


def _identifiers(mail: ParsedMail, emails: Iterable[str]) -> Iterator[Text]:
    """Yield the words of addresses and ids, each for itself: one excuses no other."""
    yield from _each(MessagePlace.HEADER, said_in_addresses(emails), _NAMES, "address")
    ids = said_in_ids(value for name, value in mail.headers if name in _IDS)
    yield from _each(MessagePlace.HEADER, ids, _NAMES, "message-id")


def _headers(mail: ParsedMail) -> Iterator[Text]:
    """Yield the headers that are none of the usual ones."""
    for name, value in mail.headers[:_HEADERS]:
        if name not in USUAL_HEADERS and len(value) > _SHORTEST_HEADER:
            yield from _if_any(MessagePlace.HEADER, value, name)
    beyond = [value for name, value in mail.headers[_HEADERS:] if name not in USUAL_HEADERS]
    yield from _if_any(MessagePlace.HEADER, "\n\n".join(beyond), "further headers")


#: Where the screen says that words of `ParsedMail.carried` stood.
_CARRIED_PLACES = {
    "ics": MessagePlace.CALENDAR,
    "vcard": MessagePlace.CONTACT,
    "alternative": MessagePlace.ALTERNATIVE,
    "part_header": MessagePlace.HEADER,
    "parameter": MessagePlace.HEADER,
    "preamble": MessagePlace.HIDDEN,
    "returned": MessagePlace.FORWARDED,
    "enclosed": MessagePlace.FORWARDED,
}


def _yield_carried_texts(mail: ParsedMail) -> Iterator[Text]:
    """Yield what stands in attachments that can be read, around parts, in reports and messages."""
    for carried in mail.carried:
        place = _CARRIED_PLACES.get(carried.place, MessagePlace.ATTACHMENT)
        yield from _if_any(place, carried.text, carried.name or carried.place)
    for number, report in enumerate(mail.reports, start=1):
        yield from _if_any(MessagePlace.ATTACHMENT, report, f"report {number}")
    for number, enclosed in enumerate(mail.enclosed, start=1):
        yield from _if_any(MessagePlace.FORWARDED, enclosed, f"enclosed message {number}")


def _prose_in_usual_headers(mail: ParsedMail) -> Iterator[Text]:
    """Yield the usual headers that hold a sentence, which programs write into few of them."""
    usual = [
        (name, value)
        for name, value in mail.headers
        if name in USUAL_HEADERS and name not in _ELSEWHERE and value.count(" ") >= _FEWEST_SPACES
    ]
    if usual and _PROSE.search("\n".join([value for _, value in usual])) is not None:
        for name, value in usual:
            if _PROSE.search(value) is not None:
                yield from _if_any(MessagePlace.HEADER, value, name)


def _if_any(place: MessagePlace, text: str, note: str = "") -> Iterator[Text]:
    """Yield the text unless it is empty; an enormous one loses its middle."""
    if not text or text.isspace():
        return
    if len(text) > MAX_PLACE_CHARACTERS:
        half = MAX_PLACE_CHARACTERS // 2
        text = f"{text[:half]}\n\n{text[-half:]}"
    yield Text(place, text, note=note)


def _without_marks(text: str) -> str:
    """Return quoted text without the marks at the beginning of its lines."""
    if ">" not in text:
        return text
    return "\n".join(line.lstrip("> \t") for line in text.splitlines())
