"""Questions to language models, and replies: the contract of every provider.

A provider gets a question (a constant system prompt, one JSON object, a closed form) and gives
back whatever the model put into the form, as plain data. Who asks validates it again: a model's
answer is material, like mail.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Protocol

from pydantic import BaseModel, Field, JsonValue
from pydantic_core import to_jsonable_python

from data.errors import ModelError
from data.records.core.manifest_format import ModelTier
from data.records.core.messages import (
    ANSWER,
    CallPart,
    ModelMessages,
    ModelRequest,
    ModelResponse,
    SystemPart,
    UserPart,
)
from data.records.core.record import Record

OnText = Callable[[str], None]
"""Called with the text written so far, each time it has grown."""


@dataclass(frozen=True, kw_only=True)
class ToolOffer:
    """Something that a model may look up before it answers."""

    name: str
    tells: str
    """What it does, in one sentence; part of what the model reads."""
    takes: type[BaseModel]
    """Its arguments."""


@dataclass(frozen=True, kw_only=True)
class LookupCall:
    """What a model wants to look up; as untrusted as its answers."""

    id: str
    """What the provider calls this call."""
    name: str
    arguments: JsonValue
    """Not yet validated."""


@dataclass(frozen=True, kw_only=True)
class Talk:
    """What went to and fro before a question is asked again."""

    messages: ModelMessages
    """All of it; the last one is the request with what the calls have given."""
    follows: str
    """Id of the call that it goes on from."""
    tokens: int
    """A bound of the tokens of all of it."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """One thing that a model is asked."""

    agent: str
    """Slug of the agent that is asked."""
    system: str
    """The system prompt: the same for every message of an organization."""
    user: str
    """One JSON object; mail stands in it as fenced strings and nowhere else."""
    form: type[BaseModel]
    """The closed form of the answer."""
    tier: ModelTier
    """The class of model."""
    max_tokens: int
    """Most tokens of the answer."""
    budget: float = 0.0
    """Most that one call may cost, in US dollars; 0 for no limit of its own."""
    model: str = ""
    """Name of the model; empty for that of the class."""
    temperature: float | None = None
    """How freely it writes; None leaves it to the provider."""
    tools: tuple[ToolOffer, ...] = ()
    """What may be looked up instead of answering."""
    talk: Talk | None = None
    """What was looked up so far."""
    void_if_leaked: bool = True
    """Whether an answer that repeats the organization's private mark counts as none; where who asks
    looks for the mark in the answer itself, it need not."""

    @property
    def messages(self) -> ModelMessages:
        """All that is sent, without form and tools."""
        if self.talk is not None:
            return self.talk.messages
        first = ModelRequest(parts=(SystemPart(text=self.system), UserPart(text=self.user)))
        return ModelMessages(messages=(first,))

    @property
    def request(self) -> ModelRequest:
        """What of it has not been sent before."""
        last = self.messages.messages[-1]
        assert isinstance(last, ModelRequest)  # noqa: S101  # nobody is asked with an answer
        return last

    @property
    def most_tokens_in(self) -> int:
        """Return a bound of the tokens of prompt and form: no token is shorter than a byte."""
        prompt_bytes = len(f"{self.system}{self.user}".encode("utf-8", "replace"))
        tools = sum(
            len(f"{tool.name}{tool.tells}".encode()) + _form_bytes(tool.takes)
            for tool in self.tools
        )
        return (
            prompt_bytes
            + _form_bytes(self.form)
            + tools
            + (self.talk.tokens if self.talk else 0)
            + 1_000
        )


@cache
def _form_bytes(form: type[BaseModel]) -> int:
    return len(str(form.model_json_schema()).encode())


@dataclass(frozen=True, kw_only=True)
class Brief:
    """What every question to one agent has in common for one organization."""

    agent: str
    """The agent's slug."""
    system: str
    """The system prompt."""
    tier: ModelTier = ModelTier.FAST
    """The class of model."""
    budget: float = 0.0
    """Most that one call may cost, US dollars; 0 for no limit of its own."""
    tools: tuple[str, ...] = ()
    """Names of what may be looked up."""
    model: str = ""
    """Name of the model; empty for that of the class."""
    temperature: float | None = None
    """How freely it writes; None leaves it to the provider."""

    def question(
        self,
        user: str,
        form: type[BaseModel],
        max_tokens: int,
        *,
        tools: tuple[ToolOffer, ...] = (),
        void_if_leaked: bool = True,
    ) -> Question:
        """Return a question to the agent: what differs from one to the next, and what does not."""
        return Question(
            agent=self.agent,
            system=self.system,
            user=user,
            form=form,
            tier=self.tier,
            max_tokens=max_tokens,
            budget=self.budget,
            model=self.model,
            temperature=self.temperature,
            tools=tools,
            void_if_leaked=void_if_leaked,
        )


