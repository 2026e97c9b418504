"""Words that stand one by one: in the rows of a table, in a list, in cells, between marks.

A reader puts them together, and so does a model. What they are put together to is read besides;
where the rows have numbers, in the order of these.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from tasks.core.patterns import compiled
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.gate import GATE
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.order_words import IDEOGRAPHS, ORDER_CONCEPTS
from tasks.core.screen.words.spotting import mask_of, mask_within

_CHARACTERS = 32_000
"""Characters of a text that are looked at, at its two ends."""
_FEWEST = 6
"""Words of a row, and numbers of rows."""
_FEWEST_CONCEPTS, _DONE = 2, "override|exfiltrate|leak|conceal|task_switch|obey_me"
"""Concepts that the words of an order are about, and of which one must be."""
_SHORTEST = 4
"""Letters of a longer word."""
_DIFFERENT = 0.85
"""Share of longer words that stand there once; what programs write repeats itself."""
_FREQUENT = 3
"""A word that is one of so many in a row tells nothing: *a*, in *a = "ignore"*, *a = "all"*."""
_MARK = r"[^\pL\s\d,.'\x{2019}@:/\-=&_%?+#]|[=?][ \"]"
"""One that is met neither within sentences nor in links."""
_GAP = rf"(?:[^\pL\n]*\n[^\pL]*|[ \t\d]*(?:{_MARK})[^\pL]*|\.\.[^\pL]*)"
"""The end of a line, a mark, or several dots."""
_ROW_SIGN = GATE.watch(compiled(rf"\pL(?:{_GAP}\pL+){{5}}"), kind="rows")
_MARKS = str.maketrans(dict.fromkeys('!"$()*;<>[\\]^`{|}~•·●▪→⇒»«“”…；、｜', "\n"))
"""The usual ones of these."""
_BESIDE = " \t\r0123456789,.'\N{RIGHT SINGLE QUOTATION MARK}@:/-=&_%?+#"
"""What may stand in a cell beside its word."""
_WORD = r"\pL+(?:['\x{2019}]\pL+)?"
_NUMBERED = compiled(rf"\b(\d{{1,3}})[^\pL\d\n]{{1,6}}({_WORD})")
_NUMBERED_SIGN = GATE.watch(
    compiled(r"(?:\b\d{1,3}[^\pL\d\n]{1,6}\pL{1,24}[^\pL\d]{1,6}){5}"), kind="numbers"
)
ROWS = _ROW_SIGN | _NUMBERED_SIGN
"""Sign of a text that may have words in rows."""


def in_rows(text: str, concepts: int, signs: int) -> Iterator[str]:
    """Yield what the words of each kind of rows of `text` say.

    `concepts` are those of all its words, and `signs` are `GATE`'s.
    """
    if not (signs & ROWS and _of_orders(concepts)):
        return
    text = ends(text, _CHARACTERS)
    if signs & _ROW_SIGN:
        rows = map(_telling, _rows(text))
        if rows_text := "\n\n".join(" ".join(row) for row in rows if _may_order(row)):
            yield rows_text
    if signs & _NUMBERED_SIGN:
        numbered = {int(number): word for number, word in reversed(_NUMBERED.findall(text))}
        row = [numbered[number] for number in sorted(numbered)]
        if _may_order(row):
            yield " ".join(row)


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the words of cells that stand one after the other and have one word each."""
    row: list[str] = []
    for between in ("..", "= ", "? "):
        text = text.replace(between, "\n")
    for cell in text.translate(_MARKS).split("\n"):
        word = cell.strip(_BESIDE)
        if word.isalpha() and word[0] < IDEOGRAPHS:
            row.append(word)
        elif word:
            if len(row) >= _FEWEST:
                yield row
            row = []
    if len(row) >= _FEWEST:
        yield row


def _telling(words: Sequence[str]) -> list[str]:
    """Return the words without one that comes again and again."""
    word, times = Counter(words).most_common(1)[0]
    return [
        other_word for other_word in words if other_word != word or times * _FREQUENT < len(words)
    ]


def _may_order(words: Sequence[str]) -> bool:
    """Whether there are enough words, some of them orders, and programs do not speak so."""
    folded = [fold(word) for word in words]
    longer = [word for word in folded if len(word) >= _SHORTEST]
    return (
        len(words) >= _FEWEST
        and len(set(longer)) >= _DIFFERENT * len(longer)
        and _of_orders(mask_within(folded))
    )


def _of_orders(concepts: int) -> bool:
    """Whether these are what an order is about, and one of them what is to be done."""
    about = concepts & mask_of("|".join(ORDER_CONCEPTS))
    return about.bit_count() >= _FEWEST_CONCEPTS and bool(concepts & mask_of(_DONE))
