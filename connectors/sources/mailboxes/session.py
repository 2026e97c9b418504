"""One connection to an IMAP server (RFC 9051, RFC 3501), with the few things that polling asks.

Bodies are fetched with BODY.PEEK[], so that looking marks nothing. Certificates are verified; a
password or token goes in plain text to loopback alone.
"""

import logging
import socket
import ssl
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from types import TracebackType
from typing import Any, Self

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from connectors.sources.mailboxes.answers import AnswerT, AskServer, ask_each
from connectors.sources.mailboxes.caution import Caution
from connectors.sources.mailboxes.entering import enter
from connectors.sources.mailboxes.failures import (
    FolderMissingError,
    MailboxAwayError,
    MailboxRefusedError,
    shorten_failure,
    translate_failures,
)
from connectors.sources.mailboxes.sizes import (
    MessageSize,
    flag_text,
    read_size,
    tells_size,
)
from connectors.verified_tls import verified_tls
from data.records.mail.mailboxes import MailboxAccount, MailboxTls

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


class MailboxSession:
    """A logged-in connection; every method raises a failure of `failures`."""

    def __init__(
        self, account: MailboxAccount, secret: str, read_seconds: float = READ_SECONDS
    ) -> None:
        """Connect and log in; `secret` is the password, or an access token with `oauth`."""
        self.account = account
        self._messages = 0
        """How many the selected folder had when it was opened."""
        self._selected: tuple[str, int] = ("", 0)
        self.caution = Caution()
        """What is known of messages over which the connection broke; the caller may keep it."""
        with translate_failures(account, "connecting"):
            self.client = IMAPClient(
                account.host.strip("[]"),
                account.server_port,
                ssl=account.tls is MailboxTls.IMPLICIT,
                ssl_context=_trust_of(account),
                timeout=SocketTimeout(CONNECT_SECONDS, read_seconds),
            )
        try:
            self._enter(secret)
        except BaseException:
            self.drop_connection()
            raise

    def _enter(self, secret: str) -> None:
        account, client = self.account, self.client
        with translate_failures(account, "encrypting"):
            if account.tls is MailboxTls.STARTTLS:
                client.starttls(_trust_of(account))
        with translate_failures(account, "logging in"):
            enter(client, account, secret)
            self.peer = str(client.socket().getpeername()[0])

    @property
    def encrypted(self) -> bool:
        """Whether the connection is encrypted."""
        return self.account.tls is not MailboxTls.NONE

    def can(self, capability: str) -> bool:
        """Whether the server offers this."""
        with translate_failures(self.account, "asking what the server can do"):
            return bool(self.client.has_capability(capability))

    # -- folders -------------------------------------------------------------------------

    def open(self, folder: str, *, readonly: bool) -> OpenFolder:
        """Select a folder.

        Raises:
            FolderMissingError: there is none of that name; the sentence lists those there are.

        """
        with translate_failures(self.account, f"opening folder {folder!r}"):
            try:
                selected = self.client.select_folder(folder, readonly=readonly)
            except IMAPClientAbortError:
                raise
            except IMAPClientError as error:
                raise self._missing(folder, error) from error
            if not selected.get(b"UIDVALIDITY"):
                raise MailboxRefusedError(
                    f"folder {folder!r} of mailbox {self.account.name!r} has no UIDVALIDITY, so "
                    "nobody could say what was read already; use another server or folder"
                )
            self._messages = int(selected[b"EXISTS"])
            self._selected = (folder, int(selected[b"UIDVALIDITY"]))
            allowed = frozenset(
                flag_text(flag).lower() for flag in selected.get(b"PERMANENTFLAGS", ())
            )
            return OpenFolder(
                name=folder,
                uidvalidity=self._selected[1],
                uidnext=int(selected.get(b"UIDNEXT") or 0) or self._highest() + 1,
                messages=self._messages,
                keywords="\\*" in allowed,
                flags=allowed,
            )

    def folders(self) -> dict[str, frozenset[str]]:
        """Return the special uses (RFC 6154) and other marks of each folder, in lower case."""
        with translate_failures(self.account, "listing folders"):
            return {
                str(name): frozenset(flag_text(flag).lower() for flag in flags)
                for flags, _, name in self.client.list_folders()
            }

    def _missing(self, folder: str, error: Exception) -> FolderMissingError:
        there = ", ".join(sorted(self.folders())[:20])
        return FolderMissingError(
            f"folder {folder!r} of mailbox {self.account.name!r} cannot be opened "
            f"({shorten_failure(str(error))}); mend 'folders', there are: {there}"
        )

    # -- messages of the selected folder -------------------------------------------------

    def search(self, low: int, high: int | None = None, since: date | None = None) -> list[int]:
        """Return the UIDs from `low` up to `high` that arrived since that day, ascending.

        A server answers `9:*` with its last message even if that is number 3, hence the filter.

        Raises:
            MailboxAwayError: the server names no message of a folder that has some.

        """
        if high is not None and high < low:
            return []
        criteria: list[Any] = ["UID", f"{low}:{high if high is not None else '*'}"]
        with translate_failures(self.account, "searching for new messages"):
            if since is not None:  # that none is so young is an answer
                uids_named = set(map(int, self.client.search([*criteria, "SINCE", since])))
            else:
                uids_named = self._search_uids(criteria)
        return sorted({u for u in uids_named if u >= low and (high is None or u <= high)})

    def present(self, uids: Collection[int]) -> set[int]:
        """Return those of some UIDs that are in the folder now; raises as `search` does."""
        with translate_failures(self.account, "looking for messages that were not answered for"):
            uids_present = (
                self._search_uids(["UID", ",".join(map(str, sorted(uids)))]) if uids else set()
            )
        return uids_present & set(uids)

    def describe(self, uids: Sequence[int]) -> list[MessageSize]:
        """Return size and flags of those messages that are still there, ascending.

        A message that is there and is not answered for has no size.
        """

        def ask(some: Sequence[int]) -> dict[int, MessageSize]:
            answer = self.client.fetch(some, ["RFC822.SIZE", "FLAGS"])
            return {
                uid: read_size(uid, fields) for uid, fields in answer.items() if tells_size(fields)
            }

        with translate_failures(self.account, "asking for sizes"):
            answers, silent = self._ask("sizes", ask, uids)
        unsized = {uid: MessageSize(uid, None, frozenset()) for uid in silent}
        return sorted((answers | unsized).values(), key=lambda item: item.uid)

    def bodies(
        self, messages: Sequence[MessageSize], most: int
    ) -> tuple[dict[int, bytes], dict[int, str]]:
        """Return the messages that are still there as they are, and why others were not given.

        Marks nothing. Of a message whose size is not known, `most` bytes and one more are fetched.
        """
        sizes = {message.uid: message.size_bytes for message in messages}
        part = "" if all(size is not None for size in sizes.values()) else f"<0.{most + 1}>"

        def ask(some: Sequence[int]) -> dict[int, bytes]:
            answer = self.client.fetch(some, [f"BODY.PEEK[]{part}"])
            raw_by_uid = {
                uid: fields.get(b"BODY[]", fields.get(b"BODY[]<0>"))
                for uid, fields in answer.items()
            }
            return {
                uid: raw
                for uid, raw in raw_by_uid.items()
                if isinstance(raw, bytes) and (raw or sizes[uid] == 0)
            }

        with translate_failures(self.account, f"fetching {len(messages)} messages"):
            return self._ask("bodies", ask, list(sizes))

    def _ask(
        self, what: str, ask: AskServer[AnswerT], uids: Sequence[int]
    ) -> tuple[dict[int, AnswerT], dict[int, str]]:
        """Ask for messages; one over which the server keeps hanging up is left for a while."""
        scope, caution = (*self._selected, what), self.caution
        resting = caution.list_resting(scope, uids)
        there = self.present(resting)
        answers: dict[int, AnswerT] = {}
        silent = {
            uid: f"it hung up over it {caution.count_breaks(scope, uid)} times"
            for uid in resting
            if uid in there
        }
        for group in caution.cut_groups(scope, [uid for uid in uids if uid not in resting]):
            with caution.watch_fetch(scope, group):
                answered, missing = ask_each(ask, self.present, group)
            answers |= answered
            silent |= missing
        return answers, silent

    def _search_uids(self, criteria: list[Any]) -> set[int]:
        """Return the UIDs that a search names; a server that names none is asked for all.

        Some give no answer to a search that they fail over, and say OK.
        """
        uids = set(map(int, self.client.search(criteria)))
        if uids or not self._messages:
            return uids
        everything = set(map(int, self.client.search(["ALL"])))
        if not everything:
            raise MailboxAwayError(
                f"mailbox {self.account.name!r} at {self.account.host} has messages and names none "
                "when it is searched; it is tried again, and nothing is passed over"
            )
        return everything

    def _highest(self) -> int:
        return max(map(int, self.client.search(["ALL"])), default=0)

    # -- the end -------------------------------------------------------------------------

    def hang_up(self) -> None:
        """Break the connection, so that whoever waits for the server in another thread goes on."""
        try:
            self.client.socket().shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def drop_connection(self) -> None:
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
                self.drop_connection()
        else:
            self.drop_connection()


def _trust_of(account: MailboxAccount) -> ssl.SSLContext:
    return verified_tls(account.ca_file, f"mailbox {account.name!r}", account.ca_pem)
