"""Plain turns of phrase by which people order or ask something, with what they fill in.

*Remind me on Friday to call Ana* is an order because it begins like one; what merely contains such
words is none. What is not recognized word for word is left to whoever thinks (docs/agents.md).
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import data.lexicons.agents as lexicon
from data.records.core.record import Record
from data.word_lists import word_list
from tasks.agents.spoken_time import read_spoken_time
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import denials
from tasks.core.words.sentences import fold

_FILE = Path(lexicon.__file__).with_name("orders.yaml")
_WORD = compiled(r"[\p{L}\p{N}]+")
_POLITE = (
    ("please",), ("bitte",), ("can", "you"), ("could", "you"), ("kannst", "du"), ("konnen", "sie"),
    ("peux", "tu"), ("pouvez", "vous"), ("puedes",), ("por", "favor"), ("s", "il", "te", "plait"),
    ("s", "il", "vous", "plait"),
)  # fmt: skip
"""What people say before what they want."""
_FILLING = (
    ("yet",),
    ("already",),
    ("so", "far"),
    ("schon",),
    ("denn",),
    ("eigentlich",),
    ("deja",),
    ("ya",),
)
"""What people say behind what they want, and mean nothing by."""
_ASKING = frozenset({"what", "who", "when", "where"})
"""Words that *is* is drawn together with."""
_EDGES = " \t\n.,:;!?¿¡\"'’“”„-–"
_WITH_QUERY = compiled(r"(?i)^\s*with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(\s*select\b")
"""How a query begins that does not begin with what it selects."""
_LABELS = {
    "en": compiled(r"(?i)^\s*(?:to-?do|to do|task|reminder)\s*:\s*\S"),
    "de": compiled(r"(?i)^\s*(?:aufgabe|erinnerung)\s*:\s*\S"),
    "fr": compiled(r"(?i)^\s*(?:t[âa]che|rappel)\s*:\s*\S"),
    "es": compiled(r"(?i)^\s*(?:tarea|recordatorio)\s*:\s*\S"),
}
"""How a task is written down with its name before it: *todo: buy labels*."""
_RECALLED = frozenset((
    "why", "what", "who", "whom", "whose", "which", "how", "when", "where",
    "warum", "wieso", "weshalb", "was", "wer", "wen", "wem", "welche", "welcher", "welches", "wie",
    "wann", "wo", "pourquoi", "quoi", "qui", "quel", "quelle", "quels", "quelles", "comment",
    "quand", "ou", "quien", "quienes", "cual", "cuales", "como", "cuando", "donde",
))  # fmt: skip
"""What a question begins with. *Remind me why we stopped that* asks one; no reminder is set."""
_NAMING = frozenset({"contacts_at", "list_events"})
"""Questions that name what is looked for, or its day, and do not describe it."""
_CHANGING = frozenset({"finish_task", "drop_task", "move_task", "move_event", "remove_event"})
"""Orders that change what there is. With a *not* among their words they order the contrary
(*Streich die Miete nicht von der Liste*), with an *if* what holds in some case alone."""
_CONDITIONS = frozenset({"if", "unless", "falls", "wenn", "sofern", "si", "salvo"})
_RELATIVE = frozenset({"that", "which", "who", "whose", "qui", "dont", "que"})
"""Words that describe what stands before them: *a contract that ends this year*."""
_CLAUSE = compiled(r"(?i),\s*(?:der|die|das|deren|dessen)\s")
"""How a German clause begins that does."""
_TIMED = frozenset({"add_task", "add_event"})
"""Orders that may say when behind their last words."""
_MOST_OF_TIME = 6
"""Words that say when, behind an order, at most."""
_SOME_TIME = datetime(2026, 1, 5, 9, tzinfo=UTC)
"""From when a time is counted of which only is asked whether it is one."""
_LONGEST = 400
"""Words beyond which a message is no plain order."""


class Order(Record):
    """What was ordered or asked."""

    kind: str
    """Which turn of phrase: a key of `orders.yaml`."""
    language: str
    rest: str = ""
    """What was filled in, as written."""


class _Turn(NamedTuple):
    """A turn of phrase: the words before what is filled in, those after it."""

    kind: str
    language: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    kept: int
    """How many of the words before belong to what is filled in."""
    open: bool
    """Whether anything is filled in."""

    @property
    def length(self) -> int:
        return len(self.before) + len(self.after)


class _Word(NamedTuple):
    folded: str
    begin: int
    end: int


def find_order(text: str) -> Order | None:
    """Return what a message orders or asks by a turn of phrase that we know; None for none."""
    whole = _split_words(text)
    if not whole or len(whole) > _LONGEST:
        return None
    if _WITH_QUERY.match(text):
        return Order(kind="query", language="en", rest=text.strip(_EDGES))
    for language, label in _LABELS.items():
        if label.match(text):
            rest = text.partition(":")[2].strip(_EDGES)
            return Order(kind="add_task", language=language, rest=rest)
    plain_order = _cut_politeness(whole)
    candidates = _list_fitting(plain_order)
    least = max((turn.length for turn in candidates), default=0)
    if (timed := _find_timed_order(text, plain_order, least)) is not None:
        return timed
    if not candidates:
        return None
    best = max(candidates, key=lambda turn: turn.length)
    end = len(text) if plain_order[-1] is whole[-1] else plain_order[-1].end
    rest = _cut_rest(best, plain_order, text[:end])
    if best.kind == "remind" and fold(rest).partition(" ")[0] in _RECALLED:
        return None
    if best.kind in _NAMING and _is_description(rest):
        return None
    if best.kind in _CHANGING and not _list_restricting_words().isdisjoint(list_said_words(rest)):
        return None
    return Order(kind=best.kind, language=best.language, rest=rest)


def _list_restricting_words() -> frozenset[str]:
    """Return the words with which nothing is changed: those that deny, and of conditions."""
    return denials() | _CONDITIONS


def _is_description(rest: str) -> bool:
    """Return whether words describe what is looked for: *a contract that ends this year*."""
    return not _RELATIVE.isdisjoint(list_said_words(rest)) or _CLAUSE.search(rest) is not None


def _list_fitting(words: Sequence[_Word]) -> list[_Turn]:
    """Return the turns of phrase that a message may be."""
    folded = tuple(word.folded for word in words)
    firsts = (folded[0] if folded else "", "")
    return [
        turn
        for first in firsts
        for turn in _read_turns().get(first, ())
        if _is_fitting(turn, folded)
    ]


def _find_timed_order(text: str, words: Sequence[_Word], least: int) -> Order | None:
    """Return an order that says when behind its last words: *put … on my list for Friday*.

    Its turn of phrase has more words than `least`.
    """
    for cut in range(1, min(_MOST_OF_TIME, len(words) - 1) + 1):
        head, behind = words[:-cut], text[words[-cut].begin : words[-1].end]
        folded = tuple(word.folded for word in head)
        may_end = _read_timed_turns().get(folded[0], ())
        ended = [turn for turn in may_end if turn.length > least and _is_fitting(turn, folded)]
        if not ended:
            continue
        best = max(ended, key=lambda turn: turn.length)
        spoken = read_spoken_time(behind, best.language, _SOME_TIME)
        if not spoken.rest and not spoken.unread and (spoken.dated or spoken.timed):
            rest = f"{_cut_rest(best, head, text)} {behind}"
            return Order(kind=best.kind, language=best.language, rest=rest)
    return None


def list_opening_words() -> frozenset[str]:
    """Return the words, folded, that turns of phrase begin with."""
    return frozenset(_read_turns()) - {""}


def list_said_words(text: str) -> tuple[str, ...]:
    """Return the words of a message without accents, case, marks and courtesies."""
    return tuple(word.folded for word in _cut_politeness(_split_words(text)))


def _split_words(text: str) -> list[_Word]:
    """Return the words of a text; *who's* and *whos* are *who is*, as people type it."""
    listed: list[_Word] = []
    for match in _WORD.finditer(text):
        word = _Word(fold(match.group()), match.start(), match.end())
        if word.folded == "s" and listed and listed[-1].folded in _ASKING:
            listed.append(word._replace(folded="is"))
        elif word.folded[:-1] in _ASKING and word.folded.endswith("s"):
            listed += [word._replace(folded=word.folded[:-1]), word._replace(folded="is")]
        else:
            listed.append(word)
    return listed


