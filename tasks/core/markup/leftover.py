"""Sentences that stand in the source of a page and come up nowhere else.

A parser drops what means nothing: attributes of end tags, attributes that are written twice, what
stands in a document type, a tag that never ends. Whoever reads the source reads it all the same.
Style sheets and documents inside addresses (`data:`, RFC 2397) are unpacked here as well.
"""

import base64
import binascii
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from urllib.parse import unquote

from data.records.core.parsed_mail import Hidden
from tasks.core.markup.bounds import without_tags
from tasks.core.markup.text_places import CONTEXT, TextPlaces
from tasks.core.patterns import compiled

PIECES = 100
"""Tags whose sentences are kept."""
CHARACTERS = 2_000
"""Characters of each."""
BEFORE = 2_000
"""Characters of the source before a place in which shown words are looked for."""
UNPACKED = 20_000
"""Characters of an address that are unpacked."""

_TAG = compiled(
    r"<[^<>]*?(\pL[\pL'-]*(?: \pL[\pL'-]*){5,}|[\p{Han}\p{Hiragana}\p{Katakana}]{8,})[^<>]*"
)
# Where no honest program writes words: behind the name in an end tag, in a tag that never ends.
_END_TAG = compiled(r"</[a-zA-Z][^<>\s]*\s[^<>]+")
_DOCTYPE = compiled(r"<![dD][oO][cC][^<>]+")
_USUAL_DOCTYPE = compiled(
    r"(?i)^<!doctype\s+\w*(?:\s+(?:public|system))?|[\"']\s*[-+]//[^\"']*[\"']"
)
_WORDS = compiled(r"\pL[\pL'-]*(?: \pL[\pL'-]*){2,}|\p{Han}{4,}")
_DATA = compiled(
    r"""(?i)"\s*data:([^"]+)"|'\s*data:([^']+)'|\(\s*data:([^()]+)\)|=\s*data:([^\s>"']+)"""
)
_TEXTS = ("text/", "image/svg+xml", "application/xhtml+xml", "application/xml")
_IMPORT = compiled(r"""(?i)@import\s+((?:url)?\(?\s*(?:"[^"]*"|'[^']*'|[^\s"';]+)\s*\)?)([^;]*)""")
_LAYERED = compiled(r"(?i)\blayer(?:\([^()]*\))?|\bsupports\((?:[^()]|\([^()]*\))*\)")
_LINKED = compiled(r"(?i)<link\b[^<>]*>")
_MEDIA = compiled(r"(?i)\smedia\s*=\s*[\"']?([^\"'>]*)")


def left_over(html: str, hidden: Sequence[Hidden], text: str) -> tuple[Hidden, ...]:
    """Return sentences of tags and of unpacked addresses that are not among what is hidden.

    `text` is what is seen, in which they get their places.
    """
    leftovers: list[Hidden] = []
    texts_known: str | None = None
    places = TextPlaces(text)
    for words, tag, start in chain(_long_in_tags(html), _short_in_odd_places(html, text)):
        if texts_known is None:
            texts_known = "\n".join(hidden_text.text for hidden_text in hidden)
        if words not in texts_known and len(leftovers) < PIECES:
            texts_known = f"{texts_known}\n{words}"
            words_left = " ".join(tag[1:].split())[:CHARACTERS]
            at = places.after(_shown_before(html, start))
            leftovers.append(Hidden(text=words_left, reason="markup", at=at))
    for kind, words_left, start in _unpack_addresses(html):
        words = words_left if kind == "text/css" else without_tags(words_left)
        if len(words.split()) > 2 and len(leftovers) < PIECES:
            words_left = " ".join(words.split())[:CHARACTERS]
            at = places.after(_shown_before(html, start))
            leftovers.append(Hidden(text=words_left, reason="data_address", at=at))
    return tuple(leftovers)


def _long_in_tags(html: str) -> Iterator[tuple[str, str, int]]:
    """Yield (words, tag, index in the source) of tags with six words in a row."""
    for match in _TAG.finditer(html):
        yield match.group(1), match.group(), match.start()


def _short_in_odd_places(html: str, text: str) -> Iterator[tuple[str, str, int]]:
    """Yield (words, tag, index) where three words in a row are odd enough, if nobody sees them."""
    unended = html.rfind("<")
    places = [(match.group(), match.start()) for match in islice(_END_TAG.finditer(html), PIECES)]
    places += [
        (_USUAL_DOCTYPE.sub(" ", match.group()), match.start())
        for match in islice(_DOCTYPE.finditer(html), PIECES)
    ]
    if unended >= 0 and ">" not in html[unended:]:
        places.append((html[unended : unended + CHARACTERS], unended))
    for quote in "\"'":  # one that is opened and never closed takes all the rest of the page
        last = html.rfind(quote)
        if last > 0 and html[last - 1] == "=":
            places.append((html[last : last + CHARACTERS], last))
    for tag, start in places:
        words = _WORDS.search(tag)
        if words and words.group() not in text:
            yield words.group(), tag, start


def _shown_before(html: str, start: int) -> str:
    """Return the words between the tags that stand before a place of the source."""
    before = html[max(0, start - BEFORE) : start]
    opened = before.rfind("<")
    whole = before if before.find(">", opened) >= 0 else before[: max(opened, 0)]
    first_end, first_tag = whole.find(">"), whole.find("<")
    if first_end >= 0 and (first_tag < 0 or first_end < first_tag):
        whole = whole[first_end + 1 :]  # begins in the middle of a tag
    return without_tags(whole)[-CONTEXT:]


def data_sheets(html: str) -> Iterator[tuple[str, str]]:
    """Yield (style sheet, media) of every sheet that is linked by an address holding it."""
    if "text/css" not in html.lower():
        return
    for link in _LINKED.findall(html)[:PIECES]:
        for kind, sheet_text, _ in _unpack_addresses(link):
            if kind == "text/css" and "stylesheet" in link.lower():
                media = _MEDIA.search(link)
                yield sheet_text, media.group(1) if media else ""


def imported_sheets(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield (style sheet, media) of every sheet that another imports by an address holding it."""
    if "@import" not in sheet.lower():
        return
    for match in islice(_IMPORT.finditer(sheet), PIECES):
        for kind, sheet_text, _ in _unpack_addresses(match.group(1)):
            if kind == "text/css":
                yield sheet_text, _LAYERED.sub(" ", match.group(2)).strip()


def _unpack_addresses(html: str) -> Iterator[tuple[str, str, int]]:
    """Yield (media type, content, index in the source) of addresses that hold text."""
    if "data:" not in html.lower():
        return
    for match in islice(_DATA.finditer(html), PIECES):
        head, _, content = next(filter(None, match.groups()))[:UNPACKED].partition(",")
        head, decoded_content = head.strip().lower(), unquote(content)
        if not head.startswith(_TEXTS):
            continue
        if head.endswith("base64"):
            try:
                octets = base64.b64decode(
                    decoded_content.rstrip("=") + "=" * (-len(decoded_content.rstrip("=")) % 4)
                )
            except (binascii.Error, ValueError):
                continue
            decoded_content = octets.decode("utf-8", "replace")
        yield head.partition(";")[0], decoded_content, match.start()
