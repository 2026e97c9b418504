"""The choice of models by administrators while Postern runs, and which choices are refused."""

from urllib.parse import urlsplit

from data.errors import SettingsError, UnfitError
from data.model_settings import CURRENT
from data.records.core.kept_settings import SettingsChange
from data.records.core.manifest_format import ModelTier
from data.records.core.model_views import ModelSetup
from data.settings import Settings
from flows.core.house import House
from flows.core.kept_settings import MODELS, list_changeable


def describe_model_setup(house: House) -> ModelSetup:
    """Return who thinks, with which models and prices, and whether that may be changed here."""
    settings = house.settings
    trouble = ""
    try:
        settings.check_models()
        has_key = bool(settings.model_key())
    except SettingsError as error:
        trouble, has_key = f"{error}.", bool(settings.llm_api_key.get_secret_value())
    return ModelSetup(
        provider=settings.llm_provider,
        base_url=settings.llm_base_url,
        dialect=settings.llm_dialect,
        plain_http=settings.llm_plain_http,
        has_key=has_key,
        model=settings.llm_model,
        model_fast=settings.llm_model_fast,
        model_capable=settings.llm_model_capable,
        usual_fast=CURRENT[ModelTier.FAST],
        usual_capable=CURRENT[ModelTier.CAPABLE],
        prices=settings.llm_prices,
        changeable=set(MODELS) <= set(list_changeable(house)),
        kept_here=tuple(name for name in MODELS if name in house.kept),
        trouble=trouble,
    )


def check_choice(before: Settings, after: Settings, change: SettingsChange) -> None:
    """Refuse a choice of models that could not be asked, or that would carry a key elsewhere.

    Raises:
        UnfitError: the sentence says what is missing.

    """
    if not any(name in MODELS for name in (*change.values, *change.defaults)):
        return
    try:
        after.check_models()
        key = after.model_key()
    except SettingsError as error:
        raise UnfitError(str(error)) from error
    if after.llm_provider == "local" or not key or "llm_api_key" in change.values:
        return
    if _destination_of(before) != _destination_of(after):
        raise UnfitError(
            "the key that is there was given for another address, and is not carried to a new one; "
            "give the new one's key with it, or an empty one where none is wanted; where the key "
            "is named in a file or the environment, name the provider there too"
        )


def _destination_of(settings: Settings) -> tuple[str, str]:
    """Return where a key goes: scheme and machine, or the provider whose own address is asked."""
    if settings.llm_provider == "local":
        return "", ""
    if not settings.llm_base_url:
        return "", settings.llm_provider
    parts = urlsplit(settings.llm_base_url)
    return parts.scheme, parts.netloc
