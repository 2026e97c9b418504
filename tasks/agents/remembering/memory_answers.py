"""The embedded agent's answer to a wish about its memory: the call, and what became of it."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import data.lexicons.agents as lexicon
from data.records.core.tools import Item, Source, ToolDeclaration, ToolResult
from data.word_lists import word_list
from tasks.agents.calling import OrderedCall, find_call
from tasks.agents.conversing import Answer, escape_words
from tasks.agents.orders import find_order
from tasks.agents.remembering.memory_orders import MemoryOrder, MemoryWish, find_wish
from tasks.core.leaks.sensitive import HEALTH, MONEY, SECRET

_FILE = Path(lexicon.__file__).with_name("memory_said.yaml")
_LONGEST_QUESTION = 2000
_REASONS = {
    f"{reason}; such things are never remembered": f"why_{name}"
    for name, reason in (("secret", SECRET), ("health", HEALTH), ("money", MONEY))
}
"""The sentences of why something is never remembered, by their names in the list."""


_WRITTEN_ELSEWHERE = frozenset({"note_contact", "propose_knowledge", "add_task", "add_event"})
"""Orders that may begin with a word for *note*, and are no facts to remember."""


def find_memory_wish(
    text: str, offered: Sequence[ToolDeclaration]
) -> tuple[MemoryWish, OrderedCall | None] | None:
    """Return what a message wants of the memory and the call for it; None where it wants nothing.

    The call is None where it is not said what to remember.
    """
    wish = find_wish(text)
    if wish is None or wish.wish.value not in {declaration.name for declaration in offered}:
        return None
    if wish.wish is MemoryOrder.REMEMBER and _is_written_elsewhere(text, offered):
        return None
    if wish.wish is MemoryOrder.REMEMBER:
        layer = {"layer": str(wish.layer)} if wish.layer is not None else {}
        arguments = {"text": wish.what, **layer}
        return wish, OrderedCall(name="remember", arguments=arguments) if wish.what else None
    if wish.wish is MemoryOrder.FORGET:
        return wish, OrderedCall(name="forget", arguments={"what": wish.what[:_LONGEST_QUESTION]})
    question = "" if wish.about_oneself else wish.what[:_LONGEST_QUESTION]
    return wish, OrderedCall(name="recall", arguments={"question": question})


def _is_written_elsewhere(text: str, offered: Sequence[ToolDeclaration]) -> bool:
    """Return whether *note …* is an order of its own, which the agent has a tool for.

    *Note about Priya: prefers calls* is for colleagues, beside the contact, and not for oneself;
    *notiere eine Aufgabe: …* is a task.
    """
    order = find_order(text)
    if order is None or order.kind not in _WRITTEN_ELSEWHERE:
        return False
    call = find_call(order, text)
    return call is not None and any(declared.name == call.name for declared in offered)


def may_be_known_elsewhere(wish: MemoryWish, result: ToolResult | None) -> bool:
    """Whether nothing is remembered of something that the organization's knowledge may have."""
    asked = wish.wish is MemoryOrder.RECALL and not wish.about_oneself
    return asked and result is not None and not result.items


def find_recall_call(text: str, offered: Sequence[ToolDeclaration]) -> OrderedCall | None:
    """Return the call that looks whether a question was answered in a chat before."""
    if "recall" not in {declaration.name for declaration in offered}:
        return None
    return OrderedCall(name="recall", arguments={"question": text[:_LONGEST_QUESTION]})


def tell_wish(wish: MemoryWish, result: ToolResult | None, language: str) -> Answer:
    """Return what is said of a wish in a language."""
    sentences_said = _read_sentences(language)
    if result is None:
        return Answer(pieces=(sentences_said["what"],))
    if wish.wish is MemoryOrder.RECALL:
        return tell_known(result, language) or Answer(pieces=(sentences_said["nothing"],))
    first = result.items[0] if result.items else None
    if wish.wish is MemoryOrder.REMEMBER:
        return _tell_remembered(sentences_said, result.note, first)
    if result.note == "forgotten" and first is not None:
        sources = (first.source,) if first.source is not None else ()
        mark = " [1]" if sources else ""
        piece = sentences_said["forgotten"].format(text=escape_words(first.title))
        return Answer(pieces=(f"{piece}{mark}",), sources=sources)
    if result.note == "several":
        known_answer = tell_known(result, language)
        return Answer(
            pieces=(sentences_said["several"], *(known_answer.pieces[1:] if known_answer else ()))
        )
    key = "not_yours" if result.note == "not_yours" else "nothing_to_forget"
    return Answer(pieces=(sentences_said[key],))


