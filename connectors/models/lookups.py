"""Tools of a question, in the terms of pydantic-ai: offered, called, answered, and never run here.

They are *external* tools there: a run ends with the calls, and goes on in another run from a
history that ends with what they gave.
"""

import json
from collections.abc import Sequence
from functools import lru_cache

from pydantic import BaseModel, JsonValue
from pydantic_ai import DeferredToolRequests, ExternalToolset
from pydantic_ai import messages as library
from pydantic_ai.tools import ToolDefinition

from data.pairing import pair_calls
from data.records.core.asking import LookupCall, Question
from data.records.core.messages import (
    ANSWER,
    CallPart,
    ModelMessages,
    ModelRequest,
    ModelResponse,
    ResultPart,
    SystemPart,
    TextPart,
    ThinkingPart,
    UserPart,
)
from data.strict_json import MOST_DEPTH, read_object

_TEXT_SHOWN = 2_000
"""Characters of arguments that are no object; what is wrong with them is mostly seen there."""


def toolset_of(question: Question) -> ExternalToolset[object]:
    """Return the tools of a question."""
    return ExternalToolset(
        [
            ToolDefinition(
                name=tool.name,
                description=tool.tells,
                parameters_json_schema=_schema_of(tool.takes),
            )
            for tool in question.tools
        ]
    )


@lru_cache(maxsize=512)
def _schema_of(takes: type[BaseModel]) -> dict[str, JsonValue]:
    """Return the schema of a tool's arguments; making it takes a millisecond."""
    return takes.model_json_schema()


def history_of(messages: ModelMessages) -> list[library.ModelMessage]:
    """Return a history in the library's form, its calls and results in pairs.

    The system prompt goes along with each request.
    """
    return [
        _request(message) if isinstance(message, ModelRequest) else _response(message)
        for message in pair_calls(messages).messages
    ]


def _request(message: ModelRequest) -> library.ModelRequest:
    parts: list[library.ModelRequestPart] = []
    for part in message.parts:
        if isinstance(part, UserPart):
            parts.append(library.UserPromptPart(content=part.text))
        elif isinstance(part, ResultPart):
            parts.append(
                library.ToolReturnPart(
                    tool_name=part.tool,
                    content=part.text,
                    tool_call_id=part.call_id,
                    outcome="failed" if part.failed else "success",
                )
            )
        else:
            assert isinstance(part, SystemPart)  # noqa: S101  # the set is closed
    return library.ModelRequest(parts=parts)


def _response(message: ModelResponse) -> library.ModelResponse:
    parts: list[library.ModelResponsePart] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            parts.append(library.TextPart(content=part.text))
        elif isinstance(part, ThinkingPart):
            parts.append(
                library.ThinkingPart(
                    content=part.text,
                    signature=part.signature or None,
                    provider_name=part.provider or None,
                )
            )
        else:
            arguments = part.arguments if isinstance(part.arguments, dict) else None
            parts.append(
                library.ToolCallPart(tool_name=part.tool, args=arguments, tool_call_id=part.id)
            )
    return library.ModelResponse(parts=parts, model_name=message.model)


def response_of(messages: Sequence[library.ModelMessage], model: str) -> ModelResponse:
    """Return what a model has answered last; what it gave besides words and calls is left out."""
    last = next(
        message for message in reversed(messages) if isinstance(message, library.ModelResponse)
    )
    parts: list[TextPart | ThinkingPart | CallPart] = []
    for part in last.parts:
        if isinstance(part, library.TextPart):
            parts.append(TextPart(text=part.content))
        elif isinstance(part, library.ThinkingPart):
            parts.append(
                ThinkingPart(
                    text=part.content,
                    signature=part.signature or "",
                    provider=part.provider_name or "",
                )
            )
        elif isinstance(part, library.ToolCallPart):
            parts.append(
                CallPart(id=part.tool_call_id, tool=part.tool_name, arguments=arguments_of(part))
            )
    return ModelResponse(model=model, parts=tuple(parts))


def calls_of(asked: DeferredToolRequests) -> tuple[LookupCall, ...]:
    """Return what the model wants to look up."""
    return tuple(
        LookupCall(id=call.tool_call_id, name=call.tool_name, arguments=arguments_of(call))
        for call in asked.calls
    )


def arguments_of(call: library.ToolCallPart) -> JsonValue:
    """Return the arguments of a call: an object, or the beginning of a text that is none.

    Whoever checks them says what is wrong with the text. An object that a library has read may
    hold what is no JSON, and becomes such a text too.
    """
    if not call.args:
        return {}
    try:
        text = call.args if isinstance(call.args, str) else json.dumps(call.args)
    except RecursionError:
        return "[" * MOST_DEPTH
    try:
        return read_object(text)
    except ValueError:
        return text[:_TEXT_SHOWN].encode("utf-8", "replace").decode()


def calls_heard(messages: Sequence[library.ModelMessage]) -> tuple[LookupCall, ...]:
    """Return the calls that a run ended over, where they are calls and nothing of an answer."""
    answered = [message for message in messages if isinstance(message, library.ModelResponse)]
    if not answered:
        return ()
    parts = [part for part in answered[-1].parts if isinstance(part, library.ToolCallPart)]
    if not parts or any(part.tool_name == ANSWER for part in parts):
        return ()
    return calls_of(DeferredToolRequests(calls=parts))
