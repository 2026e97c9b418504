"""The login of a connection: LOGIN, SASL PLAIN, or a bearer token (RFC 7628, and XOAUTH2)."""

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from connectors.sources.mailboxes.failures import MailboxRefusedError, login_refused
from data.records.mail.mailboxes import MailboxAccount


def enter(client: IMAPClient, account: MailboxAccount, secret: str) -> None:
    """Log in with the password, or with the access token of an account with `oauth`.

    Raises:
        MailboxRefusedError, MailboxAwayError: the server does not let this login in.
        IMAPClientAbortError: the connection broke.

    """
    bearer = _Bearer(client, account, secret) if account.oauth else None
    try:
        if bearer is not None:
            client.sasl_login(bearer.mechanism, bearer)
        elif client.has_capability("LOGINDISABLED") or not f"{account.user}{secret}".isascii():
            client.plain_login(account.user, secret)
        else:
            client.login(account.user, secret)
    except IMAPClientAbortError:
        raise
    except (LoginError, IMAPClientError) as error:
        if isinstance(error.__context__, IMAPClientAbortError):
            raise error.__context__ from None  # no refusal: the connection broke
        reason = f"{error} {bearer.said}" if bearer else str(error)
        raise login_refused(account, reason) from None  # its context may quote orders


class _Bearer:
    """The client's part of OAUTHBEARER or XOAUTH2: the token, then an end to a refusal."""

    def __init__(self, client: IMAPClient, account: MailboxAccount, token: str) -> None:
        self.said = ""
        """What the server said of a refused token: JSON (RFC 7628 section 3.2.2)."""
        auth = f"auth=Bearer {token}\x01\x01"
        if client.has_capability("AUTH=OAUTHBEARER"):
            user = account.user.replace("=", "=3D").replace(",", "=2C")
            place = f"host={account.host}\x01port={account.server_port}\x01"
            self.mechanism, self._end = "OAUTHBEARER", b"\x01"
            self._first = f"n,a={user},\x01{place}{auth}"
        elif client.has_capability("AUTH=XOAUTH2"):
            self.mechanism, self._end = "XOAUTH2", b""
            self._first = f"user={account.user}\x01{auth}"
        else:
            raise MailboxRefusedError(
                f"mailbox {account.name!r} at {account.host} offers neither OAUTHBEARER nor "
                "XOAUTH2; take 'oauth' out and name a password"
            )
        self._told = False

    def __call__(self, challenge: bytes) -> bytes:
        """Answer the server."""
        if not self._told:
            self._told = True
            return self._first.encode()
        self.said = challenge.decode("utf-8", "replace")
        return self._end