def tell_picked_up(
    results: Sequence[ToolResult], language: str, first: int, *, remembers: bool
) -> Answer:
    """Return what is said of a statement that was made by the way.

    Args:
        results: what became of each sentence that may be kept.
        language: in which it is said.
        first: the number of the first source.
        remembers: whether the agent remembers what it is told to.

    """
    sentences_said = _read_sentences(language)
    pieces: list[str] = []
    sources: list[Source] = []
    for result in results:
        if result.note == "refused" or not result.items:
            continue
        item = result.items[0]
        taken_back_there = not remembers and result.note in ("added", "superseded")
        note = "noted_alone" if taken_back_there else result.note
        picked_up = _tell_remembered(sentences_said, note, item, first + len(sources))
        pieces += picked_up.pieces
        sources += picked_up.sources
    if not pieces:
        return Answer(pieces=(sentences_said["heard" if remembers else "heard_alone"],))
    return Answer(pieces=tuple(pieces), sources=tuple(sources))


def add_recalled(answer: Answer, recalled: ToolResult | None, language: str) -> Answer:
    """Return an answer with what is remembered of the question: behind what knowledge says.

    What the organization has written goes first; where it says nothing, what is remembered is the
    answer.
    """
    known_answer = recalled and tell_known(recalled, language, len(answer.sources) + 1)
    if not known_answer:
        return answer
    if not answer.sources:
        return known_answer
    return Answer(
        pieces=(*answer.pieces, *known_answer.pieces),
        sources=(*answer.sources, *known_answer.sources),
    )


def tell_known(result: ToolResult, language: str, first: int = 1) -> Answer | None:
    """Return what is told of recalled items, with sources from `first` on; None of none."""
    if not result.items:
        return None
    sentences_said = _read_sentences(language)
    pieces = tuple(
        _line_of_item(sentences_said, place, first + place - 1, item)
        for place, item in enumerate(result.items, start=1)
    )
    sources = tuple(item.source for item in result.items if item.source is not None)
    return Answer(pieces=(sentences_said["known"], *pieces), sources=sources)


def _tell_remembered(
    sentence_by_name: dict[str, str], note: str, item: Item | None, number: int = 1
) -> Answer:
    if item is None or note == "refused":
        why = item.title if item else ""
        why = sentence_by_name.get(_REASONS.get(why, ""), why)
        return Answer(pieces=(sentence_by_name["refused"].format(why=why),))
    facts = {fact.name: fact.value for fact in item.facts}
    kind = facts["layer"]
    key = "added_wide" if note == "added" and kind != "user" else note
    piece = sentence_by_name[key].format(
        text=escape_words(item.title.rstrip(".")),
        before=escape_words(facts.get("before", "")),
        layer=sentence_by_name["you" if kind == "user" else kind],
    )
    meant = facts.get("meant for")
    hint = (
        (sentence_by_name["meant"].format(layer=sentence_by_name[meant]),)
        if meant and note == "added"
        else ()
    )
    sources = (item.source,) if item.source is not None else ()
    return Answer(pieces=(f"{piece} [{number}]" if sources else piece, *hint), sources=sources)


def _line_of_item(sentence_by_name: dict[str, str], place: int, number: int, item: Item) -> str:
    """Return an item as one of a list, at a place from 1 on, with the number of its source."""
    facts = {fact.name: fact.value for fact in item.facts}
    by = sentence_by_name["said"].format(name=escape_words(facts["by"]), day=facts["on"])
    times = int(facts["times"])
    again = f", {sentence_by_name['times'].format(count=times)}" if times > 1 else ""
    return f"{place}. {escape_words(item.title)} [{number}] ({by}{again})"


@cache
def _read_sentences(language: str) -> dict[str, str]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table.get(language, table["en"])
