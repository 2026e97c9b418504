"""Calls and results of a history in pairs, as every provider demands that they are.

A history can come apart: a turn was cut, a row was lost or erased, a server gave one id twice. One
that does is mended the same way each time that it is sent, so that what a model is told stays.
"""

from collections import deque

from data.records.core.messages import (
    CallPart,
    ModelMessage,
    ModelMessages,
    ModelRequest,
    ModelResponse,
    ResultPart,
    TextPart,
    ThinkingPart,
    UserPart,
)

NO_RESULT = (
    '{"error": "INTERNAL_ERROR", "sentence": "Nothing is known of what came of this call.", '
    '"retriable": false}'
)
"""What a model is told of a call of which there is no result."""
_NOTHING = "(What was here answered no call.)"
_LONGEST_ID = 36
Results = dict[tuple[int, int], ResultPart]
"""By the places of the answer and of the call in it."""


def pair_calls(messages: ModelMessages) -> ModelMessages:
    """Return a history in which each call has one result, in the request behind it, in its order.

    A result that stands further on is put there; a call that has none gets an error. A result
    without a call before it is left out. Of several calls of one id the later ones get another.
    """
    results = _results(messages)
    mended: list[ModelMessage] = []
    ids: set[str] = set()
    due: tuple[ResultPart, ...] = ()
    for place, message in enumerate(messages.messages):
        if isinstance(message, ModelRequest):
            others = tuple(part for part in message.parts if not isinstance(part, ResultPart))
            parts = (*due, *others) or (UserPart(text=_NOTHING),)
            mended.append(ModelRequest(parts=parts))
            due = ()
            continue
        if due:
            mended.append(ModelRequest(parts=due))
        response = _with_own_ids(message, ids)
        due = tuple(
            _result(call, results.get((place, number)))
            for number, call in enumerate(_calls(response))
        )
        mended.append(response)
    if due:
        mended.append(ModelRequest(parts=due))
    return ModelMessages(messages=tuple(mended))


def _results(messages: ModelMessages) -> Results:
    """Return the result of each call that has one; that of a later call of its id is not its."""
    results: Results = {}
    waiting: dict[str, deque[tuple[int, int]]] = {}
    for place, message in enumerate(messages.messages):
        if isinstance(message, ModelResponse):
            calls = _calls(message)
            waiting |= {call.id: deque() for call in calls}
            for number, call in enumerate(calls):
                waiting[call.id].append((place, number))
            continue
        for part in message.parts:
            if isinstance(part, ResultPart) and waiting.get(part.call_id):
                results[waiting[part.call_id].popleft()] = part
    return results


def _calls(message: ModelResponse) -> list[CallPart]:
    """Return the calls of an answer, a form that was filled in among them."""
    return [part for part in message.parts if isinstance(part, CallPart)]


def _with_own_ids(message: ModelResponse, ids: set[str]) -> ModelResponse:
    """Return an answer whose calls have ids that none before has; they are added to `ids`."""
    parts: list[TextPart | ThinkingPart | CallPart] = []
    for part in message.parts:
        if not isinstance(part, CallPart):
            parts.append(part)
            continue
        own_id = part.id or "call"
        number = 1
        while own_id in ids:
            number += 1
            own_id = f"{(part.id or 'call')[:_LONGEST_ID]}-{number}"
        ids.add(own_id)
        parts.append(part if own_id == part.id else part.model_copy(update={"id": own_id}))
    return message.model_copy(update={"parts": tuple(parts)})


def _result(call: CallPart, result: ResultPart | None) -> ResultPart:
    if result is None:
        return ResultPart(call_id=call.id, tool=call.tool, text=NO_RESULT, failed=True)
    return result.model_copy(update={"call_id": call.id})
