"""Opening mailboxes: with a password, or with an access token that is renewed in time.

Access tokens are kept in memory only. One is renewed before it ends, and once after a login that
was refused with it. A refresh token that the provider replaces is written where the old one came
from, because some providers forget the old one and all forget it some day; where it cannot be
written it lives as long as this process does.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from connectors import disk
from connectors.sources.mailboxes.failures import LoginPutOffError, MailboxRefusedError
from connectors.sources.mailboxes.oauth import ask_for_token
from connectors.sources.mailboxes.session import READ_SECONDS, MailboxSession
from data.mailbox_files import read_password, read_secret
from data.records.mail.mailbox_oauth import MailboxOAuth
from data.records.mail.mailboxes import MailboxAccount

log = logging.getLogger("postern.mailboxes")
EARLY_SECONDS, EARLY_SHARE = 300.0, 0.2
"""How long before its end a token is renewed: so many seconds, at most that share of its life."""


@dataclass
class _LoginState:
    """What is known of one login."""

    token: str = ""
    renew_at: float = 0.0
    """Monotonic time from which the token is not used for another login."""
    replaced: tuple[str, str] = ("", "")
    """A refresh token as it is stored, and the one that the provider gave in its place."""
    asking: threading.Lock = field(default_factory=threading.Lock)


class MailboxLogins:
    """Opens sessions; one for all threads that log into mailboxes of an organization."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._states: dict[tuple[MailboxOAuth, str], _LoginState] = {}
        self._lock = threading.Lock()

    def open(self, account: MailboxAccount, read_seconds: float = READ_SECONDS) -> MailboxSession:
        """Return a logged-in session; blocking.

        Raises what `MailboxSession` and `ask_for_token` raise.
        """
        if account.oauth is None:
            return MailboxSession(account, read_password(account), read_seconds)
        token, fresh = self.token(account, account.oauth)
        try:
            return MailboxSession(account, token, read_seconds)
        except (MailboxRefusedError, LoginPutOffError):
            if fresh:  # another one would be refused as well
                raise
        token, _ = self.token(account, account.oauth, refused=token)
        return MailboxSession(account, token, read_seconds)

    def token(
        self, account: MailboxAccount, oauth: MailboxOAuth, *, refused: str = ""
    ) -> tuple[str, bool]:
        """Return a token other than the one refused, and whether it was asked for just now.

        Blocking. Raises what `ask_for_token` raises.
        """
        with self._lock:
            state = self._states.setdefault((oauth, account.user), _LoginState())
        return self._token(account, oauth, state, refused=refused)

    def forget(self, account: MailboxAccount) -> None:
        """Ask for another access token at the next login, as somebody who checks it wants."""
        with self._lock:
            state = self._states.get((account.oauth, account.user)) if account.oauth else None
        if state is not None:
            with state.asking:
                state.token = ""

    def _token(
        self, account: MailboxAccount, oauth: MailboxOAuth, state: _LoginState, *, refused: str
    ) -> tuple[str, bool]:
        """Return a token other than the one refused, and whether it was asked for just now."""
        with state.asking:
            if state.token and state.token != refused and self._clock() < state.renew_at:
                return state.token, False
            state.token = ""
            refresh_token = self._refresh_token(account, oauth, state)
            grant = ask_for_token(account, oauth, refresh_token)
            early = min(EARLY_SECONDS, grant.lasts_seconds * EARLY_SHARE)
            state.renew_at = self._clock() + grant.lasts_seconds - early
            if oauth.refreshes and grant.refresh_token:
                self._keep_refresh_token(account, oauth, state, grant.refresh_token)
            state.token = grant.access_token
            return state.token, True

    @staticmethod
    def _refresh_token(account: MailboxAccount, oauth: MailboxOAuth, state: _LoginState) -> str:
        if not oauth.refreshes:
            return ""
        stored = read_secret(
            account.name, "refresh token", oauth.refresh_token_env, oauth.refresh_token_file
        )
        # What a person has put there since goes before what we remember.
        return state.replaced[1] if state.replaced[0] == stored else stored

    @staticmethod
    def _keep_refresh_token(
        account: MailboxAccount, oauth: MailboxOAuth, state: _LoginState, renewed: str
    ) -> None:
        """Keep the refresh token that is to be used from now on."""
        stored = read_secret(
            account.name, "refresh token", oauth.refresh_token_env, oauth.refresh_token_file
        )
        if renewed == stored:
            return
        state.replaced = (stored, renewed)
        if not oauth.refresh_token_file:
            return
        path = Path(oauth.refresh_token_file).resolve()
        try:
            disk.write_durably(path.parent, path.name, f"{renewed}\n".encode())
        except OSError as error:
            log.warning(
                "mailbox %s: the provider gave a new refresh token, which cannot be written to %r "
                "(%s): it is lost when this process ends; make the file and its folder writable",
                account.name,
                str(path),
                error.strerror,
            )
