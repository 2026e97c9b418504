"""Requests for servers that speak a part of chat completions, such as llama.cpp's own in Python.

Such a server refuses a call that is demanded without a name and an answer without text, streams
calls wrongly or not at all, and does not show its model what came of a call. What is asked is the
same; it is only said in words that the server knows, and nothing is streamed.
"""

import json

import httpx2
from pydantic import JsonValue

from connectors.models.bounded_transport import BoundedTransport
from data.records.core.messages import ANSWER

_BOUNDS = ("maxLength", "minLength")
_RESULT = "This was found. Answer the question from it."


class PlainTransport(BoundedTransport):
    """Says what is asked in the part of the API that smaller servers know."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Ask, with the body said anew; raises what `BoundedTransport` does."""
        body = _body(request.content)
        if body is not None:
            content = json.dumps(in_plain_words(body), ensure_ascii=False).encode()
            headers = request.headers.copy()
            headers["content-length"] = str(len(content))
            request = httpx2.Request(
                request.method,
                request.url,
                headers=headers,
                content=content,
                extensions=request.extensions,
            )
        return await super().handle_async_request(request)


def _body(content: bytes) -> dict[str, JsonValue] | None:
    """Return a request of a conversation; None of any other."""
    read = json.loads(content) if content else None
    return read if isinstance(read, dict) and isinstance(read.get("messages"), list) else None


def in_plain_words(body: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Return a request as a server understands it that speaks a part of the API.

    The only tool there is is asked for by its name. Of several the model chooses, once: when a tool
    has answered, the form is demanded, because a small model calls on and on. No text is an empty
    text, and what a tool has answered stands where a person speaks.
    """
    tools, messages = body.get("tools"), body["messages"]
    plain = dict(body)
    if isinstance(messages, list):
        plain["messages"] = [
            _plain_message(message) for message in messages if isinstance(message, dict)
        ]
    if isinstance(tools, list):
        plain["tools"] = [_without_bounds(tool) for tool in tools]
    if isinstance(tools, list) and body.get("tool_choice") == "required":
        plain["tool_choice"] = _choice(tools, messages)
    return plain


def _without_bounds(schema: JsonValue) -> JsonValue:
    """Return a schema without the lengths of texts: llama.cpp ends over a grammar of 2,000 letters.

    Whoever takes the answer holds it to them all the same.
    """
    if isinstance(schema, dict):
        return {
            name: _without_bounds(value) for name, value in schema.items() if name not in _BOUNDS
        }
    return [_without_bounds(part) for part in schema] if isinstance(schema, list) else schema


def _choice(tools: list[JsonValue], messages: JsonValue) -> JsonValue:
    """Return which tool is to be called."""
    forms = [tool for tool in tools if _name(tool) == ANSWER]
    message_list = messages if isinstance(messages, list) else []
    looked_up = any(
        isinstance(message, dict) and message.get("role") == "tool" for message in message_list
    )
    if len(tools) == 1 or (looked_up and forms):
        form_name = _name((forms or tools)[0])
        return {"type": "function", "function": {"name": form_name}}
    return "auto"


def _name(tool: JsonValue) -> str:
    """Return what a tool is called."""
    function = tool.get("function") if isinstance(tool, dict) else None
    return str(function.get("name") or "") if isinstance(function, dict) else ""


def _plain_message(message: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Return a message with a text, in which what a tool has answered is said by the user."""
    if message.get("role") == "tool":
        return {"role": "user", "content": f"{_RESULT}\n{message.get('content') or ''}"}
    return message if message.get("content") is not None else message | {"content": ""}
