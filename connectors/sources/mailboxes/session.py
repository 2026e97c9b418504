"""One connection to an IMAP server (RFC 9051, RFC 3501), with the few things that polling asks.

Bodies are fetched with BODY.PEEK[], so that looking marks nothing. Certificates are verified; a
password or token goes in plain text to loopback alone.
"""

import logging
import socket
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from types import TracebackType
from typing import Any, Self

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from connectors.sources.mailboxes.entering import enter
from connectors.sources.mailboxes.failures import (
    FolderMissingError,
    MailboxRefusedError,
    short,
    told,
)
from data.errors import SettingsError
from data.records.mailboxes import MailboxAccount, MailboxTls

logging.getLogger("imapclient").setLevel(logging.WARNING)  # else it repeats every order
CONNECT_SECONDS, READ_SECONDS = 15.0, 60.0


@dataclass(frozen=True)
class OpenFolder:
    """What the server says of the selected folder."""

    name: str
    uidvalidity: int
    uidnext: int
    messages: int
    keywords: bool
    """Whether new keywords may be made here."""
    flags: frozenset[str]
    """Flags that may be set for good."""


@dataclass(frozen=True)
class Described:
    """A message before its body is fetched."""

    uid: int
    size_bytes: int
    flags: frozenset[str]


class MailboxSession:
    """A logged-in connection; every method raises a failure of `failures`."""

    def __init__(
        self, account: MailboxAccount, secret: str, read_seconds: float = READ_SECONDS
    ) -> None:
        """Connect and log in; `secret` is the password, or an access token with `oauth`."""
        self.account = account
        with told(account, "connecting"):
            self.client = IMAPClient(
                account.host.strip("[]"),
                account.server_port,
                ssl=account.tls is MailboxTls.IMPLICIT,
                ssl_context=_tls(account),
                timeout=SocketTimeout(CONNECT_SECONDS, read_seconds),
            )
        try:
            self._enter(secret)
        except BaseException:
            self.cut()
            raise

    def _enter(self, secret: str) -> None:
        account, client = self.account, self.client
        with told(account, "encrypting"):
            if account.tls is MailboxTls.STARTTLS:
                client.starttls(_tls(account))
        with told(account, "logging in"):
            enter(client, account, secret)
            self.peer = str(client.socket().getpeername()[0])

    @property
    def encrypted(self) -> bool:
        """Whether the connection is encrypted."""
        return self.account.tls is not MailboxTls.NONE

    def can(self, capability: str) -> bool:
        """Whether the server offers this."""
        with told(self.account, "asking what the server can do"):
            return bool(self.client.has_capability(capability))

    # -- folders -------------------------------------------------------------------------

    def open(self, folder: str, *, readonly: bool) -> OpenFolder:
        """Select a folder.

        Raises:
            FolderMissingError: there is none of that name; the sentence lists those there are.

        """
        with told(self.account, f"opening folder {folder!r}"):
            try:
                said = self.client.select_folder(folder, readonly=readonly)
            except IMAPClientAbortError:
                raise
            except IMAPClientError as error:
                raise self._missing(folder, error) from error
            if not said.get(b"UIDVALIDITY"):
                raise MailboxRefusedError(
                    f"folder {folder!r} of mailbox {self.account.name!r} has no UIDVALIDITY, so "
                    "nobody could say what was read already; use another server or folder"
                )
            allowed = frozenset(_text(flag).lower() for flag in said.get(b"PERMANENTFLAGS", ()))
            return OpenFolder(
                name=folder,
                uidvalidity=int(said[b"UIDVALIDITY"]),
                uidnext=int(said.get(b"UIDNEXT") or 0) or self._highest() + 1,
                messages=int(said[b"EXISTS"]),
                keywords="\\*" in allowed,
                flags=allowed,
            )

    def folders(self) -> dict[str, frozenset[str]]:
        """Return the special uses (RFC 6154) and other marks of each folder, in lower case."""
        with told(self.account, "listing folders"):
            return {
                str(name): frozenset(_text(flag).lower() for flag in flags)
                for flags, _, name in self.client.list_folders()
            }

    def _missing(self, folder: str, error: Exception) -> FolderMissingError:
        there = ", ".join(sorted(self.folders())[:20])
        return FolderMissingError(
            f"folder {folder!r} of mailbox {self.account.name!r} cannot be opened "
            f"({short(str(error))}); mend 'folders', there are: {there}"
        )

    # -- messages of the selected folder -------------------------------------------------

    def search(self, low: int, high: int | None = None, since: date | None = None) -> list[int]:
        """Return the UIDs from `low` up to `high` that arrived since that day, ascending.

        A server answers `9:*` with its last message even if that is number 3, hence the filter.
        """
        if high is not None and high < low:
            return []
        criteria: list[Any] = ["UID", f"{low}:{high if high is not None else '*'}"]
        if since is not None:
            criteria += ["SINCE", since]
        with told(self.account, "searching for new messages"):
            found = self.client.search(criteria)
        return sorted({u for u in map(int, found) if u >= low and (high is None or u <= high)})

    def describe(self, uids: Sequence[int]) -> list[Described]:
        """Return size and flags of those messages that are still there, ascending."""
        with told(self.account, "asking for sizes"):
            found = self.client.fetch(uids, ["RFC822.SIZE", "FLAGS"]) if uids else {}
            return [
                Described(
                    uid=uid,
                    size_bytes=int(found[uid][b"RFC822.SIZE"]),
                    flags=frozenset(_text(flag).lower() for flag in found[uid].get(b"FLAGS", ())),
                )
                for uid in sorted(set(uids) & set(found))
                if b"RFC822.SIZE" in found[uid]
            ]

    def bodies(self, uids: Sequence[int]) -> dict[int, bytes]:
        """Return the messages that are still there, as they are; marks nothing."""
        with told(self.account, f"fetching {len(uids)} messages"):
            found = self.client.fetch(uids, ["BODY.PEEK[]"]) if uids else {}
            return {
                uid: bytes(found[uid][b"BODY[]"])
                for uid in uids
                if uid in found and found[uid].get(b"BODY[]") is not None
            }

    def _highest(self) -> int:
        return max(map(int, self.client.search(["ALL"])), default=0)

    # -- the end -------------------------------------------------------------------------

    def hang_up(self) -> None:
        """Break the line, so that whoever waits for the server in another thread goes on."""
        try:
            self.client.socket().shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def cut(self) -> None:
        """Drop the connection at once; from any thread, and more than once."""
        try:
            self.client.shutdown()
        except (OSError, IMAPClientError):
            return

    def __enter__(self) -> Self:
        """Return this session."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Log out if all is well, and drop the connection."""
        if error is None:
            try:
                self.client.logout()
            except (OSError, IMAPClientError):
                self.cut()
        else:
            self.cut()


def _tls(account: MailboxAccount) -> ssl.SSLContext:
    """Return a context that verifies certificate and name, TLS 1.2 and later."""
    try:
        context = ssl.create_default_context(cafile=account.ca_file or None)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(
            f"'ca_file' {account.ca_file!r} of mailbox {account.name!r} cannot be used: "
            f"{error.strerror or error}; name a file of certificates (PEM)"
        ) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _text(flag: bytes | str) -> str:
    return flag.decode("ascii", "replace") if isinstance(flag, bytes) else flag


def groups(messages: Iterable[Described], most: int, most_bytes: int) -> list[list[Described]]:
    """Cut into runs of at most so many messages and, but for single ones, so many bytes."""
    made: list[list[Described]] = []
    room = 0
    for message in messages:
        if not made or len(made[-1]) >= most or message.size_bytes > room:
            made.append([])
            room = most_bytes
        made[-1].append(message)
        room -= message.size_bytes
    return made
