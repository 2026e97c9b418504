"""What is scanned: every place an attacker can write to, in every form it may hide in."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from data.portions import portions
from data.records.envelope import Envelope
from data.records.mail import Automated, ParsedMail, Segments
from data.records.organization import Policy
from data.records.screening import Place
from tasks.patterns import compiled
from tasks.screen.acrostics import acrostics
from tasks.screen.ciphers import cipher_signs, turned
from tasks.screen.cut_words import uncut
from tasks.screen.decode import CODED, decoded
from tasks.screen.ends import ends
from tasks.screen.gate import GATE
from tasks.screen.hosts import Target, targets
from tasks.screen.identifiers import said_in_addresses, said_in_ids
from tasks.screen.joining import undisguised
from tasks.screen.known import KnownSenders
from tasks.screen.normalize import MASKED, fold, unpresented, visible
from tasks.screen.rows import in_rows
from tasks.screen.scrambled import unscrambled
from tasks.screen.spotting import Spotted, spot
from tasks.screen.usual_headers import USUAL_HEADERS
from tasks.screen.vocabulary import vocabulary

MAX_PLACE_CHARACTERS = 1_500_000
"""Longer places are scanned at their head and tail only."""
_DECODED_AT_MOST = 200_000
"""Characters of a place in which codes are looked for, at its two ends."""
_ELSEWHERE = frozenset({"from", "to", "cc", "subject", "reply-to"})
"""Usual headers that are places of their own."""
_IDS = frozenset({"message-id", "in-reply-to", "references"})
_PROSE = compiled(r"\pL{2,}(?:[ ,]{1,2}\pL{2,}){4}")
_FEWEST_SPACES = 4
_SHORTEST_CODED = 20
_SHORTEST_HEADER = 12
"""Characters of an unusual header that is not scanned."""
_LINKS_TOGETHER, _LINKS_SIZE = 8, 1_000
"""Links, and their characters, that are scanned as one text, a paragraph each: to begin with a text
costs more than to scan a link, and newsletters have dozens."""
_HEADERS, _NAMES, _FILES, _LINKS = 200, 50, 100, 200
"""Headers, names, file names and links that are scanned each for itself or in small portions; those
beyond are one text, a paragraph each, so that a thousand cost little and none goes unread."""
_SHORT = 160
"""Characters of a text whose hidden forms are remembered."""


@dataclass(frozen=True)
class Text:
    """One form of one place."""

    place: Place
    text: str
    """The text to scan."""
    form: str = "as_is"
    """`as_is`, `unmasked`, `tag_characters`, or the code it was written in, e.g. `base64`."""
    note: str = ""
    """For hidden text why it is hidden; for a header its name."""

    @cached_property
    def signs(self) -> int:
        """What `tasks.screen.gate` finds in it."""
        return GATE.signs(self.text)

    def know(self, signs: int) -> None:
        """Take `signs` from who read several texts at once."""
        self.__dict__["signs"] = signs  # where `cached_property` keeps it

    @cached_property
    def spotted(self) -> Spotted:
        """Its words, and what they mean to the rules."""
        return spot(self.text)

    @property
    def short(self) -> bool:
        """Whether what is found in it is worth remembering for the next message."""
        return len(self.text) <= _SHORT

    @property
    def disguised(self) -> bool:
        """Whether a reader would not have read these words."""
        return self.form != "as_is"

    @property
    def shown_elsewhere(self) -> bool:
        """Whether other programs, or an inbox, show these words to their reader."""
        return self.note in ("alt", "title", "preheader", "plain_alternative")

    @property
    def set_aside(self) -> bool:
        """Whether this is hidden as programs do it: a page's part taken out, a note on HTML."""
        if self.note not in ("comment", "preamble"):
            return False
        words = self.text.lower()
        return "html" in words or "mime" in words or (self.note == "comment" and "</" in words)


@dataclass(frozen=True, slots=True)
class ScannedText:
    """A text with its words looked up."""

    source: Text
    spotted: Spotted


@dataclass(frozen=True)
class Views:
    """A message as the rules see it; each form is made when the first rule asks for it."""

    mail: ParsedMail
    segments: Segments
    automated: Automated
    envelope: Envelope
    policy: Policy
    known: KnownSenders = field(default_factory=KnownSenders)

    @cached_property
    def plain(self) -> tuple[Text, ...]:
        """Every place as it came."""
        return tuple(_plain(self.mail, self.segments))

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """Every place as it came, unmasked and decoded."""
        return tuple(form for text in self.plain for form in _forms(text))

    @cached_property
    def scanned(self) -> tuple[ScannedText, ...]:
        """Every form of every place with its words looked up; texts without any are left out."""
        found = (ScannedText(text, text.spotted) for text in self.texts)
        return tuple(text for text in found if text.spotted.mask)

    @cached_property
    def links(self) -> tuple[Target, ...]:
        """Where the message's links lead."""
        return targets(self.mail)

    @cached_property
    def body(self) -> str:
        """What a person reads of the message."""
        return self.mail.text

    @cached_property
    def folded_body(self) -> str:
        """Subject and body in the form words are compared in."""
        return fold(f"{self.mail.subject}\n\n{self.mail.text}")

    @property
    def sender_domain(self) -> str:
        """Domain of From, lower case; empty when From is not one address."""
        return self.mail.sender.email.rpartition("@")[2].lower() if self.mail.sender else ""


