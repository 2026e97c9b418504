"""The embedded agent: which tool answers what is asked, and how a result is told.

It works with no model: what it recognizes it looks up, and it tells what it found with its sources.
What it does not recognize it looks for in what the organization knows; what nobody knows it says
that it does not know.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from data.records.core.record import Record
from data.records.core.tools import Fact, Item, Source, ToolDeclaration, ToolResult
from tasks.agents.calling import OrderedCall, find_call, find_uncounted_call
from tasks.agents.triage import (
    ChatIntent,
    Triage,
    UtteranceKind,
    has_deed,
    is_follow_up,
    is_plain,
)
from tasks.core.wording import PLAIN, day_parts, word_for, word_sentence
from tasks.core.words.sentences import single_spaced


class Answer(Record):
    """What an agent says: pieces of Markdown in order, and what they rest on."""

    pieces: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    declined: bool = False
    """Whether it only says that a look-up or an order came to nothing, and nothing was changed."""

    @property
    def text(self) -> str:
        """The whole of it."""
        return "\n\n".join(self.pieces)


_CALLS: Mapping[ChatIntent, OrderedCall] = {
    ChatIntent.URGENT: OrderedCall(name="waiting_cases", arguments={"priority": "urgent"}),
    ChatIntent.WAITING: OrderedCall(name="waiting_cases", arguments={}),
    ChatIntent.PROMISES: OrderedCall(name="list_promises", arguments={}),
}
_GAP = "…"
"""What stands in a suggestion for a name or a thing."""
_OF_KNOWLEDGE = "answer_from_knowledge"
_TELLING: Mapping[ChatIntent, tuple[str, ...]] = {
    ChatIntent.URGENT: ("from", "waits for", "with"),
    ChatIntent.WAITING: ("from", "waits for", "priority", "with"),
    ChatIntent.PROMISES: ("due", "to", "state"),
}
"""The facts that are told of each item."""
_WHY = "why a person"
"""The fact that is a sentence of its own."""
_OURS = frozenset({"waits for", "priority", "state", "category", "blocked"})
"""Facts whose values are words of ours."""


def choose_call(
    triage: Triage, text: str, offered: Sequence[ToolDeclaration]
) -> OrderedCall | None:
    """Return the tool whose result answers a message; None where none is needed, or is there.

    No sentence that is known answers an order: for one, only an entry is told whose title says it.
    """
    names = {declaration.name for declaration in offered}
    ordered = find_call(triage.order, text) if triage.order is not None else None
    if ordered is not None and ordered.name in names:
        return ordered
    if triage.intent is not None:
        wanted_call = _CALLS.get(triage.intent)
        return wanted_call if wanted_call is not None and wanted_call.name in names else None
    if is_follow_up(triage):
        return None
    known_call = find_knowledge_call(text, offered)
    if not has_deed(triage):
        return known_call
    if known_call is None or known_call.name != _OF_KNOWLEDGE:
        return None
    return known_call.model_copy(
        update={"arguments": known_call.arguments | {"titles_alone": True}}
    )


def replace_tasks_question(meant: Triage, offered: Sequence[ToolDeclaration]) -> Triage:
    """Return what is meant; *what is left* asks one that has no tasks for what waits."""
    names = {declaration.name for declaration in offered}
    if meant.order is None or meant.order.kind != "left" or "list_tasks" in names:
        return meant
    return Triage(intent=ChatIntent.WAITING, language=meant.language, category=meant.category)


def limit_to_entries(result: ToolResult, text: str, entries: Collection[str]) -> ToolResult:
    """Return of what the knowledge answered to the last question of a text what these entries say.

    What it answers to the questions before was told with them.
    """
    items = tuple(
        item
        for item in result.items
        if item.source is not None and item.source.id in entries and text.endswith(item.title)
    )
    return result.model_copy(update={"items": items, "total": len(items), "unanswered": ()})


def find_knowledge_call(text: str, offered: Sequence[ToolDeclaration]) -> OrderedCall | None:
    """Return the call that looks a question up in what the organization knows, where there is."""
    return next(iter(_list_question_calls(text, offered)), None)


def list_further_calls(
    meant: Triage,
    call: OrderedCall | None,
    result: object,
    text: str,
    offered: Sequence[ToolDeclaration],
) -> list[OrderedCall]:
    """Return what else is looked up where the first call had no answer to a question, in order.

    Nothing where it had, where something was to be done, and where it failed.
    """
    if call is None or not isinstance(result, ToolResult) or result.items or has_deed(meant):
        return []
    open_question = meant.order is None and meant.intent is None
    plain_question = meant.order is not None and meant.category is UtteranceKind.KNOWLEDGE_LOOKUP
    if not open_question and not (plain_question and result.refused):
        return []
    return [
        call_written
        for call_written in _list_question_calls(text, offered)
        if call_written.name != call.name
    ]


def _list_question_calls(text: str, offered: Sequence[ToolDeclaration]) -> list[OrderedCall]:
    """Return the calls that look a question up in what the organization has written.

    A question for figures that asks for more than can be counted ends in the call that says so.
    """
    names = {declaration.name for declaration in offered}
    calls = [
        OrderedCall(name=name, arguments={"question": text[:2000]})
        for name in (_OF_KNOWLEDGE, "answer_from_profile")
    ]
    uncounted = find_uncounted_call(text)
    calls += [uncounted] if uncounted is not None else []
    return [call for call in calls if call.name in names]


def is_answered_without_model(
    meant: Triage, text: str, offered: Sequence[ToolDeclaration], switched_on: Collection[str] = ()
) -> bool:
    """Whether a message is answered without a model: it is plain, and the tool for it is there.

    What is plain and takes a tool that this agent has not is thought about: others of its tools
    may do it.
    """
    if not is_plain(meant, switched_on):
        return False
    wanted_call = _CALLS.get(meant.intent) if meant.intent is not None else None
    if meant.order is not None:
        wanted_call = find_call(meant.order, text)
    return wanted_call is None or any(
        wanted_call.name == declaration.name for declaration in offered
    )


def tell_result(
    triage: Triage,
    result: ToolResult | None,
    help_text: str,
    now: datetime,
    language: str = PLAIN,
    name: str = "",
) -> Answer:
    """Return what is said to a message, from the result of the tool that was called for it.

    `name` is the agent's, for who asks what it is.
    """
    if result is not None and result.sentence:
        return _tell_report(result, language)
    if triage.intent is None and (has_deed(triage) or is_follow_up(triage)):
        return _refuse_deed(result, help_text, language)
    if triage.intent is None:
        return _answer_from_knowledge(result, help_text, language)
    if triage.intent in _TELLING:
        if result is None:
            return Answer(pieces=(word_sentence(language, "no_tool"), help_text))
        return _answer_with_list(triage.intent, result, language)
    if triage.intent is ChatIntent.HELP:
        own = (word_sentence(language, "identity", name=escape_words(name)),) if name else ()
        return Answer(pieces=(*own, help_text))
    time = {"time": f"{now:%H:%M}", **day_parts(now.date(), language)}
    return Answer(pieces=(word_sentence(language, triage.intent, help=help_text, **time),))


def answer_open_gap(text: str, suggestions: Sequence[str], language: str) -> Answer | None:
    """Return what is said to a suggestion whose gap nobody has filled in; None for all else."""
    if _GAP in text and text.strip() in suggestions:
        return Answer(pieces=(word_sentence(language, "gap"),))
    return None


def build_help(suggestions: Sequence[str], language: str = PLAIN) -> str:
    """Return what an agent can be asked, in a sentence."""
    if not suggestions:
        return word_sentence(language, "help_plain")
    return word_sentence(
        language, "help", suggestions=" · ".join(f"*{suggestion}*" for suggestion in suggestions)
    )


def tell_refused(
    sentence: str, language: str, *, unclear: bool = False, declined: bool = False
) -> Answer:
    """Return what is said where a call gave nothing.

    Args:
        sentence: why, in words of whoever refused.
        language: in which it is said.
        unclear: whether it may have had its effect.
        declined: whether it was a look-up, so that something else may answer.

    """
    why = escape_words(sentence)
    pieces = (why if unclear else word_sentence(language, "not_done", why=why),)
    return Answer(pieces=pieces, declined=declined)


def _tell_report(result: ToolResult, language: str) -> Answer:
    """Return what a tool says of itself, and its items below."""
    lines = _lines_of_items(result.items, None, language, len(result.about) + 1)
    alone = result.items if len(result.items) == 1 else ()
    texts = tuple(quote_words(item.text) for item in alone if item.text)
    left = result.total - len(result.items) if result.items else 0
    rest = (word_sentence(language, "more", number=left),) if left > 0 else ()
    sources = (*result.about, *_list_sources(result.items))
    marks = "".join(f" [{number}]" for number in range(1, len(result.about) + 1))
    pieces = (
        escape_words(result.sentence) + marks,
        *lines,
        *texts,
        *rest,
        *_list_left_open(result, language),
    )
    return Answer(pieces=pieces, sources=sources, declined=result.refused and not lines)


def _answer_with_list(intent: ChatIntent, result: ToolResult, language: str) -> Answer:
    """Return a list as it is told: how many, each with what is known of it, and what is left."""
    if not result.items:
        return Answer(pieces=(word_sentence(language, f"{intent}_none"),))
    number = "one" if result.total == 1 else "many"
    head = word_sentence(language, f"{intent}_{number}", total=result.total)
    lines = _lines_of_items(result.items, _TELLING[intent], language)
    left = result.total - len(result.items)
    rest = (word_sentence(language, "more_in_queue", number=left),) if left > 0 else ()
    return Answer(pieces=(head, *lines, *rest), sources=_list_sources(result.items))


def _list_sources(items: Sequence[Item]) -> tuple[Source, ...]:
    """Return the sources of items, in the order of their numbers."""
    return tuple(item.source for item in items if item.source is not None)


def _lines_of_items(
    items: Sequence[Item], words_wanted: Sequence[str] | None, language: str, first: int = 1
) -> tuple[str, ...]:
    """Return items as lines; their sources are numbered from `first` on.

    `words_wanted` names the facts that are told; None tells all.
    """
    lines, source = [], first
    for number, item in enumerate(items, start=1):
        mark = f" [{source}]" if item.source is not None else ""
        source += item.source is not None
        lines.append(_line_of_item(number, mark, item, words_wanted, language))
    return tuple(lines)


def _line_of_item(
    number: int, mark: str, item: Item, words_wanted: Sequence[str] | None, language: str
) -> str:
    """Return one item; its words are somebody else's, so nothing in them is markup."""
    facts = [fact for fact in item.facts if words_wanted is None or fact.name in words_wanted]
    facts_known = [_describe_fact(fact, language) for fact in facts if fact.name != _WHY]
    why = "".join(f". {escape_words(fact.value)}" for fact in item.facts if fact.name == _WHY)
    facts_text = f": {', '.join(facts_known)}" if facts_known else ""
    return f"{number}. **{escape_words(item.title)}**{mark}{facts_text}{why}"


