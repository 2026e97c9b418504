"""Building a door from the settings: the client of each provider, with everything quiet.

Keys and addresses are given to the libraries outright, so that none is taken from their own
environment variables or files, and no proxy of the environment sees what is asked. They neither
retry nor trace: retries are made in one place, and telemetry nowhere.
"""

import logging
import warnings
from collections.abc import Callable

import httpx2
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from connectors.models.bounded_transport import BoundedTransport
from connectors.models.model_door import Lister, ModelDoor
from connectors.models.plain_completions import PlainTransport
from data.records.core.manifest_format import ModelTier
from data.settings import Settings

HOMES = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
"""Where each provider lives when `llm_base_url` is empty."""
CONNECT_SECONDS = 5.0
_SPARE = 4
"""Connections beside those of calls: to ask what models there are."""
NO_KEY = "none"
"""What is sent as the key to a server of one's own that wants none."""


def build_door(settings: Settings) -> ModelDoor:
    """Return the door to the provider of the settings.

    Raises:
        SettingsError: the key is missing, a model has no name, or the address is not valid.

    """
    _quiet()
    settings.check_models()
    names = {tier: settings.model_name(tier) for tier in ModelTier}
    key = settings.model_key()
    address = settings.llm_base_url or HOMES[settings.llm_provider]
    at_once = settings.llm_concurrency + settings.llm_chat_concurrency  # each has room of its own
    plain = settings.llm_provider == "openai" and settings.llm_dialect == "plain"
    transport = PlainTransport if plain else BoundedTransport
    http = httpx2.AsyncClient(
        timeout=httpx2.Timeout(settings.llm_timeout, connect=CONNECT_SECONDS),
        transport=transport(
            limits=httpx2.Limits(max_connections=at_once + _SPARE),
            encrypted=not address.lower().startswith("http:"),
        ),
        trust_env=False,  # nor the credentials of a .netrc
        follow_redirects=False,  # a redirect would carry mail and key to another host
    )
    make = _claude if settings.llm_provider == "anthropic" else _compatible
    make_model, lister = make(key or NO_KEY, address, http)
    return ModelDoor(
        name=settings.llm_provider,
        names=names,
        make_model=make_model,
        settings=_model_settings(settings),
        lister=lister,
        http=http,
        streams=not plain,
        timeout=settings.llm_timeout,
        rest_after=settings.llm_rest_after,
        rest_seconds=settings.llm_rest_seconds,
    )


def _claude(
    key: str, address: str, http: httpx2.AsyncClient
) -> tuple[Callable[[str], Model], Lister]:
    client = AsyncAnthropic(
        api_key=key,
        base_url=address,
        http_client=http,
        max_retries=0,
        open_telemetry={"traces": False, "propagation": False},
    )
    provider = AnthropicProvider(anthropic_client=client)

    def make_named(name: str) -> Model:
        return AnthropicModel(name, provider=provider)

    async def listed(name: str) -> bool:
        return (await client.models.retrieve(name)).id != ""

    return make_named, listed


def _compatible(
    key: str, address: str, http: httpx2.AsyncClient
) -> tuple[Callable[[str], Model], Lister]:
    client = AsyncOpenAI(api_key=key, base_url=address, http_client=http, max_retries=0)
    provider = OpenAIProvider(openai_client=client)

    def make_named(name: str) -> Model:
        return OpenAIChatModel(name, provider=provider)

    async def listed(name: str) -> bool:
        return any([model.id == name async for model in client.models.list()])

    return make_named, listed


def _model_settings(settings: Settings) -> ModelSettings:
    """Return what every request has in common."""
    common = AnthropicModelSettings(
        max_retries=0,
        parallel_tool_calls=False,
        framing_announcement="never",  # the system prompt is ours, byte for byte
        timeout=settings.llm_timeout,
        thinking=False,
    )
    if settings.llm_provider == "anthropic":
        common["anthropic_cache_instructions"] = True
        common["anthropic_cache_tool_definitions"] = True
        common["anthropic_eager_input_streaming"] = True
    return common


def _quiet() -> None:
    """Keep the libraries from tracing, and from telling of requests and answers, which hold mail.

    Warnings quote what a provider sent; what is odd about it shows in the books as unknown.
    """
    Agent.instrument_all(False)
    warnings.filterwarnings("ignore", message="Failed to extract usage")
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings", module="pydantic")
    for name in ("anthropic", "openai", "httpx2", "httpcore2", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
