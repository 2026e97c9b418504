"""Words and sentences of untrusted text, language-light: what embedding, answers and check share.

No dictionary is needed: words are folded (no case, no accents), cut to a light stem by common
endings of the eight drafting languages, and mapped to a concept where the lexicon knows one.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from unicodedata import category

from data.lexicons.drafting import LANGUAGES, concept_stems, phrases, shared_words, stop_words
from data.word_forms import fold as fold
from data.word_forms import stem as stem
from tasks.core.patterns import compiled

_WORD = compiled(r"[\p{L}\p{N}]+(?:'[\p{L}]+)?")
_BREAK = compiled(r"[.!?…]+[\"'”»)\]]*\s+|[。！？]+")
_LINE_START = compiled(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_LINE_BEGINS = frozenset("-*•–0123456789")
_ABBREVIATIONS = frozenset(shared_words("abbreviations"))

_COUNTING = frozenset(shared_words("counting"))
"""Short forms before a number: *order no. 4711*; elsewhere the stop behind them ends a sentence."""
_LONGEST_ABBREVIATION = 12
_UNITS = ("h", "m", "g", "l", "t")
"""Units of one letter, which are no initials."""


_KEPT_BELOW = 0x3000
"""Letters whose answer is remembered: the alphabets; no mail can make the table large."""


class _Apart(dict[int, int]):
    """A table for `str.translate`: letters, digits and apostrophes stay, the rest parts words."""

    def __missing__(self, code: int) -> int:
        letter = chr(code)
        mapped = 39 if letter == "’" else code if letter.isalnum() or letter == "'" else 32
        if code < _KEPT_BELOW:
            self[code] = mapped
        return mapped


_APART = _Apart()


class _WholeApart(dict[int, int]):
    """A table for `str.translate`: letters, their marks and digits stay, the rest parts words."""

    def __missing__(self, code: int) -> int:
        mapped = code if category(chr(code))[0] in "LMN" else 32
        if code < _KEPT_BELOW:
            self[code] = mapped
        return mapped


_WHOLE_APART = _WholeApart()


def single_spaced(text: str) -> str:
    """Return `text` with one blank in the place of each run of blanks and line ends."""
    return " ".join(text.split())


def squeeze(text: str) -> str:
    """Return `text` with single spaces and without a list mark at its start."""
    return " ".join(text.split()).lstrip("-*•– ").rstrip()


def beginning_of(text: str, longest: int) -> str:
    """Return a text on one line, of at most `longest` characters; cut behind a word, and so marked.

    A single word that is longer is cut within.
    """
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    whole = cut[: cut.rfind(" ")] if " " in cut[longest // 2 :] else cut[:-1]
    return f"{whole.rstrip()} …"


def whole_words(text: str) -> list[str]:
    """Return the words of `text` as written, with their marks, digits among them."""
    return text.translate(_WHOLE_APART).split()


def words(text: str) -> list[str]:
    """Return the folded words of `text`, in order; digits count as words.

    Words are cut by a table, many times faster than by a pattern; only a word with an apostrophe
    is looked at more closely.
    """
    words_read: list[str] = []
    for word in fold(text).translate(_APART).split():
        if "'" in word:
            words_read += _WORD.findall(word)
        else:
            words_read.append(word)
    return words_read


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    """Return the stop words of all languages, folded."""
    return frozenset(fold(word) for word in stop_words())


def is_stop_word(word: str) -> bool:
    """Return whether a folded word carries no topic in one of the drafting languages."""
    return word in _stop_words() or (len(word) == 1 and not word.isdigit())


def bears_topic(written: str) -> bool:
    """Return whether a word carries a topic as it is written, with its accents.

    *Thé* is no article, though it folds to one; *très* is a stop word, accent and all.
    """
    plain = written.casefold()
    if not is_stop_word(fold(plain)):
        return True
    return plain != fold(plain) and plain not in stop_words()


@lru_cache(maxsize=65536)
def concept(word: str) -> str | None:
    """Return the concept that a folded word belongs to, or None."""
    stems = concept_stems()
    for length in range(len(word), 3, -1):
        if (name_of_concept := stems.get(word[:length])) is not None:
            return name_of_concept
    return stems.get(word) if len(word) <= 3 else None


def terms(text: str) -> list[str]:
    """Return the topic-bearing terms of `text`: a concept where known, a light stem otherwise."""
    return terms_among(words(text))


def terms_among(folded_words: Sequence[str]) -> list[str]:
    """Return the topic-bearing terms among folded words, in order."""
    return [term_of(word) for word in folded_words if not is_stop_word(word)]


def distinct_terms(folded_words: Sequence[str]) -> frozenset[str]:
    """Return the topic-bearing terms among folded words, each once."""
    return frozenset(terms_among(folded_words))


@lru_cache(maxsize=65536)
def term_of(word: str) -> str:
    """Return the concept of a folded word as `#concept`, or its stem."""
    name_of_concept = concept(word)
    return f"#{name_of_concept}" if name_of_concept else stem(word)


def sentences(text: str) -> list[str]:
    """Return the sentences of `text` as written, list items and paragraphs apart."""
    sentences_cut: list[str] = []
    for block in _blocks(text):
        start = 0
        for match in _BREAK.finditer(block):
            before = block[max(start, match.start() - _LONGEST_ABBREVIATION) : match.start()]
            after = block[match.end() : match.end() + 12]
            if (_is_open(before) and not _is_unit(before, after)) or _is_day(before, after):
                continue
            if after[:1].isdigit() and _counts(before):
                continue
            sentences_cut.append(block[start : match.end()])
            start = match.end()
        sentences_cut.append(block[start:])
    return [" ".join(sentence.split()) for sentence in sentences_cut if sentence.strip()]


def without_mark(sentence: str) -> str:
    """Return a sentence without the mark of a list before it: *1)*, *-*."""
    mark = _LINE_START.match(sentence) if sentence[:1] in _LINE_BEGINS else None
    return sentence[mark.end() :] if mark else sentence


@lru_cache(maxsize=4096)
def statements(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that are no questions; knowledge comes up again and again.

    What begins with a small letter goes on: the stop before it ended a short form (`USt-IdNr.`).
    """
    statements_read: list[str] = []
    for sentence in sentences(text):
        if (
            statements_read
            and sentence[:1].islower()
            and not statements_read[-1].endswith(("?", "!"))
        ):
            statements_read[-1] += f" {sentence}"
        else:
            statements_read.append(sentence)
    return tuple(sentence for sentence in statements_read if not sentence.endswith("?"))


