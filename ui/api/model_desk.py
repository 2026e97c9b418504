"""What a person can ask and do about models, their caps, filters and what is kept how long."""

from urllib.parse import urlencode

from data.records.core.caps import Cap, CapKey, SetCap
from data.records.core.kept_settings import (
    RestoreSettings,
    SettingsChange,
    SettingsEffect,
    SettingsVersion,
    SettingsVersions,
)
from data.records.core.model_views import ModelSetup, ModelsView, TriedModel, TryModel
from data.records.core.retention_views import RetentionView
from data.records.core.setting_views import FilterList, OutgoingView, SettingList
from data.records.core.version_diff import VersionDiff
from ui.api.sender_desk import SenderDesk


class ModelDesk(SenderDesk):
    """The part of a `Desk` about models and settings; raises what `data.refusals` lists."""

    def models(self) -> ModelsView:
        """Return who thinks, what that has used, and the caps."""
        return self._client.read(ModelsView, f"{self._root}/models")

    def try_model(self, order: TryModel) -> TriedModel:
        """Ask the model of a class one short question, within the caps.

        Settings that it names are tried, and not kept.
        """
        body: dict[str, object] = {"tier": order.tier}
        if order.change is not None:
            body["change"] = _changed_fields(order.change)
        return self._client.act(TriedModel, f"{self._root}/models/try", body, is_long=True)

    def model_setup(self) -> ModelSetup:
        """Return who thinks, with which models and prices, and whether that may be changed."""
        return self._client.read(ModelSetup, "/v1/model-setup")

    def set_cap(self, cap: Cap) -> SetCap:
        """Set a cap on what models use, in the place of one for the same."""
        return self._client.act(SetCap, f"{self._root}/caps", cap, "PUT")

    def remove_cap(self, key: CapKey) -> None:
        """Take a cap away that was set, so that what the settings say holds again."""
        parameters = {name: getattr(key, name) for name in CapKey.model_fields}
        self._client.remove(f"{self._root}/caps?{urlencode(parameters)}")

    def settings(self) -> SettingList:
        """Return every setting with its value, and where that comes from."""
        return self._client.read(SettingList, "/v1/settings")

    def filters(self, *, ask: bool = False) -> FilterList:
        """Return the spam filters of others; `ask` has those that are on asked, without mail."""
        asked = {"ask": "true"} if ask else {}
        return self._client.read(FilterList, "/v1/filters", **asked)

    def outgoing(self, *, ask: bool = False) -> OutgoingView:
        """Return how approved replies leave; `ask` has the relay signed in to, without mail."""
        asked = {"ask": "true"} if ask else {}
        return self._client.read(OutgoingView, "/v1/outgoing", **asked)

    def preview_settings(self, change: SettingsChange) -> SettingsEffect:
        """Return what a change of settings would delete; nothing is kept."""
        return self._client.act(SettingsEffect, "/v1/settings/preview", _changed_fields(change))

    def change_settings(
        self, change: SettingsChange, *, knowing: bool, was: int | None = None
    ) -> SettingsEffect:
        """Keep settings that may be changed while Postern runs, over the version that was read."""
        order = {"change": _changed_fields(change), "knowing": knowing, "was": was}
        return self._client.act(SettingsEffect, "/v1/settings", order, "PUT")

    def setting_versions(self) -> tuple[SettingsVersion, ...]:
        """Return what was kept in Postern after each change, the newest first."""
        return self._client.read(SettingsVersions, "/v1/settings/versions").items

    def compare_settings(self, before: int, after: int) -> VersionDiff:
        """Return what two versions of those settings have different."""
        return self._client.read(VersionDiff, "/v1/settings/diff", before=before, after=after)

    def restore_settings(self, order: RestoreSettings) -> SettingsEffect:
        """Let earlier settings count again."""
        return self._client.act(SettingsEffect, "/v1/settings/restore", order)

    def retention(self) -> RetentionView:
        """Return what is kept how long, and what was removed lately."""
        return self._client.read(RetentionView, f"{self._root}/retention")


def _changed_fields(change: SettingsChange) -> dict[str, object]:
    """Return what a change says, without what it leaves as it is."""
    return change.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