def _describe_fact(fact: Fact, language: str) -> str:
    value = word_for(language, fact.value) if fact.name in _OURS else fact.value
    return f"{word_for(language, fact.name)} {escape_words(value)}".strip()


def _refuse_deed(result: ToolResult | None, help_text: str, language: str) -> Answer:
    """Return that an order was not carried out, with the entry whose title says what it was."""
    if result is None or not result.items:
        return Answer(pieces=(word_sentence(language, "not_mine"), help_text))
    entry = _answer_from_knowledge(result, help_text, language)
    pieces = (word_sentence(language, "deed_entry"), *entry.pieces)
    return entry.model_copy(update={"pieces": pieces})


def _answer_from_knowledge(result: ToolResult | None, help_text: str, language: str) -> Answer:
    if result is None:
        return Answer(pieces=(word_sentence(language, "not_mine"), help_text), declined=True)
    if not result.items:
        return Answer(pieces=(word_sentence(language, "unknown"), help_text), declined=True)
    pieces = [
        f"{escape_words(item.text)} [{number}]" for number, item in enumerate(result.items, start=1)
    ]
    pieces += _list_left_open(result, language)
    return Answer(pieces=tuple(pieces), sources=_list_sources(result.items))


def _list_left_open(result: ToolResult, language: str) -> list[str]:
    """Return what is said of the questions beside the one that was answered."""
    return [
        word_sentence(language, "apart_unknown", words=escape_words(each))
        for each in result.unanswered
    ]