def _blocks(text: str) -> list[str]:
    """Return paragraphs and list items; lines of one paragraph are joined."""
    blocks: list[str] = []
    fresh = True
    for line in text.splitlines():
        if not line.strip():
            fresh = True
        elif fresh or (line.lstrip()[0] in _LINE_BEGINS and _LINE_START.match(line)):
            blocks.append(line.strip())
            fresh = False
        else:
            blocks[-1] += " " + line.strip()
    return blocks


def _is_day(before: str, after: str) -> bool:
    """Return whether a stop makes a day of a number, as in `3. Mai`."""
    last, following = before.split()[-1:], words(after)[:1]
    return bool(last and last[0].isdigit() and following and following[0] in months())


@lru_cache(maxsize=1)
def months() -> Mapping[str, int]:
    """Return the number of each month by its folded name, in all drafting languages."""
    table: dict[str, int] = {}
    for code in LANGUAGES:
        for place, word in enumerate(phrases(code).months, start=1):
            table.setdefault(fold(word), place)
    return table


def _counts(before: str) -> bool:
    """Return whether what stands before a stop and a number is a short form such as *no*."""
    last = before.split()[-1:]
    return bool(last) and last[0].lower().lstrip("([\"'") in _COUNTING


def _is_unit(before: str, after: str) -> bool:
    """Return whether a sentence ends in a unit of one letter, as *à 17 h. Il est fermé*."""
    last = before.split()[-2:]
    counted = len(last) > 1 and last[0][-1].isdigit() and last[1] in _UNITS
    return counted and after[:1].isupper()


def _is_open(text: str) -> bool:
    """Return whether `text` cannot end here: an abbreviation, an initial, a list number."""
    if len(text) <= 2 and text.isdigit():
        return True
    last = text.split()[-1].lower().lstrip("([\"'") if text.split() else ""
    return last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha())
