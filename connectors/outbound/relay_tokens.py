"""Access tokens for the relay: those of a mailbox, whose consent covers sending too.

The large providers bind the consent to a person, whose mail is read and sent by the same one. So
there is one refresh token in one place, and a provider that replaces it is followed there.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from connectors.outbound.transport import NoLoginError
from connectors.sources.mailboxes.logins import MailboxLogins
from data.errors import PosternError, SettingsError
from data.mailbox_files import read_mailbox


@dataclass(frozen=True, kw_only=True)
class RelayLogin:
    """Who signs in, and with which token."""

    user: str
    token: str
    fresh: bool
    """Whether it was asked for just now, so that another one would be refused as well."""


class RelayTokens:
    """The tokens of one mailbox, kept in memory as long as they last."""

    def __init__(self, organizations: Path, mailbox: str) -> None:
        """`organizations` is the folder of all; `mailbox` is `organization/name`."""
        self._organizations, self._mailbox = organizations, mailbox
        self._logins = MailboxLogins()

    async def read(self, *, refused: str = "") -> RelayLogin:
        """Return a token other than the one refused.

        Raises:
            NoLoginError: there is none; the sentence says why.

        """
        try:
            return await asyncio.to_thread(self._read, refused)
        except PosternError as error:
            raise NoLoginError(str(error)) from error

    def _read(self, refused: str) -> RelayLogin:
        slug, _, name = self._mailbox.partition("/")
        account = read_mailbox(self._organizations / slug, name)
        if account.oauth is None:
            raise SettingsError(
                f"mailbox {self._mailbox!r} is signed in to with a password; give the relay a "
                "login name and a password of its own"
            )
        token, fresh = self._logins.token(account, account.oauth, refused=refused)
        return RelayLogin(user=account.user, token=token, fresh=fresh)
