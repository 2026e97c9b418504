"""The charset that octets are most likely written in, by the letters that they would be.

That a charset fits says little: GB 18030, KOI8-R and Windows-1252 read nearly any octets. Under the
right one a text is in letters that are usual where it is used, and capitals come first; under a
wrong one it is not. So each reading costs what its letters are unlikely (in nats, by
`data/lexicons/reading/letters.yaml`), and the cheapest is the likeliest.
"""

import math
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from data.byte_patterns import octet_pattern
from data.word_forms import strip_accents
from tasks.core.parse.japanese import decode_japanese
from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import lexicon

LOOKED_AT = 3_000
"""Octets of words beyond ASCII that are judged; more tell nothing new."""
POOR = 3.75
"""Nats for an octet up to which a stated reading is plausible; ordinary text costs 2.5 to 3.6."""
BETTER, BETTER_NEAR, BETTER_FAR = 0.6, 8.0, 14.0
"""Nats by which another one must be likelier: for an octet, and in all, of one region or not."""

BETTER_LATIN, LEAST_LATIN, LATIN_LETTERS = 1.4, 7.0, 2
"""The same among codecs of Latin letters: for each letter that changes, in all; how many must."""
LETTERS = 3
"""Different usual letters that another reading must have."""

_WORDS = octet_pattern(rb"[^\x00-\x20]*[\x80-\xff][^\x00-\x20]*")
_TURNED = compiled(r"\p{Ll}\p{Lu}")
_SMALL = compiled(r"[^\x00-\x7f\P{Ll}]")
_TONED = compiled(r"(?i)[\x{300}-\x{323}](?s:.)*[đươ]|[đươ](?s:.)*[\x{300}-\x{323}]")
"""A tone's mark and a letter of Vietnamese alone; Italian and Icelandic have octets of one each."""
_BEHIND = compiled(r"\pL[¹¼½¾¿¡±¶¦¨¬]|\pL³\pL|[³±¼¶]\pL")
_CAPITALS = compiled(r"[^\x00-\x7f\P{Lu}]")
_TOGETHER = compiled(r"[\x{80}-\x{10ffff}]{3,}|[\x{3000}-\x{ffff}]{2,}")
_MIXED = compiled(
    r"[A-Za-z][^\x00-\x7f\P{L}]|[^\x00-\x7f\P{L}][A-Za-z]|"
    r"[\x{c0}-\x{24f}]\p{Arabic}|\p{Arabic}[\x{c0}-\x{24f}]"
)
_LATIN_LETTER, _FOREIGN_LETTER, _ASCII_SIGN = 2.9, 4.5, 3.5
_RARE_LETTER, _SIGN, _NO_LETTER = 9.0, 10.0, 14.0
_ODD_LETTER, _ODD_SIGN = 7.0, 5.5
"""The same for letters and signs of other places under the codec that is stated."""
_TURN, _MIX, _CAPITAL = 4.0, 3.0, 0.8
_SAME_REGION, _OTHER_REGION = 4.0, 8.0
"""Nats that a reading which nothing names costs: of the region that is named, or of another."""
_SELDOM = 2.0
"""Nats that a codec which is seldom met costs beside the usual one of its region."""
_USUAL = frozenset({
    "cp1252", "cp1250", "cp1254", "cp1257", "cp1258", "cp1251", "cp1253", "cp1255", "cp1256",
    "cp874", "gb18030", "big5hkscs",
    "cp932", "cp949",
})  # fmt: skip


@dataclass(frozen=True)
class _Region:
    """Where texts are written in some codecs, and with which letters."""

    usual: dict[str, float]
    """Nats for each usual letter, of any language."""
    languages: tuple[dict[str, float], ...]
    """The same for each language apart."""
    pairs: frozenset[str]
    """Two letters that often stand beside each other; empty where they are not looked at."""
    scripts: tuple[str, ...]
    """Beginnings of the Unicode names of its letters."""