class TokenUsage(Record):
    """What one call has used, in tokens."""

    tokens_in: int = Field(default=0, ge=0)
    """Everything that was read, with what came from the cache and went into it."""
    cache_read: int = Field(default=0, ge=0)
    """The part of `tokens_in` that came from the provider's prompt cache."""
    cache_write: int = Field(default=0, ge=0)
    """The part of `tokens_in` that was put into it."""
    tokens_out: int = Field(default=0, ge=0)

    @property
    def known(self) -> bool:
        """Whether the provider has told it: no answer reads nothing, or writes nothing."""
        return self.tokens_in > 0 and self.tokens_out > 0


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """What came back."""

    content: object
    """What the model filled into the form; not yet validated by who asked."""
    usage: TokenUsage
    model: str
    """The model's name, as it was asked for."""
    calls: tuple[LookupCall, ...] = ()
    """What it wants to look up first; then there is no content."""
    response: ModelResponse | None = field(default=None, repr=False)
    """All that came, where the provider tells more than the form and the calls."""
    call_id: str = ""
    """Of the call, once it is on the books; a talk goes on from it."""

    @property
    def answer(self) -> ModelResponse:
        """What came back, as it is kept."""
        if self.response is not None:
            return self.response
        calls = [
            CallPart(
                id=call.id,
                tool=call.name,
                arguments=to_jsonable_python(call.arguments, fallback=str),
            )
            for call in self.calls
        ]
        content = to_jsonable_python(self.content, fallback=str)
        filled = CallPart(id=ANSWER, tool=ANSWER, arguments=content)
        return ModelResponse(model=self.model, parts=tuple(calls or [filled]))


@dataclass(frozen=True, kw_only=True)
class Charge:
    """Whom a call is counted for; what is None has no part in it, and no caps."""

    item: str | None = None
    """The message or case that it is about."""
    sender: str | None = None
    """Whose mail it is about."""
    turn: str | None = None
    """The agent's turn that it belongs to; one that was handed on counts for the first."""
    principal: str | None = None
    """Id of the person in whose name it is made."""
    teams: tuple[str, ...] = ()
    """Ids of the teams that the person is in."""


class Fault(StrEnum):
    """Why there is no answer; a closed set, so that no foreign text gets into logs or views."""

    TIMEOUT = "timeout"  #: no answer in time
    RATE_LIMITED = "rate_limited"  #: the provider asks to slow down (429)
    OVERLOADED = "overloaded"  #: the provider has no room (529, 503)
    SERVER = "server"  #: the provider failed (other 5xx)
    CONNECTION = "connection"  #: nothing answers, or the connection broke
    KEY = "key"  #: the key is missing or not accepted (401, 403)
    MODEL = "model"  #: there is no such model (404)
    REJECTED = "rejected"  #: the provider takes no such request (other 4xx)
    REFUSED = "refused"  #: the model or its filter would not answer
    MALFORMED = "malformed"  #: the answer is not the form
    CUT = "cut"  #: the answer was longer than allowed
    RESTING = "resting"  #: it failed too often lately, and is left alone for a while
    BUDGET = "budget"  #: the call could cost more than is left
    PRICE = "price"  #: money is capped and nobody knows what the model costs
    MOVED = "moved"  #: the address leads to another one (3xx)
    UNPAID = "unpaid"  #: the provider wants to be paid first (402)
    LEAKED = "leaked"  #: the answer repeats a mark of private context
    STOPPED = "stopped"  #: the kill switch is on, and an agent asks
    CANCELLED = "cancelled"  #: nobody waits for the answer any more


