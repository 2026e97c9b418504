"""Characters that draw nothing or hide letters from programs (UTR 36).

Emoji flags use tag characters, joiners belong to emoji and to Arabic and Indic scripts, and
newsletters pad their preview with joiners: these are told apart by what stands around them.
"""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer
from tasks.core.patterns import compiled
from tasks.core.screen.combinations import PLACE_WEIGHT
from tasks.core.screen.disguises.masked_words import SPACED, tag_text
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.scanned import Text

_FLAG = compiled(r"\x{1F3F4}[\x{E0030}-\x{E007A}]{2,7}\x{E007F}")
_IN_WORD = compiled(r"[A-Za-z][\x{200B}\x{200C}\x{200D}\x{2060}\x{FEFF}\x{180E}\x{034F}]+[A-Za-z]")
_OVERRIDE = compiled(r"[\x{202D}\x{202E}]")
_ISOLATE = compiled(r"[\x{2066}-\x{2068}\x{202A}\x{202B}]")
_RTL = compiled(r"[\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}]")
_SELECTORS = compiled(r"[\x{FE00}-\x{FE0F}\x{E0100}-\x{E01EF}]{4,}")
_BITS = compiled(r"[\x{200B}\x{200C}\x{200D}\x{2060}\x{2062}\x{2063}\x{2064}]{16,}")
_APART = compiled(r"(?:\pL[ \x{A0}._*\-]{1,3}){15,}\pL")
_HYPHENATED = compiled(r"(?:\pL\x{AD}){3,}\pL")
_WIDE = compiled(r"[\x{FF21}-\x{FF3A}\x{FF41}-\x{FF5A}]+")
_IDEOGRAPHS = compiled(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
_DISGUISE = 0.4
"""It flags by itself and stops nothing."""
_WORDS, _LETTERS, _VARIOUS = 3, 24, 6
"""Words, letters, and different letters from which a disguise is no ornament."""
_FILLER = compiled(r"[\x{3164}\x{115F}\x{1160}\x{FFA0}]{2,}")


def look(views: Views) -> Iterator[Find]:
    """Find invisible and disguised writing in every place."""
    for text in views.plain:
        for name, score in (*_disguises(text), *(() if text.text.isascii() else _signs(text))):
            weight = min(1.0, PLACE_WEIGHT.get(text.place, 1.0))
            yield Find(text.place, name, score * weight)


def _disguises(text: Text) -> Iterator[tuple[str, float]]:
    """Yield (what was found, score) for sentences in letters that programs do not read as such.

    That holds in every language, known to the rules or not: nobody writes a sentence so by habit.
    Headlines in capitals are spaced, hyphenation parts syllables, and letters of full width stand
    among ideographs.
    """
    if text.signs & SPACED and any(map(_is_sentence, _APART.findall(text.text))):
        yield "a sentence with its letters apart", _DISGUISE
    if text.text.isascii():
        return
    words = sum(1 for _, _ in zip(_HYPHENATED.finditer(text.text), range(50), strict=False))
    if words >= _WORDS:
        yield f"soft hyphens between the letters of {words} words", _DISGUISE
    wide = sum(map(len, _WIDE.findall(text.text)))
    if wide >= _LETTERS and wide > len(_IDEOGRAPHS.findall(text.text)):
        yield "sentences in letters of full width", _DISGUISE


def _is_sentence(spaced: str) -> bool:
    """Whether letters that stand apart are of a sentence: no headline, alphabet or row of marks."""
    letters = [letter for letter in spaced if letter.isalpha()]
    small = sum(map(str.islower, letters))
    various = len(set(map(str.lower, letters))) >= _VARIOUS
    return 2 * small > len(letters) and various and letters != sorted(letters)


def _signs(text: Text) -> Iterator[tuple[str, float]]:
    """Yield (what was found, score)."""
    spelled = tag_text(_FLAG.sub("", text.text))
    if spelled:
        yield f"tag characters spell: {spelled[:150]}", 0.85 if len(spelled) > 3 else 0.4
    split = sum(1 for _, _ in zip(_IN_WORD.finditer(text.text), range(50), strict=False))
    if split >= 2:
        yield f"zero-width characters inside {split} words", min(0.75, 0.2 + 0.08 * split)
    if _OVERRIDE.search(text.text) is not None:
        yield "bidi override characters", 0.5
    elif _ISOLATE.search(text.text) is not None and _RTL.search(text.text) is None:
        yield "bidi controls without right-to-left text", 0.2
    if _SELECTORS.search(text.text) is not None:
        yield "a run of variation selectors", 0.75
    bits = _BITS.search(text.text)
    if bits is not None and len(set(bits.group())) > 1:
        # padding repeats a fixed group; a message in bits does not
        score = 0.25 if _periodic(bits.group()) else 0.6
        yield "a run of zero-width characters", score
    if _FILLER.search(text.text) is not None:
        yield "letters that draw nothing", 0.3


def _periodic(run: str) -> bool:
    return any(run == (run[:size] * len(run))[: len(run)] for size in range(1, 7))


RULE = ScreenRule(
    name="concealment_characters",
    sentence="Writes with characters that a reader does not see, or in letters that hide it.",
    technique="encoding_evasion",
    layer=FilterLayer.SMUGGLING,
    severity=0.9,
    look=look,
)