def quote_words(text: str) -> str:
    """Return words of several lines so that Markdown shows them as a quotation, and as they are."""
    return "\n".join(
        f"> {escape_words(line)}  " if line.strip() else ">" for line in text.splitlines()
    )


_MARKS = "\\`*_{}[]()<>#|!~$:"
"""What Markdown, as the window shows it, may take for more than itself."""


def escape_words(text: str) -> str:
    """Return words of somebody else so that Markdown shows them as they are, in one line."""
    return "".join(f"\\{mark}" if mark in _MARKS else mark for mark in single_spaced(text))


def cut_needless_escapes(text: str) -> str:
    """Return what `escape_words` made, with marks that make nothing by themselves as they are read.

    Programs that do not show Markdown then read *at 09:00 (Friday)!* and not its escapes. Brackets
    stay escaped, and the colon of an address, so that no link is made.
    """
    read, escaped = [], False
    for place, letter in enumerate(text):
        if letter == "\\" and not escaped:
            escaped = True
            continue
        harmless = letter in "()!" or (letter == ":" and text[place + 1 : place + 3] != "//")
        read.append(f"\\{letter}" if escaped and not harmless else letter)
        escaped = False
    return "".join(read) + ("\\" if escaped else "")


def cut_escapes(text: str) -> str:
    """Return what `escape_words` made as it is read where Markdown is not shown: in a terminal."""
    read, escaped = [], False
    for letter in text:
        if letter == "\\" and not escaped:
            escaped = True
            continue
        read.append(letter if not escaped or letter in _MARKS else f"\\{letter}")
        escaped = False
    return "".join(read) + ("\\" if escaped else "")