_CODECS = {
    "western": ("cp1252", "iso8859-1", "iso8859-15"),
    "central": ("cp1250", "iso8859-2"),
    "baltic": ("cp1257", "iso8859-13", "iso8859-4"),
    "turkish": ("cp1254", "iso8859-9"),
    "vietnamese": ("cp1258",),
    "cyrillic": ("cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp866", "mac-cyrillic"),
    "greek": ("cp1253", "iso8859-7"),
    "hebrew": ("cp1255", "iso8859-8"),
    "arabic": ("cp1256", "iso8859-6"),
    "thai": ("cp874",),
    "simplified": ("gb18030",),
    "traditional": ("big5hkscs",),
    "japanese": ("cp932", "euc_jp"),
    "korean": ("cp949",),
}
_REGION_OF = {codec: region for region, codecs in _CODECS.items() for codec in codecs} | {
    "iso2022_jp": "japanese",
    "iso2022_kr": "korean",
    "hz": "simplified",
    "cp950": "traditional",
}
_FIRST = {
    "western": 5.0, "central": 5.0, "baltic": 5.0, "turkish": 4.6, "vietnamese": 4.6,
    "cyrillic": 2.2, "greek": 2.2, "hebrew": 2.3, "arabic": 2.3,
    "thai": 2.4,
}  # fmt: skip
"""Nats for the most usual letter of an alphabet; beyond ASCII, Latin letters are few."""
_BY_RANK, _BY_RANK_THAI = 0.09, 0.05
"""Nats more for each rank; Thai has twice as many letters."""
_LISTS = {
    "simplified": ("han_simplified", "han_both"),
    "traditional": ("han_traditional", "han_both"),
    "japanese": ("kana", "han_japanese"),
    "korean": ("hangul",),
}
_LANGUAGES = {
    "western": ("western", "italian", "danish", "portuguese", "icelandic"),
    "central": ("polish", "czech", "croatian", "hungarian", "romanian"),
    "baltic": ("lithuanian", "latvian", "estonian"),
}
"""The lists of letters of a region whose languages do not share them; a text is in one of them."""
_HALVED = frozenset({"arabic"})
"""Alphabets of two codecs that have the letters of one half at the same places."""
_PAIRED = ("cyrillic", "greek")
"""Alphabets whose codecs turn one text into ordinary letters of another."""
_PAIR, _NO_PAIR = -0.8, 0.5
"""Nats for two letters beside each other that often stand so, and for others."""
_ALL_CAPITALS = 8.0
"""Nats that a text costs at most for being in capitals alone."""
_INSIDE = 5.0
"""Nats for a sign right behind a letter, where a wrong codec puts it."""
_SCRIPTS = {
    "western": ("LATIN",), "central": ("LATIN",), "baltic": ("LATIN",), "turkish": ("LATIN",),
    "vietnamese": ("LATIN", "COMBINING"),
    "cyrillic": ("CYRILLIC",), "greek": ("GREEK",),
    "hebrew": ("HEBREW",), "arabic": ("ARABIC",), "thai": ("THAI",), "simplified": ("CJK",),
    "traditional": ("CJK",), "japanese": ("CJK", "HIRAGANA", "KATAKANA"), "korean": ("HANGUL",),
}  # fmt: skip


def likeliest(octets: bytes, stated: str | None) -> str | None:
    """Return the likeliest codec for octets of which nothing is stated, or None for none.

    `stated` is the codec that the mail states elsewhere, the likeliest where it reads them.
    """
    near = _REGION_OF.get(stated or "")
    sample = _sample(octets)
    best, least = None, math.inf
    for codec, region in _candidates():
        cost = _cost(sample, codec)
        if codec != stated:
            cost += _SAME_REGION if region == near or codec == "cp1252" else _OTHER_REGION
            cost += 0.0 if codec in _USUAL else _SELDOM
        if cost < least:
            best, least = codec, cost
    return best


def plausible(octets: bytes) -> str | None:
    """Return the likeliest codec if octets read as ordinary text under it, else None."""
    codec = likeliest(octets, None)
    sample = _sample(octets)
    return codec if codec and _cost(sample, codec) <= POOR * len(sample) else None


