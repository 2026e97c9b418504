"""What a person can ask while an organization is set up, and do."""

from data.records.core.organization import Organization
from data.records.core.profiles import EditProfile, ProfileView
from data.records.mail.setting_up import Setup, TrialMail, TrialOrder
from ui.api.sender_desk import SenderDesk


class SetupDesk(SenderDesk):
    """The part of a `Desk` about first steps; raises what `data.refusals` lists."""

    def setup(self) -> Setup:
        """Return the first steps, each done or not by what is there."""
        return self._client.read(Setup, f"{self._root}/setup")

    def profile(self) -> ProfileView:
        """Return what the organization says of itself."""
        return self._client.read(ProfileView, f"{self._root}/profile")

    def edit_profile(self, wanted: EditProfile) -> Organization:
        """Change what the organization says of itself."""
        path = f"/v1/organizations/{wanted.profile.slug}"
        return self._client.act(Organization, path, wanted, "PUT")

    def send_trial(self, order: TrialOrder) -> TrialMail:
        """Hand in a test mail."""
        return self._client.act(TrialMail, f"{self._root}/setup/trial", order)

    def follow_trial(self, id: str) -> TrialMail:
        """Return how far a test mail has come."""
        return self._client.read(TrialMail, self._at("setup", "trial", id))
