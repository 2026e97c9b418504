"""Teams."""

from pydantic import RootModel

from data.records.core.principals import EditTeam, NewTeam, Team
from ui.core.api.organization_client import OrganizationClient

_Teams = RootModel[tuple[Team, ...]]


class TeamApi:
    """The part of the API about teams."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def list_all(self) -> tuple[Team, ...]:
        """Return the organization's teams."""
        return self._client.read(_Teams, self._at("teams")).root

    def add(self, new_team: NewTeam) -> Team:
        """Make a team."""
        return self._client.act(Team, self._at("teams"), new_team)

    def edit(self, id: str, edit: EditTeam) -> Team:
        """Give a team another name and other members."""
        return self._client.act(Team, self._at("teams", id), edit, "PUT")

    def remove(self, id: str) -> None:
        """Remove a team; its members stay users."""
        self._client.remove(self._at("teams", id))
