"""A program that reads, sorts or rates what is sent is told what to do, in the third person too.

Attackers write into documents what "the ranking model" or "any assistant handling this listing" has
to do. People write so of their programs as well, so an everyday *must* counts less than a command,
and all counts less beside words that tell of attacks.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import re2

from data.lexicons.screen import PROGRAMS, alternatives
from data.records.core.screening import FilterLayer
from tasks.core.patterns import compiled
from tasks.core.screen.combinations import talked_about, weighed
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.scanned import Text

_CALLED, _COMMANDED, _TURNED_TO, _REQUIRED = 0.45, 0.42, 0.34, 0.3
"""*Name: do*, *name is hereby asked to do*, *name, do*, and *name must do*."""
_MOST = 40
"""Names that are looked at in one text."""
_BEFORE, _AFTER = 120, 240
"""Characters around a name in which it is told what to do."""
_SHOWN = 120
"""Characters after the name that a hit shows."""
_KINDS = (1, 2, 3, 4)
_LONE = 3
"""Groups of `_pattern_of_names`."""
_IDEOGRAPHS = frozenset({"zh", "ja"})
"""Languages that do not part words."""
_LETTER = r"[^\s\d.,:;!?()\"]"
"""Stands for a letter: classes of Unicode make large automata."""
_END = r"(?:[\s\d.,:;!?()\"'”=]|$)"
_KINDLY = (
    rf"(?:{_LETTER}+ly[ ]|please[ ]|bitte[ ]|por favor[ ]|per favore[ ]|proszę[ ]|zu[ ]|"
    r"als[ ]|as[ ])?"
)
_WATCHED = GATE.watch(
    compiled(f"(?i){alternatives(PROGRAMS, 'reader_signs')['und']}"), kind="names"
)


@cache
def _words(concept: str) -> dict[str, str]:
    """Return the alternatives of a concept by language."""
    own = alternatives(PROGRAMS, concept)
    return {language: text.replace(r"\pL", _LETTER) for language, text in own.items()}


def _all(concept: str, ideographs: bool = False) -> str:
    """Return the words of all languages that part words, or of those that do not."""
    own = _words(concept)
    return "|".join(
        text for language, text in own.items() if (language in _IDEOGRAPHS) == ideographs
    )


@cache
def _pattern_of_names() -> "re2._Regexp":
    """Return the pattern of the names, which most texts lack.

    Group 1 is a name made of two words, 2 one that is known by the clause that follows, 3 one by
    itself (`_LONE`), 4 one in a language that does not part words.
    """
    names_read, head = [], []
    for language, names in _words("reader_names").items():
        heads = _words("reader_heads").get(language, "")
        if works := _words("reader_works").get(language):
            names_read.append(rf"(?:{works})[- ](?:{heads})")
        if behind := _words("reader_works_behind").get(language):
            names_read.append(rf"(?:{names}|{heads})[ ](?:{behind})")
        if language in _words("reader_who"):
            head.append(rf"(?:{names}|{heads})")
    parted = (
        rf"({'|'.join(names_read)}){_END}|({'|'.join(head)})[ ](?:{_all('reader_who')}){_END}"
        rf"|({_all('reader_names')}){_END}"
    )
    return compiled(rf"(?i)(?:^|[^\pL])(?:{parted})|({_all('reader_names', ideographs=True)})")


@cache
def _build_calling_pattern() -> "re2._Regexp":
    """Return the pattern of the beginning of a sentence that calls somebody, up to the name."""
    articles = (
        r"(?:(?:the|an?|any|every|each|all|your|our|this|whichever|die|der|das|jede[rs]?|alle|les?|"
        r"la|une?|el|los|las|il|lo|gli|i|ogni|os?|as?|de|het|elke|каждый|каждая)[ ])?"
    )
    led_to = rf"(?:(?:{_LETTER}+[ ])*(?:{alternatives(PROGRAMS, 'vocative_leads')['und']}|an)[ ]?)?"
    begins = r"(?:^|[.!?;(\[>#/]|[—–-] )[ \t>*_#\"'«“„]*"
    return compiled(rf"(?im){begins}{led_to}{articles}\z")


@cache
def _list_order_patterns() -> tuple[tuple[float, "re2._Regexp"], ...]:
    """Return what follows a name that is told what to do, the strongest way first."""
    now = rf"{_KINDLY}(?:{_all('reader_orders')}){_END}"
    late = rf"[^.!?\n]*[^\pL.!?\n](?:{_all('reader_orders_behind')}){_END}"
    later_pattern = rf"(?:[ ,]+{now}|{late})"
    more = rf"(?:[ ](?:{_all('reader_about')}|(?:{_all('reader_who')})[ ][^.:!?\n]+))?"
    free = rf"[^。！？\n]*(?:{_all('reader_orders', ideographs=True)})"
    last = rf"[^.!?\n]*[ ](?:{_all('reader_commands_last')}){_END}"
    ways = (
        (_CALLED, rf"{more}[ ]?[:：](?:[ \t\n]*{now}|{late})"),
        (_COMMANDED, rf"{more},?[ ](?:{_all('reader_told')}){later_pattern}|{last}"),
        (_COMMANDED, rf"(?:[,，、：: ]*(?:{_all('reader_told', ideographs=True)})|[：:]){free}"),
        (_TURNED_TO, rf",[ ]{now}"),
        (_REQUIRED, rf"{more},?[ ](?:{_all('reader_must')}){later_pattern}"),
        (_REQUIRED, rf"(?:{_all('reader_must', ideographs=True)}){free}"),
    )
    return tuple((score, compiled(rf"(?i)\A(?:{way})")) for score, way in ways)


def look(views: Views) -> Iterator[Find]:
    """Find programs that are told what to do; the strongest find of every text."""
    for text in views.texts:
        if text.signs & _WATCHED:
            strongest = _strongest(text)
            if strongest is not None:
                yield strongest


def _strongest(text: Text) -> Find | None:
    best: Find | None = None
    for match in islice(_pattern_of_names().finditer(text.text), _MOST):
        kind = next(number for number in _KINDS if match.group(number) is not None)
        begin, end = match.span(kind)
        before, after = text.text[max(0, begin - _BEFORE) : begin], text.text[end : end + _AFTER]
        score = _way(before, after, kind == _LONE)
        if score:
            own = weighed(text, score * talked_about(text, match, _AFTER))
            if best is None or own > best.score:
                best = Find(text.place, text.text[begin : end + _SHOWN], own)
    return best


def _way(before: str, after: str, lone: bool) -> float:
    """Return how strongly a name between the two is told what to do, 0 if it is not."""
    for score, pattern in _list_order_patterns():
        if pattern.search(after) is None:
            continue
        if score == _TURNED_TO and not lone:
            continue
        if score in (_CALLED, _TURNED_TO) and _build_calling_pattern().search(before) is None:
            continue
        return score
    return 0.0


RULE = ScreenRule(
    name="machine_reader",
    sentence="Tells the programs that read, sort or rate what is sent what they have to do.",
    technique="direct_injection",
    layer=FilterLayer.INJECTION,
    severity=0.8,
    look=look,
)
