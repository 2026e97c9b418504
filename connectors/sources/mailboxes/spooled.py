"""IMAP messages that wait in the spool, by content: for a poll that was killed after the spool."""

import json
from datetime import datetime, timedelta

from connectors.spool import Spool
from data.records.core.envelope import Channel

HEADER_BYTES = 65_536
MARGIN = timedelta(hours=1)
"""Clocks may have stepped back."""


def waiting_content(spool: Spool, after: datetime | None) -> dict[str, str]:
    """Return the spool id of each waiting IMAP message by the hash of its content.

    Reads the first line of each file alone, of those that came `after` that time (their ids say
    when), or of all.
    """
    begin = int(((after - MARGIN).timestamp() if after else 0) * 1e9)
    hash_by_id: dict[str, str] = {}
    for entry in spool.list_waiting(spool.limit):
        if int(entry.spool_id[:16], 16) < begin:
            continue
        try:
            with entry.path.open("rb") as file:
                header = json.loads(file.readline(HEADER_BYTES))
            envelope = header["envelope"]
            if envelope["channel"] == Channel.IMAP:
                hash_by_id[str(envelope["sha256"])] = entry.spool_id
        except FileNotFoundError:
            continue  # taken in by the engine since, and found in its state
        except (OSError, ValueError, KeyError, TypeError):
            continue  # intake says what is wrong with it
    return hash_by_id
