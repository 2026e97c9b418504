"""Agents as the models of a chat program: the wire form of OpenAI's chat completions.

Of a request what counts here is read and the rest passed over: an agent has a prompt, tools and
limits of its own, which a program cannot set (platform.openai.com/docs/api-reference/chat).
"""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from data.records.agents.chats import LONGEST_MESSAGE
from data.records.core.record import Record

CompletionText = Annotated[str, Field(max_length=LONGEST_MESSAGE)]


class ContentPart(Record):
    """A piece of a message."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["text"]
    text: CompletionText


class PastMessage(Record):
    """One message of the conversation, as the program keeps it."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: CompletionText | Annotated[tuple[ContentPart, ...], Field(max_length=50)] = ""
    """Empty where an answer of another model was nothing but calls of tools."""

    @field_validator("content", mode="before")
    @classmethod
    def _is_text(cls, content: object) -> object:
        """Refuse pictures, sounds and files in a sentence."""
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and part.get("type") != "text":
                raise ValueError("only text is read here: no pictures, sounds or files")
        return "" if content is None else content

    @property
    def text(self) -> str:
        """The words of it."""
        if isinstance(self.content, str):
            return self.content.strip()
        return "\n".join(part.text for part in self.content).strip()

    @model_validator(mode="after")
    def _is_one_message(self) -> Self:
        if len(self.text) > LONGEST_MESSAGE:
            raise ValueError(
                f"a message has at most {LONGEST_MESSAGE} characters, in all its parts"
            )
        return self


class StreamOptions(Record):
    """What a program wants of a stream besides the answer."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class CompletionRequest(Record):
    """What a chat program asks."""

    model_config = ConfigDict(extra="ignore")

    model: str = Field(max_length=200)
    """The agent, as `organization/agent`; the agent alone where a person has one organization."""
    messages: tuple[PastMessage, ...] = Field(min_length=1, max_length=500)
    n: int | None = Field(default=None, ge=1, le=1)
    """How many answers are wanted: there is one."""
    stream: bool = False
    stream_options: StreamOptions | None = None


class OfferedModel(Record):
    """An agent, as a model that can be chosen."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str


class OfferedModels(Record):
    """The agents that a person can choose."""

    object: Literal["list"] = "list"
    data: tuple[OfferedModel, ...]


class CompletionMessage(Record):
    """What the agent says, or the next piece of it."""

    role: Literal["assistant"] | None = None
    content: str | None = None


class Choice(Record):
    """The one answer, or the next piece of it."""

    index: int = 0
    message: CompletionMessage | None = None
    delta: CompletionMessage | None = None
    finish_reason: Literal["stop"] | None = None


class CompletionUsage(Record):
    """Tokens that the models of the organization read and wrote for an answer; 0 without one."""

    prompt_tokens: int
    """All that was read, what came from a cache too."""
    completion_tokens: int
    total_tokens: int


class Completion(Record):
    """An answer, or the next piece of it."""

    id: str
    object: Literal["chat.completion", "chat.completion.chunk"]
    created: int
    model: str
    choices: tuple[Choice, ...]
    usage: CompletionUsage | None = None
    """None in the pieces of a stream but the last, which a program has to ask for."""
