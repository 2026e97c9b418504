"""Notices that a protected message or file waits elsewhere: behind a link, or in an attached page.

Portals for encrypted mail, gateways and web mailers with a confidential mode send a few sentences
in the place of the letter. Names of makers tell nothing lasting; what all say does: that a
protected message has come, and how it is opened. A person who writes about one speaks of himself,
asks, or says something else as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import re2

from data.records.core.parsed_mail import Attachment, Link
from tasks.core.patterns import compiled
from tasks.core.segment import markers
from tasks.core.segment.attribution import attribution_start
from tasks.core.segment.lexicon import lexicon
from tasks.core.words.sentences import sentences

BEHIND_A_LINK = "a notice of a protected message that waits behind a link"
IN_A_PAGE = "a notice of a protected message that waits in an attached page"
SHARED = "a notice of shared files that wait behind a link"
WAITING = frozenset({BEHIND_A_LINK, IN_A_PAGE, SHARED})
FRAGMENT = "a fragment of a message that was sent in pieces"
POINTED_TO = "kept elsewhere and only pointed to"

NOTICE_CHARACTERS = 4_000
"""Characters of the longest notice, with what its makers say of themselves."""
BEFORE = 300
"""Characters before the sentence that tells of the message: a logo, a greeting, who sent it."""
OTHER_SHARE = 3
"""One word of prose in so many may stand in sentences that are about something else."""
LINE_WORDS = 3
"""Small words of a line without a stop from which it may be somebody's sentence beside a file."""

_WORDS = lexicon("protected")
_PAGES = (".html", ".htm", ".xhtml", ".shtml", ".mht", ".pdf")


def _either(key: str) -> str:
    return "|".join(re2.escape(str(word)) for word in sorted(_WORDS[key], key=len, reverse=True))


def _pattern_of_named(kind: str, nouns: str) -> str:
    """Return a pattern of one of `nouns` that is called `kind`, with up to three words between."""
    called, noun = rf"(?:{_either(kind)})\pL*", f"(?:{_either(nouns)})"
    between = r"(?:[\s,]+[\pL\pN-]+){0,3}[\s,]+"
    return (
        rf"(?:^|[^\pL]){called}{between}{noun}(?:[^\pL]|$)|"
        rf"(?:^|[^\pL]){noun}{between}{called}"
    )


def _any_of(*keys: str) -> str:
    return rf"(?i)(?:^|[^\pL])(?:{'|'.join(map(_either, keys))})(?:[^\pL]|$)"


@dataclass(frozen=True)
class _Kind:
    """What may wait, and how it is told that it does."""

    strong: "re2._Regexp"
    weak: "re2._Regexp"
    received: "re2._Regexp"
    other_share: int
    """One word of prose in so many may stand in sentences about something else; 0: none may."""
    asks: "re2._Regexp | None" = None
    """What a person says of one, and no portal."""


_MESSAGE = _Kind(
    compiled(rf"(?i){_pattern_of_named('strong', 'nouns')}|{_either('names')}"),
    compiled(rf"(?i){_pattern_of_named('weak', 'nouns')}"),
    compiled(_any_of("received", "purposes")),
    OTHER_SHARE,
)
_FILE = _Kind(
    compiled(rf"(?i){_pattern_of_named('strong', 'files')}"),
    compiled(rf"(?i){_pattern_of_named('weak', 'files')}"),
    compiled(_any_of("received")),
    0,
    compiled(_any_of("asks")),
)
_SHARES, _GET = compiled(_any_of("shares")), compiled(_any_of("get"))
_SHARED_THING, _AROUND = compiled(_any_of("shared")), compiled(rf"(?i){_either('around')}")
_MEASURED = compiled(r"(?i)\d\s?(?:[kmg]b|[kmg]o|bytes)\b|^[\w .()-]+\.\w{2,4}$")
"""A line that holds a size, or is a file's name."""
_THERE_IS = compiled(rf"(?i)(?:^|[^\pL])(?:{_either('there_is')})(?:[^\pL]|$)")
_OPEN = compiled(rf"(?i)(?:^|[^\pL])(?:{_either('open')})(?:[^\pL]|$)")
_DOOR = compiled(rf"(?i)(?:^|[^\pL])(?:{_either('door')})(?:[^\pL]|$)")
_ABOUT = compiled(rf"(?i){_either('about')}")
_QUESTION = compiled(rf"(?i)(?:^|[^\pL])(?:{_either('questions')})")
_PERSON = compiled(rf"(?:^|[^\pL])(?:{_either('persons')})(?:[^\pL.]|$)")
_DUTCH_YOU = compiled(r"\b(?:heeft|met|voor|aan) je\b")
"""The Dutch *you*, which is no French *I*."""
_LINK = compiled(r"(?i)https?://\S+")
"""What follows one is a sentence of its own where each sentence is looked at."""
_ADDRESS = compiled(r"(?i)https?://\S+|\S+@\S+")
_ENDED = (".", "!", "?", ":", "…")