SENTENCES: dict[Fault, str] = {
    Fault.TIMEOUT: "the model did not answer in time",
    Fault.RATE_LIMITED: "the provider asked to slow down",
    Fault.OVERLOADED: "the provider is overloaded",
    Fault.SERVER: "the provider failed",
    Fault.CONNECTION: "the connection to the provider failed",
    Fault.KEY: "the provider does not accept the key",
    Fault.MODEL: "the provider has no such model",
    Fault.REJECTED: "the provider does not take the request",
    Fault.REFUSED: "the model refused to answer",
    Fault.MALFORMED: "the model's answer was not in the form asked for",
    Fault.CUT: "the model's answer was longer than allowed",
    Fault.RESTING: "the provider failed too often lately and is left alone for a while",
    Fault.BUDGET: "the call could cost more than the caps leave",
    Fault.PRICE: "money is capped and the model's price is not set",
    Fault.MOVED: "the provider's address leads elsewhere, which is not followed",
    Fault.UNPAID: "the provider wants to be paid before it answers",
    Fault.LEAKED: "the model's answer repeats a mark of private context",
    Fault.STOPPED: "sending is stopped, and agents ask no model meanwhile",
    Fault.CANCELLED: "the answer was not waited for to its end",
}
"""One sentence for each fault, for reviewers and logs."""

_THE_WAY = "Check 'llm_base_url' and the way to it."
REMEDIES: dict[Fault, str] = {
    Fault.KEY: "Give a valid key under Models, or where LLM_API_KEY or 'llm_api_key_file' is set.",
    Fault.MODEL: "Name one that it has, under Models ('llm_model_fast', 'llm_model_capable').",
    Fault.CONNECTION: _THE_WAY,
    Fault.TIMEOUT: _THE_WAY,
    Fault.MOVED: "Set 'llm_base_url' to the address itself.",
    Fault.UNPAID: "Look at the account's credit with the provider.",
    Fault.REJECTED: "Check that the server speaks the API of 'llm_provider', with tools.",
    Fault.PRICE: "Add its price under Models; zeros for a server of your own.",
    Fault.BUDGET: "See `postern caps list`; `postern caps set` changes one.",
}
"""What an operator can do about a fault, where it is not waiting."""

PASSING = frozenset({Fault.RATE_LIMITED, Fault.OVERLOADED, Fault.SERVER, Fault.CONNECTION})
"""Faults after which the same call may succeed a moment later."""
UNBILLED = frozenset(
    {
        Fault.RATE_LIMITED,
        Fault.OVERLOADED,
        Fault.SERVER,
        Fault.KEY,
        Fault.MODEL,
        Fault.REJECTED,
        Fault.RESTING,
        Fault.MOVED,
        Fault.UNPAID,
    }
)
"""Faults of calls that a provider turned away, if no more is known; others may have to be paid."""


class ModelFaultError(ModelError):
    """A model gave no usable answer; says which of the closed set of reasons it was.

    Where a cap is the reason, the sentence says which and until when.
    """

    def __init__(
        self,
        fault: Fault,
        *,
        detail: str = "",
        retry_after: float | None = None,
        usage: TokenUsage | None = None,
        begun: bool | None = None,
    ) -> None:
        super().__init__(detail or SENTENCES[fault])  # a detail is a sentence of ours as well
        self.fault = fault
        self.begun = begun
        """Whether an answer had begun, which somebody may have to pay for; None if not known."""
        self.retry_after = retry_after
        """Seconds that the provider asks to wait."""
        self.usage = usage
        """What the call has used, where that is known."""


class Provider(Protocol):
    """Whoever answers questions: a real door, a stand-in, a hostile one."""

    name: str
    """`anthropic`, `openai`, …"""

    def model_of(self, tier: ModelTier) -> str:
        """Return the name of the model of a class."""
        ...

    async def ask(self, question: Question, on_text: OnText | None = None) -> ModelReply:
        """Ask once.

        Raises:
            ModelFaultError: there is no usable answer.

        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
