"""Chat completions as OpenAI-compatible servers speak them, as far as Postern uses them."""

import json
from collections.abc import Callable
from typing import Any

from tests.core.models.wire import Answer, Seen, Step, plain

USAGE = {
    "prompt_tokens": 1_020,
    "completion_tokens": 60,
    "total_tokens": 1_080,
    "prompt_tokens_details": {"cached_tokens": 900},
}
"""900 of 1,020 tokens come from the cache."""


def fills(
    form: object | Callable[[Seen], object],
    *,
    usage: dict[str, Any] | None = None,
    wait: float = 0.0,
    pause: float = 0.0,
    stop: str = "tool_calls",
    tool: str | None = None,
    cut: bool = False,
    size: int = 40,
) -> Step:
    """Fill `form` (or what it makes of the request) into the function that the request offers."""

    def step(seen: Seen) -> Answer:
        filled = form(seen) if callable(form) else form
        name = tool or "answer"
        whole = filled if isinstance(filled, str) else json.dumps(filled)
        if not seen.body.get("stream"):
            call = {
                "id": "call_1",
                "type": "function",
                "function": {"name": name, "arguments": whole},
            }
            return _whole(seen, {"content": None, "tool_calls": [call]}, stop, usage, wait, cut)
        opening = {"name": name, "arguments": ""}
        deltas: list[dict[str, Any]] = [
            {"role": "assistant", "tool_calls": [_part(opening, id="call_1", type="function")]}
        ]
        deltas += [
            {"tool_calls": [_part({"arguments": whole[at : at + size]})]}
            for at in range(0, len(whole), size)
        ]
        return _streamed(seen, deltas, stop, usage, wait, pause, cut)

    return step


def looks_up(*calls: tuple[str, object]) -> Step:
    """Call functions, each by its name with its arguments, instead of answering."""

    def step(seen: Seen) -> Answer:
        asked = [
            {
                "id": f"call_{len(seen.raw)}_{at}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(given)},
            }
            for at, (name, given) in enumerate(calls)
        ]
        if not seen.body.get("stream"):
            told = {"content": None, "tool_calls": asked}
            return _whole(seen, told, "tool_calls", None, 0, False)
        deltas = [
            {"role": "assistant", "tool_calls": [{**call, "index": at}]}
            for at, call in enumerate(asked)
        ]
        return _streamed(seen, deltas, "tool_calls", None, 0, 0, False)

    return step


def looked_up(seen: Seen) -> list[str]:
    """Return what the request says that functions have given, oldest first."""
    return [str(one["content"]) for one in seen.body["messages"] if one["role"] == "tool"]


def offered(seen: Seen) -> dict[str, dict[str, Any]]:
    """Return the functions of a request: the schema of each by its name."""
    named = [one["function"] for one in seen.body["tools"]]
    return {one["name"]: one["parameters"] for one in named}


def says(text: str, *, stop: str = "stop", refusal: str | None = None) -> Step:
    """Answer with text, or a refusal, instead of the form."""

    def step(seen: Seen) -> Answer:
        told = {"content": text or None, "refusal": refusal}
        if seen.body.get("stream"):
            return _streamed(seen, [{"role": "assistant", **told}], stop, None, 0, 0, False)
        return _whole(seen, told, stop, None, 0, False)

    return step


def error(status: int, kind: str, message: str = "as the script says", **headers: str) -> Step:
    """Answer with an error of the API."""
    return plain(status, {"error": {"message": message, "type": kind, "code": None}}, **headers)


def listed(*names: str) -> Step:
    """Know these models."""
    models = [{"id": name, "object": "model", "created": 1, "owned_by": "x"} for name in names]
    return plain(200, {"object": "list", "data": models})


def _part(function: dict[str, str], **more: str) -> dict[str, Any]:
    return {"index": 0, **more, "function": function}


def _whole(
    seen: Seen,
    told: dict[str, Any],
    stop: str,
    usage: dict[str, Any] | None,
    wait: float,
    cut: bool,
) -> Answer:
    message = {"role": "assistant", **told}
    body = {
        **_frame(seen, "chat.completion"),
        "choices": [{"index": 0, "message": message, "finish_reason": stop}],
        "usage": usage or USAGE,
    }
    return Answer(pieces=(json.dumps(body).encode(),), wait=wait, cut=cut)


def _streamed(
    seen: Seen,
    deltas: list[dict[str, Any]],
    stop: str,
    usage: dict[str, Any] | None,
    wait: float,
    pause: float,
    cut: bool,
) -> Answer:
    frame = _frame(seen, "chat.completion.chunk")
    chunks: list[dict[str, Any]] = [
        {**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]
    chunks.append({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}]})
    chunks.append({**frame, "choices": [], "usage": usage or USAGE})
    pieces = tuple(f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks)
    pieces = pieces[: len(pieces) // 2] if cut else (*pieces, b"data: [DONE]\n\n")
    kind = {"content-type": "text/event-stream"}
    return Answer(headers=kind, pieces=pieces, wait=wait, pause=pause, cut=cut)


def _frame(seen: Seen, kind: str) -> dict[str, Any]:
    return {"id": "chat_1", "object": kind, "created": 1, "model": seen.body["model"]}
