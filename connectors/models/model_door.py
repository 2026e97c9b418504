"""The door to one provider: agents with typed outputs, and a limit on time.

Each call is one request. It is not retried here; who asks decides about that, once. Whatever
goes wrong becomes one of a closed set of faults, so that neither a key nor foreign text reaches a
log or a view.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TypedDict

import httpx2
from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, ToolOutput, capture_run_messages
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.output import OutputSpec
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import RunUsage, UsageLimits

from connectors.models.faults import build_fault_error
from connectors.models.lookups import calls_heard, calls_of, history_of, response_of, toolset_of
from connectors.models.resting import Resting
from data.records.core.asking import (
    Fault,
    LookupCall,
    ModelFaultError,
    ModelReply,
    OnText,
    Question,
    TokenUsage,
)
from data.records.core.manifest_format import ModelTier

Lister = Callable[[str], Awaitable[bool]]
LISTEN_SECONDS = 0.05
"""A listener hears what has come in so much time at once; each look at a form costs a little."""
CHAT_SECONDS = 0.02
"""The same where somebody waits for the first words."""
MOST_TOKENS = 1_000_000_000
"""Of one call, whatever a provider tells: a sum of such numbers can still be kept."""
ONE_REQUEST = UsageLimits(request_limit=1, tool_calls_limit=0)
"""A model that answers with anything but the form is not asked again."""
ONE_TURN = UsageLimits(request_limit=1)
"""The same where what was looked up goes along, which counts as calls of tools."""


class _Arguments(TypedDict):
    """What a request with tools has, streamed or not."""

    user_prompt: str | None
    output_type: OutputSpec[BaseModel | DeferredToolRequests]
    toolsets: list[AbstractToolset[object]]
    instructions: str
    model_settings: ModelSettings
    usage_limits: UsageLimits
    usage: RunUsage
    message_history: list[ModelMessage] | None


class ModelDoor:
    """Asks the models of one provider; see `data.records.core.asking.Provider`."""

    def __init__(
        self,
        *,
        name: str,
        names: Mapping[ModelTier, str],
        make_model: Callable[[str], Model],
        settings: ModelSettings,
        lister: Lister,
        http: httpx2.AsyncClient,
        streams: bool = True,
        timeout: float,
        rest_after: int,
        rest_seconds: float,
    ) -> None:
        self.name = name
        self.timeout = timeout
        self.resting = Resting(rest_after, rest_seconds)
        self._names = dict(names)
        self._make_model = make_model
        self._models: dict[str, Model] = {}
        self._settings = settings
        self._lister = lister
        self._http = http
        self._streams = streams
        self._agents: dict[tuple[str, type[BaseModel]], Agent[object, BaseModel]] = {}

    def model_of(self, tier: ModelTier) -> str:
        """Return the name of the model of a class."""
        return self._names[tier]

    async def ask(self, question: Question, on_text: OnText | None = None) -> ModelReply:
        """Ask once; a resting provider is not asked.

        Where the server cannot stream calls, an answer is heard when it is whole.

        Raises:
            ModelFaultError: there is no usable answer.

        """
        if not self.resting.may_ask(time.monotonic()):
            raise ModelFaultError(Fault.RESTING)
        try:
            reply = await self._asked(question, on_text if self._streams else None)
        except ModelFaultError as error:
            self.resting.failed(error.fault, time.monotonic(), error.retry_after)
            raise
        except asyncio.CancelledError:
            self.resting.gave_up()
            raise
        self.resting.answered()
        if on_text is not None and not self._streams and isinstance(reply.content, dict):
            on_text(str(reply.content.get(_find_spoken_field(question.form), "")))
        return reply

    async def _asked(self, question: Question, on_text: OnText | None) -> ModelReply:
        used = RunUsage()
        try:
            async with asyncio.timeout(self.timeout):
                if question.tools or question.talk is not None:
                    return await self._looked(question, used, on_text)
                return await self._filled(question, used, on_text)
        except Exception as error:  # noqa: BLE001  # whatever the libraries raise becomes a fault
            usage_told = (
                _usage(used) if on_text is None else TokenUsage()
            )  # half a stream tells half of it
            raise build_fault_error(error, usage_told) from None  # the cause may quote mail or key

    async def _looked(
        self, question: Question, used: RunUsage, on_text: OnText | None
    ) -> ModelReply:
        """Ask with tools at hand: one request, whose answer is the form or calls of them.

        The calls are not carried out here. Who asks does that, within limits of its own, and asks
        again with what they gave, so that each request is reserved and counted by itself.
        """
        arguments: _Arguments = {
            "user_prompt": question.user if question.talk is None else None,
            "output_type": [ToolOutput(question.form, name="answer"), DeferredToolRequests],
            "toolsets": [toolset_of(question)],
            "instructions": question.system,
            "model_settings": self._settings_of(question),
            "usage_limits": ONE_TURN,
            "usage": used,
            "message_history": history_of(question.talk.messages) if question.talk else None,
        }
        output: BaseModel | DeferredToolRequests
        with capture_run_messages() as exchanged:
            try:
                if on_text is None:
                    run = await self._agent(question).run(**arguments)
                    output, messages = run.output, run.all_messages()
                else:
                    async with self._agent(question).run_stream(**arguments) as stream:
                        async for partial in stream.stream_output(debounce_by=CHAT_SECONDS):
                            _tell_partial(partial, question.form, on_text)
                        output, messages = await stream.get_output(), stream.all_messages()
            except UnexpectedModelBehavior:
                # The library gives up over a tool that was not offered. Who asks answers it as any
                # other call, and the model can go on.
                if not (calls := calls_heard(exchanged)):
                    raise
                return self._reply(question, None, exchanged, used, calls)
        if isinstance(output, DeferredToolRequests):
            return self._reply(question, None, messages, used, calls_of(output))
        return self._reply(question, output, messages, used)

    def _reply(
        self,
        question: Question,
        filled: BaseModel | None,
        messages: list[ModelMessage],
        used: RunUsage,
        calls: tuple[LookupCall, ...] = (),
    ) -> ModelReply:
        name = self._name_of(question)
        return ModelReply(
            content=filled.model_dump(mode="python") if filled is not None else None,
            usage=_usage(used),
            model=name,
            calls=calls,
            response=response_of(messages, name),
        )

    async def _filled(
        self, question: Question, used: RunUsage, on_text: OnText | None
    ) -> ModelReply:
        agent = self._agent(question)
        settings = self._settings_of(question)
        if on_text is None:
            run = await agent.run(
                question.user,
                instructions=question.system,
                model_settings=settings,
                usage_limits=ONE_REQUEST,
                usage=used,
            )
            return self._reply(question, run.output, run.all_messages(), used)
        async with agent.run_stream(
            question.user,
            instructions=question.system,
            model_settings=settings,
            usage_limits=ONE_REQUEST,
            usage=used,
        ) as stream:
            async for partial in stream.stream_output(debounce_by=LISTEN_SECONDS):
                _tell_partial(partial, question.form, on_text)
            filled = await stream.get_output()
            messages = stream.all_messages()
        return self._reply(question, filled, messages, used)  # what was used is told at the end

    def _agent(self, question: Question) -> Agent[object, BaseModel]:
        name = self._name_of(question)
        key = (name, question.form)
        if key not in self._agents:
            if name not in self._models:
                self._models[name] = self._make_model(name)
            self._agents[key] = Agent(
                self._models[name],
                output_type=ToolOutput(question.form, name="answer"),
                retries=0,
                name=question.agent,
            )
        return self._agents[key]

    def _name_of(self, question: Question) -> str:
        return question.model or self._names[question.tier]

    def _settings_of(self, question: Question) -> ModelSettings:
        settings: ModelSettings = {**self._settings, "max_tokens": question.max_tokens}
        if question.temperature is not None:
            settings["temperature"] = question.temperature
        return settings

    async def check(self) -> dict[str, Fault | None]:
        """Ask the provider for each model by name, without any mail; return what is the matter."""
        fault_by_name: dict[str, Fault | None] = {}
        for name in dict.fromkeys(self._names.values()):
            try:
                async with asyncio.timeout(self.timeout):
                    fault_by_name[name] = None if await self._lister(name) else Fault.MODEL
            except Exception as error:  # noqa: BLE001  # as above
                fault_by_name[name] = build_fault_error(error, TokenUsage()).fault
        return fault_by_name

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()


def _tell_partial(partial: object, form: type[BaseModel], on_text: OnText) -> None:
    """Let a listener hear what a form holds so far of the field that is spoken."""
    if isinstance(partial, form):
        on_text(str(getattr(partial, _find_spoken_field(form), "")))


def _find_spoken_field(form: type[BaseModel]) -> str:
    """Return the field of a form that whoever listens hears."""
    return str(getattr(form, "SPOKEN", "body"))


def _usage(used: RunUsage) -> TokenUsage:
    """Return what the provider tells, as far as it can be: not below zero, nor beyond counting."""
    tokens_in = _bound_tokens(used.input_tokens)
    cache_read = min(_bound_tokens(used.cache_read_tokens), tokens_in)
    return TokenUsage(
        tokens_in=tokens_in,
        cache_read=cache_read,
        cache_write=min(_bound_tokens(used.cache_write_tokens), tokens_in - cache_read),
        tokens_out=_bound_tokens(used.output_tokens),
    )


def _bound_tokens(tokens: int) -> int:
    return min(max(tokens, 0), MOST_TOKENS)
