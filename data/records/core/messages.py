"""Requests to models, and their responses: neutral of providers, and kept as JSON.

The form has a version, and is ours: what is kept has to be readable after a library has changed
its own, and is written where no library of a provider is loaded.
"""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, JsonValue, TypeAdapter, ValidationError

from data.errors import StoreError
from data.records.core.record import Record

ANSWER = "answer"
"""The tool that a model fills in a form with."""


class SystemPart(Record):
    """The system prompt."""

    kind: Literal["system"] = "system"
    text: str


class UserPart(Record):
    """What is asked."""

    kind: Literal["user"] = "user"
    text: str


class ResultPart(Record):
    """What a call of a tool gave."""

    kind: Literal["tool_result"] = "tool_result"
    call_id: str
    """The call's."""
    tool: str
    text: str
    failed: bool = False
    """Whether it gave nothing, and the text says why."""


class TextPart(Record):
    """What a model says."""

    kind: Literal["text"] = "text"
    text: str


class ThinkingPart(Record):
    """What a model has thought before it answered, where it tells."""

    kind: Literal["thinking"] = "thinking"
    text: str
    signature: str = ""
    """By which its provider knows it again."""
    provider: str = ""


class CallPart(Record):
    """A tool that a model wants to be called; as untrusted as what it says."""

    kind: Literal["tool_call"] = "tool_call"
    id: str
    tool: str
    arguments: JsonValue


class ModelRequest(Record):
    """What is sent to a model."""

    role: Literal["request"] = "request"
    parts: tuple[Annotated[SystemPart | UserPart | ResultPart, Discriminator("kind")], ...]


class ModelResponse(Record):
    """What a model gives back."""

    role: Literal["response"] = "response"
    model: str = ""
    """Its name, as it was asked for."""
    parts: tuple[Annotated[TextPart | ThinkingPart | CallPart, Discriminator("kind")], ...]

    @property
    def calls(self) -> tuple[CallPart, ...]:
        """What it wants to be called, without the form."""
        return tuple(
            part for part in self.parts if isinstance(part, CallPart) and part.tool != ANSWER
        )


ModelMessage = Annotated[ModelRequest | ModelResponse, Discriminator("role")]


class ModelMessages(Record):
    """A history of requests, in their order."""

    version: Literal[1] = 1
    """Of this form; a later one reads every earlier one."""
    messages: tuple[ModelMessage, ...] = Field(default=())

    def followed_by(self, *more: ModelRequest | ModelResponse) -> "ModelMessages":
        """Return the history with what came after it."""
        return ModelMessages(messages=(*self.messages, *more))


MODEL_MESSAGES = TypeAdapter(ModelMessages)


def messages_text(messages: ModelMessages) -> str:
    """Return a history as JSON; what cannot be encoded becomes question marks."""
    encodable = _encodable(MODEL_MESSAGES.dump_python(messages))
    return MODEL_MESSAGES.dump_json(MODEL_MESSAGES.validate_python(encodable)).decode()


def messages_from(text: str) -> ModelMessages:
    """Return a history that was kept.

    Raises:
        StoreError: it is not one, or was written by a newer Postern.

    """
    try:
        return MODEL_MESSAGES.validate_json(text)
    except ValidationError as error:
        raise StoreError(
            "a history of requests cannot be read; it was written by a newer Postern, or changed "
            "beside it"
        ) from error


def _encodable(value: object) -> object:
    """Return a value whose texts hold no lone surrogates, which models can write."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(name): _encodable(one) for name, one in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list | tuple) else value