def plainly_other(octets: bytes, stated: str) -> str | None:
    """Return the codec that a text plainly is in instead of the stated one, or None.

    Only where the stated reading is implausible, and another is plausible and much likelier.
    """
    if stated not in _REGION_OF:
        return None
    sample = _sample(octets)
    if not sample:
        return None
    cost = _cost(sample, stated, stated=True)
    if _REGION_OF[stated] in _HALVED and (half := _other_half(sample, stated, cost)):
        return half
    if cost == math.inf:
        return None
    if cost <= POOR * len(sample):
        return _other_latin(sample, stated, cost) if _is_latin(stated) else None
    other = likeliest(octets, stated)
    if other is None or other == stated:
        return None
    gain = cost - _cost(sample, other)
    near = _REGION_OF[other] == _REGION_OF[stated]
    least = max(BETTER * len(sample), BETTER_NEAR if near else BETTER_FAR)
    return other if gain >= least and _is_words(sample, other, stated) else None


def _other_half(sample: bytes, stated: str, cost: float) -> str | None:
    """Return the other one of two codecs that share half an alphabet, where it is plainly that.

    `cost` are the nats under the stated one, which reads the text in ordinary letters for the most
    part, or not all of it.
    """
    other = next(codec for codec in _CODECS[_REGION_OF[stated]] if codec != stated)
    other_cost = _cost(sample, other)
    plain = cost - other_cost >= max(BETTER_NEAR, BETTER * len(sample))
    plain = plain and other_cost <= POOR * len(sample)
    return other if plain and _is_words(sample, other, stated) else None


def _other_latin(sample: bytes, stated: str, cost: float) -> str | None:
    """Return the codec of Latin letters that words are plainly in instead of the stated one.

    Most letters of such words are ASCII and say nothing; so those that the two read differently
    decide. `cost` are the nats under the stated one.
    """
    codecs = [codec for codec, _ in _candidates() if _is_latin(codec) and codec != stated]
    costs = {codec: _cost(sample, codec) + (codec not in _USUAL) * _SELDOM for codec in codecs}
    other = min(costs, key=costs.__getitem__)
    before, after = _read(sample, stated), _read(sample, other)
    if before is None or after is None:
        return None
    changed = [new for old, new in zip(before, after, strict=False) if old != new]
    decided = len(set(changed)) >= LATIN_LETTERS and all(_is_letter(letter) for letter in changed)
    gain = cost - costs[other]
    plain = decided and gain >= max(LEAST_LATIN, BETTER_LATIN * len(changed))
    return other if plain and _is_words(sample, other, stated) else None


def _is_latin(codec: str) -> bool:
    return "LATIN" in _SCRIPTS[_REGION_OF[codec]]


def _is_letter(letter: str) -> bool:
    """Whether it is a letter, or a mark that is part of one."""
    return letter.isalpha() or unicodedata.category(letter)[0] == "M"


@cache
def _candidates() -> tuple[tuple[str, str], ...]:
    """Return every codec with its region; what only names another's subset is left out."""
    subsets = ("iso8859-1", "iso8859-15", "iso8859-13", "koi8-r")
    pairs = ((codec, region) for region, codecs in _CODECS.items() for codec in codecs)
    return tuple((codec, region) for codec, region in pairs if codec not in subsets)


def _sample(octets: bytes) -> bytes:
    """Return the words that hold octets beyond ASCII, rows of one octet cut to two."""
    words: list[bytes] = []
    length = 0
    for match in _WORDS.finditer(octets):
        word = match.group()
        if len(set(word)) * 8 >= len(word):  # no line that is drawn with letters
            words.append(word)
            length += len(word) + 1
        if length > LOOKED_AT:
            break
    return b" ".join(words)


def _is_words(sample: bytes, codec: str, stated: str) -> bool:
    """Whether a reading is words of its region: usual letters, beside each other, and no mixture.

    Signs and single letters between those of ASCII become letters under many codecs.
    """
    region = _regions()[_REGION_OF[codec]]
    text = (_read(sample, codec) or "").lower()
    beyond = [letter for letter in text if not letter.isascii()]
    usual = [
        letter
        for letter in beyond
        if letter in region.usual and unicodedata.category(letter)[0] in "LM"
    ]
    if len(set(usual)) < LETTERS or len(usual) * 3 < len(beyond) * 2:
        return False
    if "LATIN" in region.scripts:
        return _REGION_OF[stated] not in _LISTS
    together = sum(len(row) for row in _TOGETHER.findall(text))
    latin = sum(letter.isascii() and letter.isalpha() for letter in text)
    return together * 3 >= len(beyond) * 2 and latin <= len(beyond)