def _plain(mail: ParsedMail, segments: Segments) -> Iterator[Text]:
    """Yield every place that holds something."""
    yield from _if_any(Place.SUBJECT, mail.subject)
    addresses = [one for group in (mail.senders, mail.reply_to, mail.to, mail.cc) for one in group]
    names = sorted({address.name for address in addresses if address.name})
    yield from _each(Place.DISPLAY_NAME, names, _NAMES)
    yield from _identifiers(mail, [address.email for address in addresses])
    yield from _if_any(Place.BODY, segments.new)
    yield from _if_any(Place.QUOTED, _without_marks(segments.quoted))
    yield from _if_any(Place.FORWARDED, _without_marks(segments.forwarded))
    yield from _if_any(Place.SIGNATURE, segments.signature)
    by_reason: dict[str, list[str]] = {}
    for hidden in mail.hidden:
        by_reason.setdefault(hidden.reason, []).append(hidden.text)
    for reason, texts in by_reason.items():  # together, for a payload may be cut in pieces
        yield from _if_any(Place.HIDDEN, "\n\n".join(texts), reason)
    files = [one.filename.replace("_", " ").replace("-", " ") for one in mail.attachments]
    yield from _each(Place.ATTACHMENT_NAME, files, _FILES)
    yield from _carried(mail)
    yield from _headers(mail)
    yield from _prose_in_usual_headers(mail)
    links = [link.href for link in mail.links if len(link.href) > 60 or "%" in link.href]
    links = list(dict.fromkeys(links))
    for some in portions(links[:_LINKS], len, most=_LINKS_TOGETHER, size=_LINKS_SIZE):
        yield from _if_any(Place.LINK, "\n\n".join(some))
    yield from _if_any(Place.LINK, "\n\n".join(links[_LINKS:]))


def _each(place: Place, texts: Sequence[str], most: int, note: str = "") -> Iterator[Text]:
    """Yield `most` texts of a place each for itself, and those beyond as one."""
    for text in texts[:most]:
        yield from _if_any(place, text, note)
    yield from _if_any(place, "\n\n".join(texts[most:]), note)


def _identifiers(mail: ParsedMail, emails: Iterable[str]) -> Iterator[Text]:
    """Yield the words of addresses and ids, each for itself: one excuses no other."""
    yield from _each(Place.HEADER, said_in_addresses(emails), _NAMES, "address")
    ids = said_in_ids(value for name, value in mail.headers if name in _IDS)
    yield from _each(Place.HEADER, ids, _NAMES, "message-id")


def _headers(mail: ParsedMail) -> Iterator[Text]:
    """Yield the headers that are none of the usual ones."""
    for name, value in mail.headers[:_HEADERS]:
        if name not in USUAL_HEADERS and len(value) > _SHORTEST_HEADER:
            yield from _if_any(Place.HEADER, value, name)
    beyond = [value for name, value in mail.headers[_HEADERS:] if name not in USUAL_HEADERS]
    yield from _if_any(Place.HEADER, "\n\n".join(beyond), "further headers")


#: Where the screen says that words of `ParsedMail.carried` stood.
_CARRIED_PLACES = {
    "ics": Place.CALENDAR,
    "vcard": Place.CONTACT,
    "alternative": Place.ALTERNATIVE,
    "part_header": Place.HEADER,
    "parameter": Place.HEADER,
    "preamble": Place.HIDDEN,
    "returned": Place.FORWARDED,
    "enclosed": Place.FORWARDED,
}


def _carried(mail: ParsedMail) -> Iterator[Text]:
    """Yield what stands in attachments that can be read, around parts, in reports and messages."""
    for carried in mail.carried:
        place = _CARRIED_PLACES.get(carried.place, Place.ATTACHMENT)
        yield from _if_any(place, carried.text, carried.name or carried.place)
    for number, report in enumerate(mail.reports, start=1):
        yield from _if_any(Place.ATTACHMENT, report, f"report {number}")
    for number, enclosed in enumerate(mail.enclosed, start=1):
        yield from _if_any(Place.FORWARDED, enclosed, f"enclosed message {number}")


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
                yield from _if_any(Place.HEADER, value, name)


def _if_any(place: Place, text: str, note: str = "") -> Iterator[Text]:
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


def _forms(text: Text) -> Iterator[Text]:
    """Yield the text as it came, and the other texts it may hide."""
    yield text
    cipher_signs()  # registers with the gate, so it comes before any signs
    hidden = _short_hidden(text.text, text.signs) if text.short else _hidden_in(text)
    for form, other in hidden:
        yield Text(text.place, other, form, text.note)


@lru_cache(maxsize=4096)
def _short_hidden(text: str, signs: int) -> tuple[tuple[str, str], ...]:
    """Return what `_hidden_in` yields for a short text with these signs, wherever it stands.

    Names, headers and footers come again with every message of a sender.
    """
    source = Text(Place.BODY, text)
    source.know(signs)
    return tuple(_hidden_in(source))


def _hidden_in(source: Text) -> Iterator[tuple[str, str]]:
    """Yield (form, text) for what is disguised or in a code in a text."""
    text, signs = source.text, source.signs
    for form, other in undisguised(text, signs):
        yield form, other
        if signs & MASKED and (below := GATE.signs(other)) & cipher_signs().any:
            yield from turned(other, below)
    if len(text) < _SHORTEST_CODED:
        return
    if source.spotted.mask & vocabulary().disorder and (ordered := unscrambled(text)):
        yield "unmasked", ordered
    if whole := uncut(text, source.spotted, signs):
        yield "unmasked", whole
    yield from (("unmasked", said) for said in in_rows(text, source.spotted.mask, signs))
    yield from acrostics(text, source.spotted.mask)
    window = unpresented(visible(ends(text, _DECODED_AT_MOST)))
    if window is not text:
        signs = GATE.signs(window)
    if signs & (CODED | cipher_signs().any):
        yield from decoded(window, signs)
