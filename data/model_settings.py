"""Settings of language models; part of `data.settings.Settings`.

Without a provider nothing of this is used, and nothing leaves the house.
"""

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from data.errors import SettingsError
from data.records.core.caps import Cap, CapPeriod, CapScope, CapUnit
from data.records.core.manifest_format import ModelTier
from data.records.core.prices import PriceLine
from data.server_addresses import check_server_address

CURRENT = {ModelTier.FAST: "claude-haiku-5-5", ModelTier.CAPABLE: "claude-sonnet-5-5"}
"""Anthropic's models when the settings name none."""


class ModelSettings(BaseSettings):
    """Who thinks, with which models, how long, and for how much money."""

    model_config = SettingsConfigDict(use_attribute_docstrings=True, populate_by_name=True)

    llm_provider: Literal["local", "anthropic", "openai"] = Field(
        default="local", validation_alias=AliasChoices("LLM_PROVIDER", "llm_provider")
    )
    """Who thinks: the embedded default, Anthropic, or an OpenAI-compatible server."""
    llm_base_url: str = Field(
        default="", validation_alias=AliasChoices("LLM_BASE_URL", "llm_base_url")
    )
    """Address of the model server; empty for the provider's own."""
    llm_dialect: Literal["full", "plain"] = Field(
        default="full", validation_alias=AliasChoices("LLM_DIALECT", "llm_dialect")
    )
    """How much of the API a compatible server knows; `plain`: not to demand a call of any tool."""
    llm_plain_http: bool = Field(
        default=False, validation_alias=AliasChoices("LLM_PLAIN_HTTP", "llm_plain_http")
    )
    """Whether mail and key may go to another machine without encryption (`http://`)."""
    llm_api_key: SecretStr = Field(
        default=SecretStr(""), validation_alias=AliasChoices("LLM_API_KEY", "llm_api_key")
    )
    """Key for the model server."""
    llm_model: str = Field(default="", validation_alias=AliasChoices("LLM_MODEL", "llm_model"))
    """Model for every task that has none of its own."""
    llm_model_fast: str = Field(
        default="", validation_alias=AliasChoices("LLM_MODEL_FAST", "llm_model_fast")
    )
    """Model for guard, classify, summarize and extract."""
    llm_model_capable: str = Field(
        default="", validation_alias=AliasChoices("LLM_MODEL_CAPABLE", "llm_model_capable")
    )
    """Model for plan and draft."""
    llm_api_key_file: Path | None = Field(
        default=None, validation_alias=AliasChoices("LLM_API_KEY_FILE", "llm_api_key_file")
    )
    """File that holds the key, when `llm_api_key` is empty."""
    llm_timeout: float = Field(
        default=60, gt=0, le=600, validation_alias=AliasChoices("LLM_TIMEOUT", "llm_timeout")
    )
    """Longest that one call of a model may take, seconds."""
    llm_concurrency: int = Field(
        default=8, ge=1, le=256, validation_alias=AliasChoices("LLM_CONCURRENCY", "llm_concurrency")
    )
    """Calls of models at the same time."""
    llm_chat_concurrency: int = Field(
        default=32,
        ge=1,
        le=256,
        validation_alias=AliasChoices("LLM_CHAT_CONCURRENCY", "llm_chat_concurrency"),
    )
    """Calls of models at the same time in chats, beside those of the line."""
    llm_rest_after: int = Field(
        default=5, ge=1, validation_alias=AliasChoices("LLM_REST_AFTER", "llm_rest_after")
    )
    """Failures in a row after which the provider is left alone for a while."""
    llm_rest_seconds: float = Field(
        default=60, ge=0, validation_alias=AliasChoices("LLM_REST_SECONDS", "llm_rest_seconds")
    )
    """How long it is left alone, seconds."""
    llm_prices: tuple[PriceLine, ...] = Field(
        default=(
            "claude-haiku-5-5 0.1 0.5 0.01 0.125",
            "claude-sonnet-5-5 2 10 0.1 2.5",
            "claude-opus-5-5 4 20 0.2 5",
        ),
        validation_alias=AliasChoices("LLM_PRICES", "llm_prices"),
    )
    """Prices: model, input, output and, if known, cache read and write; US$ a million tokens."""
    llm_daily_cap: float = Field(
        default=5,
        ge=0,
        allow_inf_nan=False,
        validation_alias=AliasChoices("LLM_DAILY_CAP", "llm_daily_cap"),
    )
    """Most that one organization may spend on models in a day (UTC), US$; 0 for no cap."""
    llm_monthly_cap: float = Field(
        default=50,
        ge=0,
        allow_inf_nan=False,
        validation_alias=AliasChoices("LLM_MONTHLY_CAP", "llm_monthly_cap"),
    )
    """Most that one organization may spend on models in a month (UTC), US$; 0 for no cap."""
    llm_sender_cap: float = Field(
        default=1,
        ge=0,
        allow_inf_nan=False,
        validation_alias=AliasChoices("LLM_SENDER_CAP", "llm_sender_cap"),
    )
    """Most that the mail of one sender may cost in a day, US$; 0 for no cap."""
    llm_item_calls: int = Field(
        default=24, ge=1, validation_alias=AliasChoices("LLM_ITEM_CALLS", "llm_item_calls")
    )
    """Most calls of models for one message or one case, over all stages and tries."""
    llm_lookups: int = Field(
        default=4, ge=0, le=16, validation_alias=AliasChoices("LLM_LOOKUPS", "llm_lookups")
    )
    """Most that a model may look up while it plans one wish; 0 offers it no tools."""

    def model_name(self, tier: ModelTier) -> str:
        """Return the model of a class: its own setting, `llm_model`, the provider's current one."""
        own = self.llm_model_fast if tier is ModelTier.FAST else self.llm_model_capable
        current = CURRENT[tier] if self.llm_provider == "anthropic" else ""
        return own or self.llm_model or current

    @property
    def model_caps(self) -> tuple[Cap, ...]:
        """The caps that hold where an organization has set none for the same."""
        organization, sender = CapScope.ORGANIZATION, CapScope.SENDER
        money = (
            (organization, CapPeriod.DAY, self.llm_daily_cap),
            (organization, CapPeriod.MONTH, self.llm_monthly_cap),
            (sender, CapPeriod.DAY, self.llm_sender_cap),
        )
        calls = Cap(
            scope=CapScope.ITEM,
            unit=CapUnit.REQUESTS,
            period=CapPeriod.ONCE,
            limit=self.llm_item_calls,
        )
        return (
            *(Cap(scope=scope, period=period, limit=most) for scope, period, most in money if most),
            calls,
        )

    def model_key(self) -> str:
        """Return the key for the model server, empty when there is none.

        Raises:
            SettingsError: the file that should hold it cannot be read.

        """
        secret_value = self.llm_api_key.get_secret_value()
        if secret_value or self.llm_api_key_file is None:
            return secret_value
        try:
            return self.llm_api_key_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"the key file {str(self.llm_api_key_file)!r} cannot be read; mend "
                "'llm_api_key_file'"
            ) from error

    def check_models(self) -> None:
        """Look whether the provider can be asked at all; nothing is asked.

        Raises:
            SettingsError: a model has no name, the address is none, or the key is missing.

        """
        if self.llm_provider == "local":
            return
        for tier in ModelTier:
            if not self.model_name(tier):
                raise SettingsError(
                    f"no model is named for the class {tier.value!r}; set "
                    f"'llm_model_{tier.value}' or 'llm_model'"
                )
        if self.llm_base_url:
            check_server_address(
                "llm_base_url", self.llm_base_url, self.llm_plain_http, "llm_plain_http"
            )
        if not self.model_key() and not self.llm_base_url:
            raise SettingsError(
                f"setting 'llm_provider' is {self.llm_provider!r}, but there is no key; give "
                "it under Models, set LLM_API_KEY in the environment, or name a file in "
                "'llm_api_key_file'"
            )
