"""The policy."""

from data.records.core.policies import PolicyOrder, PolicyState, PolicyVersions, SetPolicy
from data.records.core.version_diff import VersionDiff
from data.records.mail.shadow import PolicyPreview, ShadowEvidence
from ui.core.api.organization_client import OrganizationClient


class PolicyApi:
    """The part of the API about the policy."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def read(self) -> PolicyState:
        """Return what counts, and where it is kept."""
        return self._client.read(PolicyState, self._at("policy"))

    def versions(self) -> PolicyVersions:
        """Return the wordings that the policy has had, the newest first."""
        return self._client.read(PolicyVersions, self._at("policy", "versions"))

    def compare(self, before: int, after: int) -> VersionDiff:
        """Return what two versions have different; 0 stands for the defaults."""
        path = self._at("policy", "diff")
        return self._client.read(VersionDiff, path, before=str(before), after=str(after))

    def evidence(self) -> ShadowEvidence:
        """Return what people said of the last drafts."""
        return self._client.read(ShadowEvidence, self._at("policy", "evidence"))

    def preview(self, order: PolicyOrder) -> PolicyPreview:
        """Return what a change would do; nothing is kept."""
        return self._client.act(PolicyPreview, self._at("policy", "preview"), order)

    def keep(self, order: SetPolicy) -> PolicyState:
        """Keep another policy."""
        return self._client.act(PolicyState, self._at("policy"), order, "PUT")