def waits_elsewhere(text: str, links: Sequence[Link], attachments: Sequence[Attachment]) -> str:
    """Return where the message waits that a text gives notice of; empty when it gives none."""
    door = _door(text, links, attachments)
    if not door or not 0 < len(text.strip()) <= NOTICE_CHARACTERS or "\n>" in text:
        return ""
    plain = _ADDRESS.sub(" ", text)
    if _PERSON.search(_DUTCH_YOU.sub(" ", plain)) is not None:
        return ""
    parted = _ADDRESS.sub(" ", _LINK.sub("\n\n", text))
    if _gives_notice(plain, _MESSAGE) or _gives_notice(parted, _FILE):
        return "" if _is_answered(text) else door
    shared = door is BEHIND_A_LINK and _shares_files(parted) and not _is_answered(text)
    return SHARED if shared else ""


def _is_answered(text: str) -> bool:
    """Return whether somebody has written a sentence of his own above the notice that he quotes."""
    lines = text.split("\n")
    start = next(
        (
            at
            for at, line in enumerate(lines)
            if (bare := line.strip())
            and (
                markers.is_original_marker(bare)
                or markers.is_forward_marker(bare)
                or markers.is_header_block(lines, at)
                or attribution_start(lines, at, earliest=0, quoted_next=False) is not None
            )
        ),
        0,
    )
    own = sentences(_ADDRESS.sub(" ", "\n".join(lines[:start])))
    notice = any(_tells(sentence, kind) for sentence in own for kind in (_MESSAGE, _FILE))
    return not notice and any(
        sentence.endswith((".", "!", "?"))
        and sum(word[0].islower() for word in sentence.split()) >= LINE_WORDS
        for sentence in own
    )


def _gives_notice(plain: str, kind: _Kind) -> bool:
    """Return whether a text tells that something of a kind has come, how to open it, no more."""
    if kind.strong.search(plain) is None and kind.weak.search(plain) is None:
        return False
    if kind.asks is not None and kind.asks.search(plain) is not None:
        return False
    notice_sentences = sentences(plain)
    begins = next(
        (place for place, sentence in enumerate(notice_sentences) if _tells(sentence, kind)), -1
    )
    if begins < 0 or sum(map(len, notice_sentences[:begins])) > BEFORE:
        return False
    opens = any(_OPEN.search(sentence) and _DOOR.search(sentence) for sentence in notice_sentences)
    return opens and _is_accounted_for(notice_sentences, kind)


def _shares_files(plain: str) -> bool:
    """Return whether a text tells that somebody has shared files, how to get them, and no more.

    Nothing says that they are protected; so each line is looked at, and what somebody asks for or
    writes beside them makes it his letter.
    """
    if _SHARES.search(plain) is None or _FILE.asks is None or _FILE.asks.search(plain) is not None:
        return False
    lines = [" ".join(line.split()) for line in plain.splitlines() if line.strip()]
    tells = [bool(_SHARES.search(line) and _SHARED_THING.search(line)) for line in lines]
    if not any(tells) or sum(map(len, lines[: tells.index(True)])) > BEFORE:
        return False
    rest = [line for line, shares in zip(lines, tells, strict=True) if not shares]
    return any(map(_GET.search, rest)) and all(map(_is_of_service, rest))


def _is_of_service(line: str) -> bool:
    """Return whether a line beside a notice of sharing may be the service's: a button, a size."""
    small = sum(word[0].islower() for word in line.split())
    short = len(line.split()) <= LINE_WORDS and not line.endswith("?")
    if short or (small < LINE_WORDS and not line.endswith(("?", "!"))):
        return True
    service_phrase = _AROUND.search(line) or _GET.search(line) or _MEASURED.search(line)
    return service_phrase is not None and not line.endswith("?")


def _door(text: str, links: Sequence[Link], attachments: Sequence[Attachment]) -> str:
    """Return what leads to the message; a page before a link, since notices link to help too."""
    for attachment in attachments:
        name = attachment.filename.casefold()
        if attachment.content_type == "text/html" or name.endswith(_PAGES):
            return IN_A_PAGE
    linked = any(link.href.casefold().startswith("http") for link in links)
    return BEHIND_A_LINK if linked or "http" in text.casefold() else ""


def _tells(sentence: str, kind: _Kind) -> bool:
    """Return whether a sentence says that something protected has come."""
    if kind.received.search(sentence) is not None:
        return kind.strong.search(sentence) is not None or kind.weak.search(sentence) is not None
    return _THERE_IS.search(sentence) is not None and kind.strong.search(sentence) is not None


def _is_accounted_for(notice_sentences: Sequence[str], kind: _Kind) -> bool:
    """Return whether nearly all sentences are about the message, its door, reader and makers.

    Names, greetings and headlines end in no stop and count for nothing; of addresses and cards,
    which may end in one, only what is written small counts. Beside a file, longer ones count.
    """
    other = every = 0
    for sentence in notice_sentences:
        size = sum(word[0].islower() for word in sentence.split())
        every += size
        if sentence.endswith("?") and not _QUESTION.search(sentence):
            return False
        whole = sentence.endswith(_ENDED) or (not kind.other_share and size >= LINE_WORDS)
        if whole and not (_tells(sentence, kind) or _ABOUT.search(sentence)):
            other += size
    return other * kind.other_share <= every if kind.other_share else not other
