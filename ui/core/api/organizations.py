"""Organizations: what each says of itself, its holidays, files and routes."""

from urllib.parse import quote

from pydantic import RootModel

from data.records.core.first_organization import MadeOrganization, PlainOrganization
from data.records.core.holidays import HolidayFile, HolidayList, HolidayReading, SetHolidays
from data.records.core.organization import Organization, Route
from data.records.core.profiles import EditProfile, ProfileView
from data.records.core.syncs import SyncList, SyncTold
from ui.core.api.organization_client import OrganizationClient

_Organizations = RootModel[tuple[Organization, ...]]


_Routes = RootModel[tuple[Route, ...]]


class OrganizationApi:
    """The part of the API about organizations, and what each says of itself."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at, self._own = client.sender, client.at, client.own

    def list_all(self) -> tuple[Organization, ...]:
        """Return every organization of the installation."""
        return self._client.read(_Organizations, "/v1/organizations").root

    def make(self, plain_organization: PlainOrganization) -> MadeOrganization:
        """Make an organization after the first."""
        path = "/v1/organizations/plain"
        return self._client.act(MadeOrganization, path, plain_organization)

    def profile(self) -> ProfileView:
        """Return what the organization says of itself."""
        return self._client.read(ProfileView, self._at("profile"))

    def edit_profile(self, edit_profile: EditProfile) -> Organization:
        """Change what the organization says of itself."""
        path = f"/v1/organizations/{edit_profile.profile.slug}"
        return self._client.act(Organization, path, edit_profile, "PUT")

    def holidays(self) -> HolidayList:
        """Return the days on which nobody works."""
        return self._client.read(HolidayList, self._at("holidays"))

    def set_holidays(self, order: SetHolidays) -> HolidayList:
        """Keep other ones, all of them."""
        return self._client.act(HolidayList, self._at("holidays"), order, "PUT")

    def read_holidays(self, ics: str) -> HolidayReading:
        """Return the whole days of a calendar file; nothing is kept."""
        path = self._at("holidays", "read")
        return self._client.act(HolidayReading, path, HolidayFile(ics=ics))

    def syncs(self) -> SyncList:
        """Return when the organization's files were loaded, and what was said of them."""
        return self._client.read(SyncList, self._at("syncs"))

    def sync(self) -> SyncTold:
        """Load what changed in the organization's files, now."""
        return self._client.act(SyncTold, self._own("sync"), {}, is_long=True)

    def routes(self) -> tuple[Route, ...]:
        """Return every route."""
        return self._client.read(_Routes, "/v1/routes").root

    def set_route(self, route: Route) -> Route:
        """Make a route, or change one."""
        return self._client.act(Route, "/v1/routes", route)

    def remove_route(self, pattern: str) -> None:
        """Forget a route."""
        self._client.remove(f"/v1/routes?pattern={quote(pattern, safe='')}")
