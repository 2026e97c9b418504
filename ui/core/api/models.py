"""Models and their caps."""

from urllib.parse import urlencode

from data.records.core.caps import Cap, CapKey, SetCap
from data.records.core.model_views import ModelSetup, ModelsView, TriedModel, TryModel
from ui.core.api.organization_client import OrganizationClient
from ui.core.api.settings import changed_fields


class ModelApi:
    """The part of the API about models and their caps."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def view(self) -> ModelsView:
        """Return who thinks, what that has used, and the caps."""
        return self._client.read(ModelsView, self._at("models"))

    def try_out(self, order: TryModel) -> TriedModel:
        """Ask the model of a class one short question, within the caps.

        Settings that it names are tried, and not kept.
        """
        body: dict[str, object] = {"tier": order.tier}
        if order.change is not None:
            body["change"] = changed_fields(order.change)
        return self._client.act(TriedModel, self._at("models", "try"), body, is_long=True)

    def setup(self) -> ModelSetup:
        """Return who thinks, with which models and prices, and whether that may be changed."""
        return self._client.read(ModelSetup, "/v1/model-setup")

    def set_cap(self, cap: Cap) -> SetCap:
        """Set a cap on what models use, in the place of one for the same."""
        return self._client.act(SetCap, self._at("caps"), cap, "PUT")

    def remove_cap(self, key: CapKey) -> None:
        """Take a cap away that was set, so that what the settings say holds again."""
        parameters = {name: getattr(key, name) for name in CapKey.model_fields}
        self._client.remove(f"{self._at('caps')}?{urlencode(parameters)}")
