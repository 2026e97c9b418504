"""Language models: one door to Anthropic, one to OpenAI-compatible servers.

Nothing here is imported, and nothing leaves the house, while the setting `llm_provider` is
`local`. `open_door` builds the door of the settings; the libraries behind it are loaded then.
"""

from typing import TYPE_CHECKING

from data.records.core.asking import Provider
from data.settings import Settings

if TYPE_CHECKING:
    from connectors.models.model_door import ModelDoor

__all__ = ["Provider", "open_door"]


def open_door(settings: Settings) -> "ModelDoor | None":
    """Return the door to the models of the settings, or None when Postern thinks by itself.

    Raises:
        SettingsError: the key is missing, or a model has no name.

    """
    if settings.llm_provider == "local":
        return None
    from connectors.models.building import build_door

    return build_door(settings)
