"""Every form in which a text may hide another: disguised, in a code, or in disorder."""

from collections.abc import Iterator
from functools import lru_cache

from data.records.core.screening import MessagePlace
from tasks.core.screen.disguises.acrostics import acrostics
from tasks.core.screen.disguises.ciphers import cipher_signs, turned
from tasks.core.screen.disguises.codes import CODED, decoded
from tasks.core.screen.disguises.cut_words import uncut
from tasks.core.screen.disguises.disguise_names import ALL, Disguises
from tasks.core.screen.disguises.joining import undisguised
from tasks.core.screen.disguises.masked_words import MASKED
from tasks.core.screen.disguises.misspelt import respelled
from tasks.core.screen.disguises.scrambled import unscrambled
from tasks.core.screen.words.folding import keep_visible, undo_presentation
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.scanned import Text
from tasks.core.screen.words.vocabulary import vocabulary

_DECODED_AT_MOST = 200_000
"""Characters of a place in which codes are looked for, at its two ends."""
_SHORTEST_CODED = 20


def forms(text: Text, undone: Disguises = ALL) -> Iterator[Text]:
    """Yield the text as it came, and the other texts it may hide by disguises that are `undone`."""
    yield text
    cipher_signs()  # registers with the gate, so it comes before any signs
    hidden = (
        _short_hidden(text.text, text.signs, undone) if text.short else _hidden_in(text, undone)
    )
    for form, other in hidden:
        yield Text(text.place, other, form, text.note)


@lru_cache(maxsize=4096)
def _short_hidden(text: str, signs: int, undone: Disguises) -> tuple[tuple[str, str], ...]:
    """Return what `_hidden_in` yields for a short text with these signs, wherever it stands.

    Names, headers and footers come again with every message of a sender.
    """
    source = Text(MessagePlace.BODY, text)
    source.know(signs)
    return tuple(_hidden_in(source, undone))


def _hidden_in(source: Text, undone: Disguises) -> Iterator[tuple[str, str]]:
    """Yield (form, text) for what is disguised or in a code in a text."""
    text, signs = source.text, source.signs
    for form, other in undisguised(text, signs, undone):
        yield form, other
        if (
            "ciphers" in undone
            and signs & MASKED
            and (below := GATE.signs(other)) & cipher_signs().any
        ):
            yield from turned(other, below)
    if len(text) < _SHORTEST_CODED:
        return
    yield from _put_right(source, undone)
    window = undo_presentation(keep_visible(ends(text, _DECODED_AT_MOST)))
    if window is not text:
        signs = GATE.signs(window)
    if signs & (CODED | cipher_signs().any):
        yield from decoded(window, signs, undone)


def _put_right(source: Text, undone: Disguises) -> Iterator[tuple[str, str]]:
    """Yield (form, text) with the words of orders put right, or put together."""
    text, spotted, signs = source.text, source.spotted, source.signs
    disorder = "scrambled" in undone and spotted.mask & vocabulary().disorder
    if disorder and (ordered := unscrambled(text)):
        yield "unmasked", ordered
    if "misspelt" in undone and (respelt := respelled(text, spotted.words)):
        yield "respelt", respelt
    if "cut_words" in undone and (whole := uncut(text, spotted, signs)):
        yield "unmasked", whole
    if "acrostics" in undone:
        yield from acrostics(text, spotted.mask)
