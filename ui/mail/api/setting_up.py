"""First steps, test mails and signatures."""

from data.records.core.organization import Dkim, Organization
from data.records.core.record import Record
from data.records.mail.setting_up import Setup, TrialMail, TrialOrder
from data.records.mail.signing_views import NewSigning, SigningView
from ui.core.api.organization_client import OrganizationClient


class _Signing(Record):
    dkim: Dkim | None


class SetupApi:
    """The part of the API about first steps, test mails and signatures."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at, self._own = client.sender, client.at, client.own

    def steps(self) -> Setup:
        """Return the first steps, each done or not by what is there."""
        return self._client.read(Setup, self._at("setup"))

    def send_trial(self, order: TrialOrder) -> TrialMail:
        """Hand in a test mail."""
        return self._client.act(TrialMail, self._at("setup", "trial"), order)

    def follow_trial(self, id: str) -> TrialMail:
        """Return how far a test mail has come."""
        return self._client.read(TrialMail, self._at("setup", "trial", id))

    def signing(self, *, look: bool = False) -> SigningView:
        """Return how replies are signed; `look` asks the DNS too."""
        asked = {"look": "true"} if look else {}
        return self._client.read(SigningView, self._own("dkim"), **asked)

    def make_signing_key(self, order: NewSigning) -> SigningView:
        """Make a key unless it is there; nothing is signed by it yet."""
        return self._client.act(SigningView, self._own("dkim"), order)

    def set_signing(self, dkim: Dkim | None) -> Organization:
        """Sign replies with a key, or no longer."""
        return self._client.act(Organization, self._own("dkim"), _Signing(dkim=dkim), "PUT")
