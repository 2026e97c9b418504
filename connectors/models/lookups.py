"""Tools of a question, in the terms of pydantic-ai: offered, called, answered, and never run here.

They are *external* tools there: a run ends with the calls, and goes on in another run with what
they gave.
"""

from typing import TYPE_CHECKING, TypedDict, cast

from pydantic_ai import DeferredToolRequests, DeferredToolResults, ExternalToolset
from pydantic_ai.tools import ToolDefinition

from data.asking import Question, ToolCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_ai.messages import ModelMessage


class Resumed(TypedDict, total=False):
    """What a run is given that goes on from another."""

    message_history: "Sequence[ModelMessage]"
    deferred_tool_results: DeferredToolResults


def toolset_of(question: Question) -> ExternalToolset[object]:
    """Return the tools of a question."""
    return ExternalToolset(
        [
            ToolDefinition(
                name=one.name,
                description=one.tells,
                parameters_json_schema=one.takes.model_json_schema(),
            )
            for one in question.tools
        ]
    )


def results_of(question: Question) -> Resumed:
    """Return the turns so far with what the last calls gave; nothing for a first question."""
    if question.talk is None:
        return {}
    return {
        "message_history": cast("Sequence[ModelMessage]", question.talk.history),
        "deferred_tool_results": DeferredToolResults(calls=dict(question.talk.results)),
    }


def calls_of(asked: DeferredToolRequests) -> tuple[ToolCall, ...]:
    """Return what the model wants to look up."""
    return tuple(
        ToolCall(id=one.tool_call_id, name=one.tool_name, arguments=one.args_as_dict())
        for one in asked.calls
    )
