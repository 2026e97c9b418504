"""The embedded agent: which tool answers what is asked, and how a result is told.

It works with no model: what it recognizes it looks up, and it tells what it found with its sources.
What it does not recognize it looks for in what the organization knows; what nobody knows it says
that it does not know.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.records.core.record import Record
from data.records.core.tools import Item, Source, ToolDeclaration, ToolResult
from tasks.agents.calling import ToolCall, call_of
from tasks.agents.triage import ChatIntent, Triage
from tasks.words.sentences import single_spaced


class Answer(Record):
    """What an agent says: pieces of Markdown in order, and what they rest on."""

    pieces: tuple[str, ...]
    sources: tuple[Source, ...] = ()

    @property
    def text(self) -> str:
        """The whole of it."""
        return "\n\n".join(self.pieces)


class _Telling(NamedTuple):
    """How the result of a tool is told."""

    none: str
    one: str
    many: str
    facts: tuple[str, ...]


_CALLS: Mapping[ChatIntent, ToolCall] = {
    ChatIntent.URGENT: ToolCall(name="waiting_cases", arguments={"priority": "urgent"}),
    ChatIntent.WAITING: ToolCall(name="waiting_cases", arguments={}),
    ChatIntent.PROMISES: ToolCall(name="list_promises", arguments={}),
}
_TELLING: Mapping[ChatIntent, _Telling] = {
    ChatIntent.URGENT: _Telling(
        "Nothing that waits is urgent.",
        "One case is urgent:",
        "{total} cases are urgent, the one that has waited longest first:",
        ("from", "waits for", "with"),
    ),
    ChatIntent.WAITING: _Telling(
        "Nothing waits for a person: the queue is empty.",
        "One case waits for a person:",
        "{total} cases wait for a person, urgent ones first:",
        ("from", "waits for", "priority", "with"),
    ),
    ChatIntent.PROMISES: _Telling(
        "We have no open promise: everything that our replies promised is done.",
        "One promise is open:",
        "{total} promises are open, overdue ones first:",
        ("due", "to", "state"),
    ),
}
_WHY = "why a person"
"""The fact that is a sentence of its own."""
_UNKNOWN = (
    "I found nothing about that in what the organization knows, and without a language model I "
    "look things up, I do not reason."
)
_NOT_MINE = "That is nothing that I can look up or do without a language model, so I did nothing."


def call_for(triage: Triage, text: str, offered: Sequence[ToolDeclaration]) -> ToolCall | None:
    """Return the tool whose result answers a message; None where none is needed, or is there."""
    names = {declaration.name for declaration in offered}
    ordered = call_of(triage.order, text) if triage.order is not None else None
    if ordered is not None and ordered.name in names:
        return ordered
    if triage.intent is not None:
        wanted = _CALLS.get(triage.intent)
        return wanted if wanted is not None and wanted.name in names else None
    known = ToolCall(name="answer_from_knowledge", arguments={"question": text[:2000]})
    return known if known.name in names else None


def tell(triage: Triage, result: ToolResult | None, help_text: str, now: datetime) -> Answer:
    """Return what is said to a message, from the result of the tool that was called for it."""
    if result is not None and result.sentence:
        return _reported(result)
    if triage.intent is None:
        return _known(result, help_text)
    if triage.intent in _TELLING:
        if result is None:
            return Answer(pieces=("I have no tool to look that up.", help_text))
        return _told(_TELLING[triage.intent], result)
    said = {
        ChatIntent.GREETING: f"Hello. {help_text}",
        ChatIntent.THANKS: "You are welcome.",
        ChatIntent.TIME: f"It is {now:%H:%M} on {now:%A}, {now.day} {now:%B %Y}.",
        ChatIntent.HELP: help_text,
    }
    return Answer(pieces=(said[triage.intent],))


def help_for(suggestions: Sequence[str]) -> str:
    """Return what an agent can be asked, in a sentence."""
    if not suggestions:
        return "Ask me about what the organization knows."
    return "You can ask me, for example: " + " · ".join(f"*{one}*" for one in suggestions)


def _reported(result: ToolResult) -> Answer:
    """Return what a tool says of itself, and its items below."""
    lines = tuple(
        _line(number, item, [fact.name for fact in item.facts])
        for number, item in enumerate(result.items, start=1)
    )
    alone = result.items if len(result.items) == 1 else ()
    texts = tuple(quoted(item.text) for item in alone if item.text)
    left = result.total - len(result.items) if result.items else 0
    rest = (f"{left} more are not shown.",) if left > 0 else ()
    sources = tuple(item.source for item in result.items if item.source is not None)
    return Answer(pieces=(inert(result.sentence), *lines, *texts, *rest), sources=sources)


def _told(telling: _Telling, result: ToolResult) -> Answer:
    """Return a list as it is told: how many, each with what is known of it, and what is left."""
    if not result.items:
        return Answer(pieces=(telling.none,))
    head = telling.one if result.total == 1 else telling.many.format(total=result.total)
    lines = tuple(
        _line(number, item, telling.facts) for number, item in enumerate(result.items, start=1)
    )
    left = result.total - len(result.items)
    rest = (f"{left} more are in the queue.",) if left > 0 else ()
    sources = tuple(item.source for item in result.items if item.source is not None)
    return Answer(pieces=(head, *lines, *rest), sources=sources)


def _line(number: int, item: Item, wanted: Sequence[str]) -> str:
    """Return one item; its words are somebody else's, so nothing in them is markup."""
    facts = [fact for fact in item.facts if fact.name in wanted]
    known = [f"{fact.name} {inert(fact.value)}".strip() for fact in facts if fact.name != _WHY]
    mark = f" [{number}]" if item.source is not None else ""
    why = "".join(f". {inert(fact.value)}" for fact in item.facts if fact.name == _WHY)
    told = f": {', '.join(known)}" if known else ""
    return f"{number}. **{inert(item.title)}**{mark}{told}{why}"


def _known(result: ToolResult | None, help_text: str) -> Answer:
    if result is None:
        return Answer(pieces=(_NOT_MINE, help_text))
    if not result.items:
        return Answer(pieces=(_UNKNOWN, help_text))
    pieces = tuple(
        f"{inert(item.text)} [{number}]" for number, item in enumerate(result.items, start=1)
    )
    sources = tuple(item.source for item in result.items if item.source is not None)
    return Answer(pieces=pieces, sources=sources)


def quoted(text: str) -> str:
    """Return words of several lines so that Markdown shows them as a quotation, and as they are."""
    return "\n".join(f"> {inert(line)}  " if line.strip() else ">" for line in text.splitlines())


def inert(text: str) -> str:
    """Return words of somebody else so that Markdown shows them as they are, in one line."""
    return "".join(
        f"\\{mark}" if mark in "\\`*_{}[]()<>#|!~$:" else mark for mark in single_spaced(text)
    )