def _read(sample: bytes, codec: str) -> str | None:
    """Return the words under a codec, or None when it does not read them."""
    try:
        return sample.decode(codec)
    except (UnicodeError, ValueError):
        return decode_japanese(sample, codec)


def _cost(sample: bytes, codec: str, *, stated: bool = False) -> float:
    """Return the nats of words under a codec, infinite when it does not read them."""
    text = _read(sample, codec)
    if text is None:
        return math.inf
    if codec == "cp1258" and not _TONED.search(text):
        return math.inf
    region_name = _REGION_OF[codec]
    region = _regions()[region_name]
    letters = Counter(text)
    cost = min(
        sum(
            count * _letter_cost(letter, region_name, language, stated)
            for letter, count in letters.items()
        )
        for language in range(len(region.languages))
    )
    cost += _TURN * len(_TURNED.findall(text)) + _INSIDE * len(_BEHIND.findall(text))
    capitals = _CAPITAL * len(_CAPITALS.findall(text))
    cost += capitals if _SMALL.search(text) else min(capitals, _ALL_CAPITALS)
    alphabet = region_name in _FIRST and "LATIN" not in region.scripts
    cost += _pair_cost(text, region) if region.pairs else 0.0
    return cost + (_MIX * len(_MIXED.findall(text)) if alphabet else 0.0)


def _pair_cost(text: str, region: _Region) -> float:
    """Return the nats of the letters that stand beside each other, in any case and accent."""
    folded = strip_accents(text.lower())
    pairs = Counter(
        before + letter for before, letter in pairwise(folded) if before > "\x7f" < letter
    )
    usual = sum(count for pair, count in pairs.items() if pair in region.pairs)
    return _PAIR * usual + _NO_PAIR * (pairs.total() - usual)


@lru_cache(maxsize=20_000)
def _letter_cost(letter: str, region_name: str, language: int, stated: bool) -> float:
    """Return the nats of one letter in texts of a region's language."""
    region = _regions()[region_name]
    if letter.isascii():
        if letter == " ":
            return 0.0
        if not letter.isalpha():
            return _ASCII_SIGN if letter.isprintable() else _NO_LETTER
        return _LATIN_LETTER if "LATIN" in region.scripts else _FOREIGN_LETTER
    usual = region.languages[language]
    cost = usual.get(letter) or usual.get(letter.lower())
    if cost is not None:
        return cost
    kind = unicodedata.category(letter)
    if kind[0] == "L" and unicodedata.name(letter, "").startswith(region.scripts):
        return _RARE_LETTER
    if kind[0] == "C":
        return _NO_LETTER
    odd = _ODD_LETTER if letter.isalpha() else _ODD_SIGN
    return odd if stated else _SIGN


@cache
def _regions() -> dict[str, _Region]:
    """Return the regions by name."""
    letters = lexicon("letters")
    regions = {}
    for name in _CODECS:
        if name in _FIRST:
            step = _BY_RANK_THAI if name == "thai" else _BY_RANK
            languages = tuple(
                {letter: _FIRST[name] + step * rank for rank, letter in enumerate(row)}
                for row in (str(letters[key]) for key in _LANGUAGES.get(name, (name,)))
            )
        else:
            lists = [str(letters[key]) for key in _LISTS[name]]
            usual = dict.fromkeys(str(letters["punctuation"]), 7.0)
            usual |= dict.fromkeys("".join(lists), 6.8)
            usual |= dict.fromkeys(lists[0], 6.2)
            languages = (usual,)
        pairs = str(letters[f"pairs_{name}"]).split() if name in _PAIRED else []
        every = {letter: nats for row in languages for letter, nats in row.items()}
        regions[name] = _Region(
            every, languages, frozenset(map(strip_accents, pairs)), _SCRIPTS[name]
        )
    return regions
