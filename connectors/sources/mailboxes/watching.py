"""Waiting for new mail on a connection of its own: IDLE (RFC 2177), else a look now and then."""

import time
from collections.abc import Callable

from connectors.sources.mailboxes.failures import FolderMissingError, translate_failures
from connectors.sources.mailboxes.session import MailboxSession
from data.records.mail.mailboxes import FolderPosition

SLICE_SECONDS = 1.0
"""How soon a watch notices that it is to end."""
IDLE_SECONDS = 25 * 60.0
"""RFC 2177 asks to end IDLE within 29 minutes, before the server does."""


class Watch:
    """Says when a mailbox should be polled; owns its session while it runs."""

    def __init__(
        self,
        session: MailboxSession,
        seen_ends: dict[str, FolderPosition],
        wake: Callable[[], None],
        stopped: Callable[[], bool],
    ) -> None:
        """Begin with the `seen_ends` of folders, by name; they are kept up to date."""
        self._session, self._seen = session, seen_ends
        self._wake, self._stopped = wake, stopped

    def run(self) -> None:
        """Watch until stopping; raises what ends the connection.

        Each look compares UIDVALIDITY and UIDNEXT of every folder, so what came while nobody
        watched is found, and an IDLE answer that went past is only late.
        """
        account = self._session.account
        idle = account.idle and self._session.can("IDLE")
        while not self._stopped():
            if self._look():
                self._wake()
            if idle:
                self._idle(min(account.poll_seconds, IDLE_SECONDS))
            else:
                rest_until_stopped(account.poll_seconds, self._stopped)

    def _look(self) -> bool:
        """Return whether a folder has changed since the last look; ends with the first selected."""
        changed = False
        missing: list[FolderMissingError] = []
        for folder in reversed(self._session.account.folders):
            try:
                opened = self._session.open(folder, readonly=True)
                now = FolderPosition(opened.uidvalidity, opened.uidnext)
            except FolderMissingError as error:  # the poll says so; the others are watched on
                missing.append(error)
                now = FolderPosition(0, 0)
            changed |= self._seen.get(folder) != now
            self._seen[folder] = now
        if len(missing) == len(self._session.account.folders):
            raise missing[0]
        return changed

    def _idle(self, seconds: float) -> None:
        """Return when something arrives in the selected folder, or after so many seconds."""
        client, end = self._session.client, time.monotonic() + seconds
        with translate_failures(self._session.account, "waiting for new mail"):
            client.idle()
            try:
                while not self._stopped() and (left := end - time.monotonic()) > 0:
                    began = time.monotonic()
                    answers = client.idle_check(timeout=min(SLICE_SECONDS, left))
                    if any(b"EXISTS" in answer[1:2] for answer in answers):
                        break
                    if not answers and time.monotonic() - began < min(SLICE_SECONDS, left) / 2:
                        break  # readable, nothing to read: the connection is gone, as DONE will say
            finally:
                if not self._stopped():
                    client.idle_done()


def rest_until_stopped(seconds: float, stopped: Callable[[], bool]) -> None:
    """Sleep, but end soon after `stopped` says so."""
    end = time.monotonic() + seconds
    while not stopped() and (left := end - time.monotonic()) > 0:
        time.sleep(min(SLICE_SECONDS, left))
