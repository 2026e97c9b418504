"""What a person can ask of the policy, and change."""

from data.records.core.policies import (
    PolicyOrder,
    PolicyState,
    PolicyVersions,
    SetPolicy,
)
from data.records.core.version_diff import VersionDiff
from data.records.mail.shadow import PolicyPreview, ShadowEvidence
from ui.api.sender_desk import SenderDesk


class PolicyDesk(SenderDesk):
    """The part of a `Desk` about the policy; raises what `data.refusals` lists."""

    def policy(self) -> PolicyState:
        """Return what counts, and where it is kept."""
        return self._client.read(PolicyState, f"{self._root}/policy")

    def policy_versions(self) -> PolicyVersions:
        """Return the wordings that the policy has had, the newest first."""
        return self._client.read(PolicyVersions, f"{self._root}/policy/versions")

    def compare_policies(self, before: int, after: int) -> VersionDiff:
        """Return what two versions have different; 0 stands for the defaults."""
        path = f"{self._root}/policy/diff"
        return self._client.read(VersionDiff, path, before=str(before), after=str(after))

    def policy_evidence(self) -> ShadowEvidence:
        """Return what people said of the last drafts."""
        return self._client.read(ShadowEvidence, f"{self._root}/policy/evidence")

    def preview_policy(self, order: PolicyOrder) -> PolicyPreview:
        """Return what a change would do; nothing is kept."""
        return self._client.act(PolicyPreview, f"{self._root}/policy/preview", order)

    def set_policy(self, order: SetPolicy) -> PolicyState:
        """Keep another policy."""
        return self._client.act(PolicyState, f"{self._root}/policy", order, "PUT")
