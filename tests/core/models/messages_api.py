"""Anthropic's Messages API, as far as Postern uses it: answers by tool, streamed or whole."""

import json
from collections.abc import Callable
from typing import Any

from tests.core.models.wire import Answer, Seen, Step, plain

USAGE = {
    "input_tokens": 120,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 900,
    "output_tokens": 60,
}
"""900 of 1,020 tokens come from the cache."""


def fills(
    form: object | Callable[[Seen], object],
    *,
    usage: dict[str, int] | None = None,
    wait: float = 0.0,
    pause: float = 0.0,
    stop: str = "tool_use",
    tool: str | None = None,
    cut: bool = False,
    size: int = 40,
) -> Step:
    """Fill `form` (or what it makes of the request) into the tool that the request offers."""

    def step(seen: Seen) -> Answer:
        filled = form(seen) if callable(form) else form
        name = tool or "answer"
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": filled}
        return _answer(seen, [block], stop, usage or USAGE, wait, pause, cut, size)

    return step


def looks_up(*calls: tuple[str, object]) -> Step:
    """Call tools, each by its name with its arguments, instead of answering."""
    return lambda seen: _answer(
        seen,
        [
            {"type": "tool_use", "id": f"toolu_{len(seen.raw)}_{at}", "name": name, "input": given}
            for at, (name, given) in enumerate(calls)
        ],
        "tool_use", USAGE, 0, 0, False, 40,
    )  # fmt: skip


def looked_up(seen: Seen) -> list[str]:
    """Return what the request says that tools have given, oldest first."""
    blocks = [one for turn in seen.body["messages"] for one in _blocks(turn["content"])]
    given = [one["content"] for one in blocks if one.get("type") == "tool_result"]
    return [one if isinstance(one, str) else one[0]["text"] for one in given]


def _blocks(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [] if isinstance(content, str) else content


def offered(seen: Seen) -> dict[str, dict[str, Any]]:
    """Return the tools of a request: the schema of each by its name."""
    return {one["name"]: one["input_schema"] for one in seen.body["tools"]}


def says(text: str, *, stop: str = "end_turn") -> Step:
    """Answer with text instead of the form."""
    block = {"type": "text", "text": text}
    return lambda seen: _answer(seen, [block], stop, USAGE, 0, 0, False, 40)


def error(status: int, kind: str, message: str = "as the script says", **headers: str) -> Step:
    """Answer with an error of the API."""
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    return plain(status, body, **headers)


def listed(_: Seen) -> Answer:
    """Know every model by name."""
    model = {
        "type": "model",
        "id": "any",
        "display_name": "Any",
        "created_at": "2026-01-01T00:00:00Z",
    }
    return Answer(pieces=(json.dumps(model).encode(),))


def _answer(
    seen: Seen,
    blocks: list[dict[str, Any]],
    stop: str,
    usage: dict[str, int],
    wait: float,
    pause: float,
    cut: bool,
    size: int,
) -> Answer:
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": seen.body["model"],
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
    }
    if not seen.body.get("stream"):
        return Answer(pieces=(json.dumps(message).encode(),), wait=wait, cut=cut)
    pieces = tuple(_event(*one) for one in _events(message, blocks, stop, usage, size))
    if cut:
        pieces = pieces[: len(pieces) // 2]
    kind = {"content-type": "text/event-stream"}
    return Answer(headers=kind, pieces=pieces, wait=wait, pause=pause, cut=cut)


def _events(
    message: dict[str, Any],
    blocks: list[dict[str, Any]],
    stop: str,
    usage: dict[str, int],
    size: int,
) -> list[tuple[str, dict[str, Any]]]:
    begun = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": begun})]
    for index, block in enumerate(blocks):
        tool = block["type"] == "tool_use"
        empty = {**block, "input": {}} if tool else {**block, "text": ""}
        whole = json.dumps(block["input"]) if tool else block["text"]
        events.append(("content_block_start", {"index": index, "content_block": empty}))
        for at in range(0, len(whole), size):
            part = whole[at : at + size]
            delta = (
                {"type": "input_json_delta", "partial_json": part}
                if tool
                else {"type": "text_delta", "text": part}
            )
            events.append(("content_block_delta", {"index": index, "delta": delta}))
        events.append(("content_block_stop", {"index": index}))
    ended = {"stop_reason": stop, "stop_sequence": None}
    events.append(("message_delta", {"delta": ended, "usage": usage}))
    events.append(("message_stop", {}))
    return events


def _event(name: str, fields: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **fields})}\n\n".encode()
