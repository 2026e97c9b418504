"""The requests to a model in a turn of an agent, and the reading of its answer.

The system prompt is the agent's own and the same for every turn of an organization, so providers
can cache it. What the person says stands plain: an agent works in that person's name. What was
answered before, and what tools give, may hold words of strangers: it stands in fences.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from pydantic import Field, JsonValue, StringConstraints, ValidationError

from data.records.agents.chats import AnswerStyle, AuthorKind, ChatMessage, ChatPreferences
from data.records.core.asking import ToolOffer
from data.records.core.record import Record
from data.records.core.tools import Source, ToolResult
from tasks.agents.conversing import Answer
from tasks.core.asking.closed_forms import Form
from tasks.core.asking.model_view import text_view
from tasks.core.asking.packing import fenced, pack
from tasks.core.patterns import compiled

SHOWN = 4_096
"""Bytes of one result that a model is shown; of a longer one it is told how much there is."""
MOST_READ = 16 * SHOWN
"""Characters of one result that can be read, part by part."""
MOST_ITEMS = 40
MOST_SAID = 80_000
"""Characters of the messages before, about 20,000 tokens; the newest are told first."""
_MATTER = "what this chat is about"
_REPLIED = "what it replies to"
_REFERENCE = compiled(r"\[(\d{1,3})\]")
_STYLES = {
    AnswerStyle.CONCISE: "Answer in as few sentences as say it.",
    AnswerStyle.STANDARD: "Answer briefly, with what is needed to act on it.",
    AnswerStyle.DETAILED: "Answer in full, with reasons.",
}


class ChatForm(Form):
    """What an agent says."""

    SPOKEN: ClassVar[str] = "text"

    text: Annotated[str, StringConstraints(max_length=16_000)]
    """The answer, in Markdown. A sentence that rests on a result names its number: `[2]`."""


class WhichPart(Record):
    """A part of a result that was cut."""

    result: int = Field(ge=1, le=1_000, description="its number, as it was told where it was cut")
    begin: int = Field(ge=0, le=1_000_000, description="the character from which on it is told")


READ_ON = ToolOffer(name="read_result", tells="Reads on in a result that was cut.", takes=WhichPart)
"""What is offered once a result was cut; it looks at nothing besides."""


class TurnContext(Record):
    """What a model is told beside what is asked, said before and remembered."""

    about_us: str = ""
    """What the organization says of itself to agents."""
    matter: str = ""
    """What the chat is about, where it is about one thing, as its tool tells it."""
    looked_up: Mapping[str, str] = Field(default_factory=dict)
    """What was looked up before, by the name of the tool; its sources are numbered."""
    remembered: Mapping[str, int] = Field(default_factory=dict)
    """How many items each layer of memory has, where that is told."""
    pending: tuple[str, ...] = ()
    """What other turns of the chat still work on."""
    asker: Mapping[str, JsonValue] = Field(default_factory=dict)
    """What who asks has answered to the agent's questions, by these."""
    replies_to: ChatMessage | None = None
    """The message that is replied to, where the person said which."""
    hint: str = ""
    """What was recognized in the message by its words alone."""


def build_chat_request(
    marker: str,
    asked: ChatMessage,
    earlier: Sequence[ChatMessage],
    known_words: Mapping[str, str],
    preferred: ChatPreferences,
    now: str,
    beside: TurnContext,
) -> str:
    """Return what a model is asked first.

    Args:
        marker: of the fences, drawn for this turn.
        asked: the message that began the turn.
        earlier: the last messages of the session before it, oldest first.
        known_words: what is remembered, a text for each layer by its name.
        preferred: how the person likes answers.
        now: the moment, as it is told, with its zone.
        beside: what it is told besides.

    """
    json_values: list[JsonValue] = []
    quoted: dict[str, str] = {}
    for number, message in enumerate(choose_newest(earlier, MOST_SAID), start=1):
        if message.author is AuthorKind.PERSON:
            json_values.append({"who": message.author_name, "says": message.text})
        else:
            name = f"answer {number}"
            json_values.append({"who": message.author_name, "says": f"see {name!r} under mail"})
            quoted[name] = text_view(message.text, SHOWN)
    quoted |= {
        f"memory of {layer}": text_view(text, 4 * SHOWN) for layer, text in known_words.items()
    }
    if beside.about_us:
        quoted["what the organization says of itself"] = text_view(beside.about_us, 4 * SHOWN)
    if beside.matter:
        quoted[_MATTER] = text_view(beside.matter, 4 * SHOWN)
    quoted |= {f"from {name}": text_view(text, SHOWN) for name, text in beside.looked_up.items()}
    payload: dict[str, JsonValue] = {
        "who_asks": asked.author_name,
        "asked": asked.text,
        "said_before": json_values,
        "now": now,
        "style": _STYLES[preferred.style],
    }
    if beside.matter:
        payload["this_chat_is_about"] = f"see {_MATTER!r} under mail; its sources are numbered"
    if beside.replies_to is not None and beside.replies_to.author is AuthorKind.PERSON:
        payload["replies_to"] = {
            "who": beside.replies_to.author_name,
            "says": beside.replies_to.text[:SHOWN],
        }
    elif beside.replies_to is not None:
        payload["replies_to"] = f"see {_REPLIED!r} under mail"
        quoted[_REPLIED] = text_view(beside.replies_to.text, SHOWN)
    if beside.asker:
        payload["who_asks_has_told_you"] = dict(beside.asker)
    if beside.looked_up:
        payload["looked_up_before"] = [f"see {f'from {name}'!r}" for name in beside.looked_up]
    if beside.remembered:
        payload["memory_has"] = {
            layer: f"{count} items" for layer, count in beside.remembered.items()
        }
    if beside.pending:
        payload["still_under_way_in_this_chat"] = list(beside.pending)
    if beside.hint:
        payload["looks_like"] = beside.hint
    if preferred.language:
        payload["answer_in_language"] = preferred.language
    note = (
        "Answer what is asked, in the language that it is asked in unless told otherwise. Look "
        "things up with the other tools first; then call the tool `answer` once."
    )
    return pack(marker, payload, quoted, note)