def _cut_politeness(words: list[_Word]) -> list[_Word]:
    for polite in (*_POLITE, *_POLITE):
        if tuple(word.folded for word in words[: len(polite)]) == polite:
            words = words[len(polite) :]
    for polite in (*_POLITE, *_FILLING):
        if len(words) > len(polite) and tuple(w.folded for w in words[-len(polite) :]) == polite:
            words = words[: -len(polite)]
    return words


def _is_fitting(turn: _Turn, folded: tuple[str, ...]) -> bool:
    if not turn.open:
        return folded == turn.before
    if len(folded) < turn.length:
        return False
    begins = folded[: len(turn.before)] == turn.before
    return begins and (not turn.after or folded[-len(turn.after) :] == turn.after)


def _cut_rest(turn: _Turn, words: Sequence[_Word], text: str) -> str:
    """Return what was filled in, as it is written."""
    if not turn.open:
        return ""
    inner = words[len(turn.before) - turn.kept : len(words) - len(turn.after)]
    if not inner:
        return ""
    end = inner[-1].end if turn.after else len(text)
    return text[inner[0].begin : end].strip(_EDGES)


@lru_cache(maxsize=1)
def _read_turns() -> dict[str, tuple[_Turn, ...]]:
    """Return all turns of phrase, by their first word; empty for those that begin open."""
    table: dict[str, dict[str, list[str]]] = word_list(_FILE)
    turns: dict[str, list[_Turn]] = {}
    for kind, languages in table.items():
        for language, phrases in languages.items():
            for phrase in (each for listed in phrases for each in _write_out_choices(str(listed))):
                turn = _build_turn(kind, language, phrase)
                turns.setdefault(turn.before[0] if turn.before else "", []).append(turn)
    return {first: tuple(listed) for first, listed in turns.items()}


@lru_cache(maxsize=1)
def _read_timed_turns() -> dict[str, tuple[_Turn, ...]]:
    """Return the turns of phrase that may say when behind their last words, by their first word."""
    timed = {
        first: tuple(turn for turn in turns if turn.after and turn.kind in _TIMED)
        for first, turns in _read_turns().items()
    }
    return {first: turns for first, turns in timed.items() if first and turns}


def _write_out_choices(phrase: str) -> Iterator[str]:
    """Yield each phrase that one with choices stands for: *(email/phone) of …*."""
    head, bracket, choices = phrase.partition("(")
    if not bracket:
        yield phrase
        return
    inner, _, tail = choices.partition(")")
    for choice in inner.split("/"):
        yield from _write_out_choices(f"{head}{choice}{tail}")


def _build_turn(kind: str, language: str, phrase: str) -> _Turn:
    head, mark, tail = phrase.partition("…")
    plain, tilde, polite = head.partition("~")
    kept_words = [word.folded for word in _split_words(polite)]
    before = [word.folded for word in _split_words(plain)] + kept_words
    after = tuple(word.folded for word in _split_words(tail))
    return _Turn(kind, language, tuple(before), after, len(kept_words) if tilde else 0, bool(mark))
