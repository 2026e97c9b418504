"""Users, their roles and how they sign in."""

from urllib.parse import quote

from pydantic import RootModel

from data.records.core.principals import EditUser, NewUser, Role, User
from data.records.core.record import Record
from data.records.core.tokens import NewToken, TokenEntry
from ui.core.api.organization_client import OrganizationClient

_Roles = RootModel[tuple[Role, ...]]


_Users = RootModel[tuple[User, ...]]


_Tokens = RootModel[tuple[TokenEntry, ...]]


class MadeToken(Record):
    """A token, shown this once."""

    user: str
    token: str


class UserApi:
    """The part of the API about users, their roles and how they sign in."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def roles(self) -> tuple[Role, ...]:
        """Return the roles and what each permits."""
        return self._client.read(_Roles, "/v1/roles").root

    def everybody(self) -> tuple[User, ...]:
        """Return every user there ever was, for who administers."""
        return self._client.read(_Users, "/v1/users").root

    def add(self, new_user: NewUser) -> User:
        """Make a user."""
        return self._client.act(User, "/v1/users", new_user)

    def edit(self, id: str, edit: EditUser) -> User:
        """Change a user."""
        return self._client.act(User, f"/v1/users/{quote(id, safe='')}", edit, "PUT")

    def end(self, id: str) -> None:
        """End a user: what they may do ends, what they did stays."""
        self._client.remove(f"/v1/users/{quote(id, safe='')}")

    def tokens(self) -> tuple[TokenEntry, ...]:
        """Return what is known of every token."""
        return self._client.read(_Tokens, "/v1/tokens").root

    def add_token(self, user: User) -> MadeToken:
        """Make another token of a user."""
        new_token = NewToken(user=user.name, user_id=user.id)
        return self._client.act(MadeToken, "/v1/tokens", new_token)

    def revoke_token(self, id: str) -> None:
        """Take a token back."""
        self._client.remove(f"/v1/tokens/{quote(id, safe='')}")

    def colleagues(self) -> tuple[User, ...]:
        """Return who may see the organization."""
        return self._client.read(_Users, self._at("users")).root
