"""What an administrator can do: people, teams, tokens and mailboxes."""

from urllib.parse import quote

from pydantic import RootModel

from data.records.core.backup_views import BackupEntry, BackupList, NewBackup
from data.records.core.beginning import MadeOrganization, PlainOrganization
from data.records.core.health import HealthReport
from data.records.core.organization import Organization
from data.records.core.principals import EditTeam, EditUser, NewTeam, NewUser, Role, Team, User
from data.records.core.record import Record
from data.records.core.tokens import NewToken, TokenEntry
from data.records.core.version_diff import VersionDiff
from data.records.mail.mailbox_versions import (
    MailboxVersion,
    MailboxVersions,
    RestoreMailbox,
)
from data.records.mail.mailboxes import ChangeMailbox, MailboxPoll, MailboxSight, MailboxStanding
from ui.api.sender_desk import SenderDesk

_Organizations = RootModel[tuple[Organization, ...]]
_Roles = RootModel[tuple[Role, ...]]
_Users = RootModel[tuple[User, ...]]
_Tokens = RootModel[tuple[TokenEntry, ...]]
_Mailboxes = RootModel[tuple[MailboxStanding, ...]]


class MadeToken(Record):
    """A token, shown this once."""

    user: str
    token: str


class AdminDesk(SenderDesk):
    """The part of a `Desk` about who may do what, and mailboxes; raises `data.refusals`."""

    def organizations(self) -> tuple[Organization, ...]:
        """Return every organization of the installation."""
        return self._client.read(_Organizations, "/v1/organizations").root

    def make_organization(self, plain_organization: PlainOrganization) -> MadeOrganization:
        """Make an organization after the first."""
        path = "/v1/organizations/plain"
        return self._client.act(MadeOrganization, path, plain_organization)

    def roles(self) -> tuple[Role, ...]:
        """Return the roles and what each permits."""
        return self._client.read(_Roles, "/v1/roles").root

    def everybody(self) -> tuple[User, ...]:
        """Return every user there ever was, for who administers."""
        return self._client.read(_Users, "/v1/users").root

    def add_user(self, new_user: NewUser) -> User:
        """Make a user."""
        return self._client.act(User, "/v1/users", new_user)

    def edit_user(self, id: str, edit: EditUser) -> User:
        """Change a user."""
        return self._client.act(User, f"/v1/users/{quote(id, safe='')}", edit, "PUT")

    def end_user(self, id: str) -> None:
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

    def add_team(self, new_team: NewTeam) -> Team:
        """Make a team."""
        return self._client.act(Team, f"{self._root}/teams", new_team)

    def set_team(self, id: str, edit: EditTeam) -> Team:
        """Give a team another name and other members."""
        return self._client.act(Team, self._at("teams", id), edit, "PUT")

    def remove_team(self, id: str) -> None:
        """Remove a team; its members stay users."""
        self._client.remove(self._at("teams", id))

    def health(self, *, outside: bool = False) -> HealthReport:
        """Return what is wrong with the installation, asked now."""
        asked = {"outside": "true"} if outside else {}
        return self._client.read(HealthReport, "/v1/health", **asked)

    def backups(self) -> BackupList:
        """Return the backups that were made or tried."""
        return self._client.read(BackupList, "/v1/backups")

    def begin_backup(self, new_backup: NewBackup) -> BackupEntry:
        """Have a backup made."""
        return self._client.act(BackupEntry, "/v1/backups", new_backup)

    def verify_backup(self, id: str) -> BackupEntry:
        """Have a backup read again."""
        return self._client.act(BackupEntry, f"/v1/backups/{quote(id, safe='')}/verify", {})

    def mailboxes(self) -> tuple[MailboxStanding, ...]:
        """Return how each configured mailbox is doing."""
        return self._client.read(_Mailboxes, f"{self._root}/mailboxes").root

    def keep_mailbox(self, name: str, order: ChangeMailbox) -> tuple[MailboxStanding, ...]:
        """Keep a mailbox to fetch from, or change one."""
        return self._client.act(_Mailboxes, self._at("mailboxes", name), order, "PUT").root

    def remove_mailbox(self, name: str) -> None:
        """Forget a mailbox that is kept here."""
        self._client.remove(self._at("mailboxes", name))

    def mailbox_versions(self) -> tuple[MailboxVersion, ...]:
        """Return the settings that mailboxes have had, the newest of each first."""
        return self._client.read(MailboxVersions, f"{self._root}/mailbox-versions").items

    def compare_mailbox(self, name: str, before: int, after: int) -> VersionDiff:
        """Return what two versions have different; 0 stands for nothing."""
        path = self._at("mailboxes", name, "diff")
        return self._client.read(VersionDiff, path, before=str(before), after=str(after))

    def restore_mailbox(self, name: str, order: RestoreMailbox) -> tuple[MailboxStanding, ...]:
        """Let earlier settings of a mailbox count again."""
        path = self._at("mailboxes", name, "restore")
        return self._client.act(_Mailboxes, path, order).root

    def check_mailbox(self, name: str) -> MailboxSight:
        """Log in to a mailbox and count what a poll would take."""
        path = self._at("mailboxes", name, "check")
        return self._client.act(MailboxSight, path, {}, is_long=True)

    def poll_mailbox(self, name: str) -> MailboxPoll:
        """Take what is new in a mailbox, now."""
        return self._client.act(MailboxPoll, self._at("mailboxes", name, "poll"), {}, is_long=True)
