"""What a person can ask while an organization is set up, and do."""

from urllib.parse import quote

from pydantic import RootModel

from data.records.core.holidays import HolidayFile, HolidayList, ReadHolidays, SetHolidays
from data.records.core.organization import Dkim, Organization, Route
from data.records.core.profiles import EditProfile, ProfileView
from data.records.core.record import Record
from data.records.core.syncs import SyncList, SyncTold
from data.records.mail.setting_up import Setup, TrialMail, TrialOrder
from data.records.mail.signing_views import NewSigning, SigningView
from ui.api.sender_desk import SenderDesk

_Routes = RootModel[tuple[Route, ...]]


class _Signing(Record):
    dkim: Dkim | None


class SetupDesk(SenderDesk):
    """The part of a `Desk` about first steps; raises what `data.refusals` lists."""

    def setup(self) -> Setup:
        """Return the first steps, each done or not by what is there."""
        return self._client.read(Setup, f"{self._root}/setup")

    def profile(self) -> ProfileView:
        """Return what the organization says of itself."""
        return self._client.read(ProfileView, f"{self._root}/profile")

    def edit_profile(self, edit_profile: EditProfile) -> Organization:
        """Change what the organization says of itself."""
        path = f"/v1/organizations/{edit_profile.profile.slug}"
        return self._client.act(Organization, path, edit_profile, "PUT")

    def holidays(self) -> HolidayList:
        """Return the days on which nobody works."""
        return self._client.read(HolidayList, f"{self._root}/holidays")

    def set_holidays(self, order: SetHolidays) -> HolidayList:
        """Keep other ones, all of them."""
        return self._client.act(HolidayList, f"{self._root}/holidays", order, "PUT")

    def read_holidays(self, ics: str) -> ReadHolidays:
        """Return the whole days of a calendar file; nothing is kept."""
        path = f"{self._root}/holidays/read"
        return self._client.act(ReadHolidays, path, HolidayFile(ics=ics))

    def syncs(self) -> SyncList:
        """Return when the organization's files were loaded, and what was said of them."""
        return self._client.read(SyncList, f"{self._root}/syncs")

    def sync(self) -> SyncTold:
        """Load what changed in the organization's files, now."""
        return self._client.act(SyncTold, f"{self._own}/sync", {}, is_long=True)

    def signing(self, *, look: bool = False) -> SigningView:
        """Return how replies are signed; `look` asks the DNS too."""
        asked = {"look": "true"} if look else {}
        return self._client.read(SigningView, f"{self._own}/dkim", **asked)

    def make_signing_key(self, order: NewSigning) -> SigningView:
        """Make a key unless it is there; nothing is signed by it yet."""
        return self._client.act(SigningView, f"{self._own}/dkim", order)

    def set_signing(self, dkim: Dkim | None) -> Organization:
        """Sign replies with a key, or no longer."""
        return self._client.act(Organization, f"{self._own}/dkim", _Signing(dkim=dkim), "PUT")

    def routes(self) -> tuple[Route, ...]:
        """Return every route."""
        return self._client.read(_Routes, "/v1/routes").root

    def set_route(self, route: Route) -> Route:
        """Make a route, or change one."""
        return self._client.act(Route, "/v1/routes", route)

    def remove_route(self, pattern: str) -> None:
        """Forget a route."""
        self._client.remove(f"/v1/routes?pattern={quote(pattern, safe='')}")

    @property
    def _own(self) -> str:
        return f"/v1/organizations/{self._root.rpartition('/')[2]}"

    def send_trial(self, order: TrialOrder) -> TrialMail:
        """Hand in a test mail."""
        return self._client.act(TrialMail, f"{self._root}/setup/trial", order)

    def follow_trial(self, id: str) -> TrialMail:
        """Return how far a test mail has come."""
        return self._client.read(TrialMail, self._at("setup", "trial", id))
