"""The mail line of one organization: it stays with the organization's handle while that is open."""

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING

from connectors.mail_index import MailIndex
from data.records.core.knowledge import SavedReply
from flows.core.workspace import Workspace
from flows.mail.line.open_cases import OpenCases
from tasks.mail.ground import Ground

if TYPE_CHECKING:
    from connectors.sources.mailboxes import MailboxLogins
    from connectors.sources.mailboxes.caution import Caution


class MailLine:
    """Saved replies, ground and index of mail, whose turn it is, and what is in work now."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.mail_index = MailIndex(workspace.folder / "mail.lance")
        self.intake_lock = asyncio.Lock()
        """One intake at a time: threading looks at what the batch before it wrote."""
        self.cases_lock = asyncio.Lock()
        """One batch of cases at a time: its stages look at what the batch before it decided."""
        self.delivery_lock = asyncio.Lock()
        """One sender at a time."""
        self.cut_off = False
        """Whether an attempt to send ended without a result in this engine, as on a full disk."""
        self.mail_index_lock = asyncio.Lock()
        """One change of the index of mail at a time."""
        self.mail_index_checked = False
        """Whether somebody has looked since the start whether the index of mail is there."""
        self.poll_locks: dict[str, asyncio.Lock] = {}
        """By name of a mailbox: one poll of it at a time."""
        self.mailboxes_lock = asyncio.Lock()
        """One change of the mailboxes that are kept here at a time; it rewrites the file of all."""
        self.webhooks_at_hand: set[str] = set()
        """The ids of requests to the webhook whose message is not durable yet."""
        self.open_cases = OpenCases()
        """Who has which case open now."""
        self.caution: dict[str, Caution] = {}
        """By name of a mailbox, over which messages the connection to it broke."""

    @cached_property
    def saved_replies(self) -> tuple[SavedReply, ...]:
        """The replies that drafts may cite, as last loaded."""
        from flows.mail.line.saved_replies import list_saved_replies

        return self.workspace.db.read_apart(list_saved_replies)

    @cached_property
    def logins(self) -> "MailboxLogins":
        """What signs in to its mailboxes; holds their access tokens, in memory alone."""
        from connectors.sources.mailboxes import MailboxLogins

        return MailboxLogins()

    @property
    def ground(self) -> Ground:
        """Organization, policy, saved replies and canary as they are now: what stages work from."""
        workspace = self.workspace
        return Ground(
            organization=workspace.organization,
            policy=workspace.policy,
            saved_replies=self.saved_replies,
            canary=workspace.canary,
        )

    async def reload(self) -> None:
        """Take over the saved replies as last loaded."""
        from flows.mail.line.saved_replies import list_saved_replies

        self.saved_replies = await self.workspace.db.read(list_saved_replies)

    async def close(self) -> None:
        """Close the index of mail."""
        await self.mail_index.close()


def mail_line_of(workspace: Workspace) -> MailLine:
    """Return what the mail line keeps with an organization."""
    return workspace.get_part(MailLine)
