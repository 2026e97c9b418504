"""Settings of the installation, and what is kept how long."""

from data.records.core.kept_settings import (
    RestoreSettings,
    SettingsChange,
    SettingsEffect,
    SettingsVersion,
    SettingsVersions,
)
from data.records.core.retention_views import RetentionView
from data.records.core.setting_views import FilterList, OutgoingView, SettingList
from data.records.core.version_diff import VersionDiff
from ui.core.api.organization_client import OrganizationClient


class SettingApi:
    """The part of the API about settings of the installation, and what is kept how long."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def list_all(self) -> SettingList:
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

    def preview(self, change: SettingsChange) -> SettingsEffect:
        """Return what a change of settings would delete; nothing is kept."""
        return self._client.act(SettingsEffect, "/v1/settings/preview", changed_fields(change))

    def change(
        self, change: SettingsChange, *, knowing: bool, was: int | None = None
    ) -> SettingsEffect:
        """Keep settings that may be changed while Postern runs, over the version that was read."""
        order = {"change": changed_fields(change), "knowing": knowing, "was": was}
        return self._client.act(SettingsEffect, "/v1/settings", order, "PUT")

    def versions(self) -> tuple[SettingsVersion, ...]:
        """Return what was kept in Postern after each change, the newest first."""
        return self._client.read(SettingsVersions, "/v1/settings/versions").items

    def compare(self, before: int, after: int) -> VersionDiff:
        """Return what two versions of those settings have different."""
        return self._client.read(VersionDiff, "/v1/settings/diff", before=before, after=after)

    def restore(self, order: RestoreSettings) -> SettingsEffect:
        """Let earlier settings count again."""
        return self._client.act(SettingsEffect, "/v1/settings/restore", order)

    def retention(self) -> RetentionView:
        """Return what is kept how long, and what was removed lately."""
        return self._client.read(RetentionView, self._at("retention"))


def changed_fields(change: SettingsChange) -> dict[str, object]:
    """Return what a change says, without what it leaves as it is."""
    return change.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