def choose_newest(messages: Sequence[ChatMessage], most: int) -> Sequence[ChatMessage]:
    """Return the newest messages that have so many characters together at most, oldest first."""
    left = most
    for place in range(len(messages) - 1, -1, -1):
        left -= len(messages[place].text)
        if left < 0:
            return messages[place + 1 :]
    return messages


def build_whole_text(result: ToolResult, first: int) -> str:
    """Return a result as it can be read, its sources numbered from `first` on.

    A source of an item is named by its number, so a model has no way to name another one.
    """
    return text_view(build_result_text(result, first), MOST_READ)


def is_cut(whole: str) -> bool:
    """Return whether a model is shown a part of a result alone."""
    return len(_cut_part(whole, 0)) < len(whole)


def build_result_message(marker: str, whole: str, *, total: int, place: int, begin: int = 0) -> str:
    """Return what a model is told of a result: fenced, and cut.

    Args:
        marker: of the fence.
        whole: the text of the result.
        total: how many there are of what was looked for.
        place: the number of the result among those that were cut.
        begin: the character that is told first.

    """
    shown = _cut_part(whole, begin)
    payload: dict[str, JsonValue] = {"found": total, "mail": fenced(marker, shown)}
    end = begin + len(shown)
    if end < len(whole):
        payload["cut"] = (
            f"characters {begin} to {end} of {len(whole)} are shown; ask for less, or read on with "
            f'{READ_ON.name} {{"result": {place}, "begin": {end}}}'
        )
    return json.dumps(payload, ensure_ascii=False)


def _cut_part(whole: str, begin: int) -> str:
    return whole[begin:].encode("utf-8", "replace")[:SHOWN].decode("utf-8", "ignore")


def build_result_text(result: ToolResult, first: int) -> str:
    """Return a result in lines, its sources numbered from `first` on."""
    lines: list[str] = []
    number = first + len(result.about)
    if result.sentence:
        marks = "".join(f" [{place}]" for place in range(first, number))
        lines.append(f"{result.sentence}{marks}")
    for item in result.items[:MOST_ITEMS]:
        mark = ""
        if item.source is not None:
            mark, number = f"[{number}] ", number + 1
        facts = "; ".join(f"{fact.name}: {fact.value}" for fact in item.facts)
        lines.append(f"{mark}{item.title}" + (f" ({facts})" if facts else ""))
        if item.text:
            lines.append(item.text)
    if not lines:
        lines.append("Nothing was found.")
    return "\n".join(lines)


def build_failure_message(code: str, sentence: str, *, retriable: bool) -> str:
    """Return what a model is told of a call that gave nothing."""
    return json.dumps({"error": code, "sentence": sentence, "retriable": retriable})


def sources_of(result: ToolResult) -> list[Source]:
    """Return the sources of a result in the order of their numbers."""
    sources_listed = [item.source for item in result.items[:MOST_ITEMS] if item.source is not None]
    return [*result.about, *sources_listed]


def texts_of_sources(result: ToolResult) -> list[str]:
    """Return what each source of a result says, in the order of `sources_of`."""
    lines = [
        build_result_text(ToolResult(items=(item.model_copy(update={"source": None}),)), 1)
        for item in result.items[:MOST_ITEMS]
        if item.source is not None
    ]
    return [*(result.sentence for _ in result.about), *lines]


def text_without_sources(result: ToolResult) -> str:
    """Return what a result says that is of no source: how many there are, its sentence, lines."""
    plain = [item for item in result.items[:MOST_ITEMS] if item.source is None]
    sentence = "" if result.about else result.sentence
    return f"{result.total}; {len(result.items)}; {sentence}\n" + "\n".join(
        build_result_text(ToolResult(items=(item,)), 1) for item in plain
    )


def read_spoken_text(content: object) -> str:
    """Return what a model has answered as it wrote it; empty where it is no answer."""
    try:
        return ChatForm.model_validate(content).text
    except ValidationError:
        return ""


def read_answer(content: object, sources: Sequence[Source]) -> Answer | None:
    """Return what a model has answered, with the sources that it names; None where it is no answer.

    A number that no result had is taken out; the others count from one in the order of naming.
    """
    text = read_spoken_text(content)
    if not text:
        return None
    numbers: dict[int, int] = {}

    def renumber(match: object) -> str:
        number = int(match.group(1))  # type: ignore[attr-defined]
        if not 1 <= number <= len(sources):
            return ""
        return f"[{numbers.setdefault(number, len(numbers) + 1)}]"

    text = _REFERENCE.sub(renumber, text)
    cited_sources = tuple(sources[number - 1] for number in numbers)
    pieces = tuple(piece for piece in text.split("\n\n") if piece.strip())
    return Answer(pieces=pieces, sources=cited_sources) if pieces else None
