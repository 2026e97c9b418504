"""The API of the business profile, which every agent is told: reading, writing, versions."""

from data.records.agents.business import (
    EditBusinessProfile,
    ProfileVersions,
    RestoreProfile,
    ToldProfile,
)
from data.records.core.version_diff import VersionDiff
from ui.core.api.organization_client import OrganizationClient


class BusinessProfileApi:
    """The part of the API about what the organization says of itself to every agent."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def profile(self) -> ToldProfile:
        """Return what the organization says of itself to every agent."""
        return self._client.read(ToldProfile, self._at("business-profile"))

    def versions(self) -> ProfileVersions:
        """Return the wordings that it has had."""
        return self._client.read(ProfileVersions, self._at("business-profile", "versions"))

    def compare(self, before: int, after: int) -> VersionDiff:
        """Return what two versions have different; 0 stands for nothing."""
        path = self._at("business-profile", "diff")
        return self._client.read(VersionDiff, path, before=str(before), after=str(after))

    def restore(self, order: RestoreProfile) -> ToldProfile:
        """Let an earlier version count again, as one more."""
        return self._client.act(ToldProfile, self._at("business-profile", "restore"), order)

    def write(self, business_profile: EditBusinessProfile) -> ToldProfile:
        """Write another version of it."""
        return self._client.act(ToldProfile, self._at("business-profile"), business_profile, "PUT")
