"""The words of mail in the form in which they are searched: without case, accents and endings.

A run of characters between spaces is cut into parts wherever something else than a letter or a
digit stands, and where letters meet digits; so `KT-8841-B`, `KT8841B` and `kt 8841 b` are the same
three parts. Characters of scripts that put no spaces between words are parts of their own.
"""

import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

from data.word_forms import fold

LONGEST_RUN = 256
"""Characters of a run that are looked at; what is longer is no word."""
LONGEST_TOKEN = 36
"""Characters of a token; the index leaves out what has more than 40."""
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
)
_KEPT_BELOW = 0x3000
STEMMERS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "pl": "polish",
    "sv": "swedish",
    "da": "danish",
    "no": "norwegian",
    "ru": "russian",
}
"""The stemmer of each language; a document is in one of them, a query may be in any."""
_CUT_AGAIN = frozenset({"es", "pt", "it", "fr", "de"})
"""Languages whose stemmers cut some forms of a word once, and others twice."""
_VERB_ENDINGS = {"fr": "ent", "de": "ert"}
"""Endings of verbs that a stemmer leaves: *réparent*, *repariert*."""
_VERB = 6
"""Letters of the shortest word that may have one."""
_STEMMING = threading.Lock()
"""A stemmer serves one thread at a time."""
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
"""Letters that many keyboards lack, as their languages spell them without."""


class _Plain(dict[int, str | int | None]):
    """A table for `str.translate`: what cannot be seen goes, and letters that `fold` keeps."""

    def __missing__(self, code: int) -> int | None:
        kept_code = None if unicodedata.category(chr(code)) == "Cf" else code
        if code < _KEPT_BELOW:
            self[code] = kept_code
        return kept_code


_PLAIN = _Plain(
    {ord("ı"): "i", ord("æ"): "ae", ord("œ"): "oe", ord("þ"): "th", ord("ð"): "d", ord("ħ"): "h"}
)


@lru_cache(maxsize=1 << 16)
def parts_of(run: str) -> tuple[str, ...]:
    """Return the parts of a run of characters without spaces, folded."""
    return tuple(_cut_by_kind(fold(run[:LONGEST_RUN]).translate(_PLAIN)))


@lru_cache(maxsize=1 << 14)
def spelt_out(run: str) -> str:
    """Return a run with its umlauts spelt out (`Müller` as `mueller`), or as it is."""
    if run.isascii():
        return run
    composed = unicodedata.normalize("NFC", run.casefold())
    spelt = composed.translate(_SPELT_OUT)
    return run if spelt == composed else spelt


@lru_cache(maxsize=1 << 17)
def token_of(part: str, language: str) -> str:
    """Return the token of a part, or of several that were joined: its stem, bounded.

    The stemmers are those of the Snowball project; `language` is an ISO 639-1 code, and one
    without a stemmer counts as English. Stems of other languages than English bear their code,
    so that a German stem is not found in an English mail. A word in Cyrillic letters is taken for
    Russian. In some languages a stem is cut until nothing more can be: *reparar* becomes *repar*,
    and *reparan* *rep* at once.
    """
    if part[:1].isdigit():
        return part[:LONGEST_TOKEN]
    if "\u0400" <= part[:1] <= "\u04ff":
        language = "ru"
    with _STEMMING:
        stem = _stem(part, language)[:LONGEST_TOKEN]
    return stem if language in ("en", "ru") or language not in STEMMERS else f"{language}.{stem}"


def tokens_in_languages(parts: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the tokens of these parts in every language that a document may be in, each once."""
    written = (tuple(token_of(part, code) for part in parts) for code in STEMMERS)
    return tuple(dict.fromkeys(written))


def _stem(part: str, language: str) -> str:
    """Return the stem of a part; its caller has the stemmers to itself."""
    stemmer = _stemmer(language)
    ending = _VERB_ENDINGS.get(language, "-")
    stem = str(stemmer.stemWord(part))
    if stem == part and len(part) >= _VERB and part.endswith(ending):
        stem = part.removesuffix(ending)
    while language in _CUT_AGAIN and len(shorter := str(stemmer.stemWord(stem))) < len(stem):
        stem = shorter
    return stem


@lru_cache(maxsize=len(STEMMERS) + 1)
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(STEMMERS.get(language, STEMMERS["en"]))


def _cut_by_kind(text: str) -> Iterator[str]:
    kind, begun = "", 0
    for place, letter in enumerate(text):
        now = _kind(letter)
        if now != kind or now == "o":
            if kind:
                yield text[begun:place]
            kind, begun = now, place
    if kind:
        yield text[begun:]


def _kind(letter: str) -> str:
    """Return `a` for a letter, `1` for a digit, `o` for one that stands alone, else nothing."""
    if letter.isascii():
        return "a" if letter.isalpha() else "1" if letter.isdigit() else ""
    code = ord(letter)
    if any(first <= code <= last for first, last in _UNSPACED) and letter.isalnum():
        return "o"
    return {"L": "a", "N": "1"}.get(unicodedata.category(letter)[0], "")
