"""A poll that waits for its server does not hold up the end of the engine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from connectors.sources.mailboxes.session import MailboxSession

LOOK_SECONDS = 0.5
GRACE_SECONDS = 5.0
"""What a poll may take to end by itself, page and cursor and all, once the engine stops."""


@contextmanager
def cut_short(session: MailboxSession, closing: threading.Event) -> Iterator[None]:
    """Hang up some seconds after `closing` is set; the poll then fails as with any broken line."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(LOOK_SECONDS):
            if closing.is_set():
                if not ended.wait(GRACE_SECONDS):
                    session.hang_up()
                return

    watching = threading.Thread(target=watch, name="mailbox-end", daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()
