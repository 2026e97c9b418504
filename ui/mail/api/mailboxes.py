"""Mailboxes that mail is fetched from."""

from pydantic import RootModel

from data.records.core.version_diff import VersionDiff
from data.records.mail.mailbox_versions import MailboxVersion, MailboxVersions, RestoreMailbox
from data.records.mail.mailboxes import ChangeMailbox, MailboxPoll, MailboxSight, MailboxStanding
from ui.core.api.organization_client import OrganizationClient

_Mailboxes = RootModel[tuple[MailboxStanding, ...]]


class MailboxApi:
    """The part of the API about mailboxes that mail is fetched from."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def list_all(self) -> tuple[MailboxStanding, ...]:
        """Return how each configured mailbox is doing."""
        return self._client.read(_Mailboxes, self._at("mailboxes")).root

    def keep(self, name: str, order: ChangeMailbox) -> tuple[MailboxStanding, ...]:
        """Keep a mailbox to fetch from, or change one."""
        return self._client.act(_Mailboxes, self._at("mailboxes", name), order, "PUT").root

    def remove(self, name: str) -> None:
        """Forget a mailbox that is kept here."""
        self._client.remove(self._at("mailboxes", name))

    def versions(self) -> tuple[MailboxVersion, ...]:
        """Return the settings that mailboxes have had, the newest of each first."""
        return self._client.read(MailboxVersions, self._at("mailbox-versions")).items

    def compare(self, name: str, before: int, after: int) -> VersionDiff:
        """Return what two versions have different; 0 stands for nothing."""
        path = self._at("mailboxes", name, "diff")
        return self._client.read(VersionDiff, path, before=str(before), after=str(after))

    def restore(self, name: str, order: RestoreMailbox) -> tuple[MailboxStanding, ...]:
        """Let earlier settings of a mailbox count again."""
        path = self._at("mailboxes", name, "restore")
        return self._client.act(_Mailboxes, path, order).root

    def check(self, name: str) -> MailboxSight:
        """Log in to a mailbox and count what a poll would take."""
        path = self._at("mailboxes", name, "check")
        return self._client.act(MailboxSight, path, {}, is_long=True)

    def poll(self, name: str) -> MailboxPoll:
        """Take what is new in a mailbox, now."""
        return self._client.act(MailboxPoll, self._at("mailboxes", name, "poll"), {}, is_long=True)
