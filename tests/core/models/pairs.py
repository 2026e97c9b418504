"""What a provider refuses of the calls and results of a request, in both dialects."""

from typing import Any

from tests.core.models.wire import Seen


def unpaired(seen: Seen) -> list[str]:
    """Return what is wrong with the calls and results of a request; nothing where all are paired.

    Each call has an id of its own and one result, in what comes next, and no result is without.
    """
    wrong: list[str] = []
    ids: set[str] = set()
    open_ids: list[str] = []
    for message in seen.body["messages"]:
        if message["role"] == "assistant":
            wrong += [f"{id} has no result" for id in open_ids]
            open_ids = _calls(message)
            wrong += [f"{id} is there twice" for id in open_ids if id in ids]
            wrong += ["one id twice"] * (len(set(open_ids)) < len(open_ids))
            ids |= set(open_ids)
            continue
        for result in _results(message):
            if result in open_ids:
                open_ids.remove(result)
            else:
                wrong.append(f"{result} has no call")
        if message["role"] == "user":
            wrong += [f"{id} has no result" for id in open_ids]
            open_ids = []
    return wrong + [f"{id} has no result" for id in open_ids]


def _calls(message: dict[str, Any]) -> list[str]:
    blocks = message["content"] if isinstance(message["content"], list) else ()
    return [call["id"] for call in message.get("tool_calls") or ()] + [
        block["id"] for block in blocks if block.get("type") == "tool_use"
    ]


def _results(message: dict[str, Any]) -> list[str]:
    if message["role"] == "tool":
        return [message["tool_call_id"]]
    blocks = message["content"] if isinstance(message["content"], list) else ()
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if results and blocks[: len(results)] != results:
        return ["what stands behind other words"]
    return [block["tool_use_id"] for block in results]
