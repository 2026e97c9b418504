"""Messages over which the connection broke: asked for in ever smaller groups, then not for a while.

Some servers hang up over a message that they cannot read, and would so hold up all that came after
it. Kept in memory: after a restart it is learned again.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from imapclient.exceptions import IMAPClientAbortError

PARTS_AFTER_BREAK = 8
"""A group over which the connection broke is asked for in so many parts the next time."""
MOST_BREAKS = 2
"""Breaks over one message alone, after which it is left for a while: a network may fail once."""
FIRST_REST, LONGEST_REST = 900.0, 86_400.0
"""Seconds for which it is left; twice as long each time."""

FetchScope = tuple[str, int, str]
"""In which folder, under which UIDVALIDITY, and what is fetched: `sizes` or `bodies`."""


@dataclass
class _Suspect:
    """A message that was among those asked for when the connection broke."""

    most_together: int
    """Of how many a group may be that holds it."""
    breaks: int = 0
    """How often the connection broke while it alone was asked for."""
    rest_until: float = 0.0
    """Monotonic time before which it is not asked for."""


@dataclass
class Caution:
    """Over which messages of one mailbox the connection broke, from poll to poll."""

    suspects: dict[tuple[FetchScope, int], _Suspect] = field(default_factory=dict)
    """By scope and UID."""

    def list_resting(self, scope: FetchScope, uids: Sequence[int]) -> list[int]:
        """Return those of these UIDs that are left for a while, and not asked for now."""
        now = time.monotonic()
        suspects = ((uid, self.suspects.get((scope, uid))) for uid in uids)
        return [uid for uid, suspect in suspects if suspect and now < suspect.rest_until]

    def count_breaks(self, scope: FetchScope, uid: int) -> int:
        """Return how often the connection broke over a message alone."""
        suspect = self.suspects.get((scope, uid))
        return suspect.breaks if suspect else 0

    def cut_groups(self, scope: FetchScope, uids: Sequence[int]) -> list[list[int]]:
        """Return UIDs in groups to ask for, in their order; a suspect is in a small group."""
        groups: list[list[int]] = []
        room = 0
        for uid in uids:
            suspect = self.suspects.get((scope, uid))
            most = suspect.most_together if suspect else len(uids)
            if not groups or room < 1 or len(groups[-1]) >= most:
                groups.append([])
                room = len(uids)
            groups[-1].append(uid)
            room = min(room, most) - 1
        return groups

    @contextmanager
    def watch_fetch(self, scope: FetchScope, uids: Sequence[int]) -> Iterator[None]:
        """Suspect these messages if the connection breaks within the block, else clear them."""
        try:
            yield
        except (IMAPClientAbortError, OSError, EOFError):
            for uid in uids:
                self._note_break(scope, uid, len(uids))
            raise
        for uid in uids:
            self.suspects.pop((scope, uid), None)

    def _note_break(self, scope: FetchScope, uid: int, together: int) -> None:
        """Note that the connection broke while a message was asked for, in a group of so many."""
        suspect = self.suspects.setdefault((scope, uid), _Suspect(together))
        suspect.most_together = max(1, together // PARTS_AFTER_BREAK)
        if together == 1:
            suspect.breaks += 1
        if suspect.breaks >= MOST_BREAKS:
            rest = min(LONGEST_REST, FIRST_REST * 2.0 ** (suspect.breaks - MOST_BREAKS))
            suspect.rest_until = time.monotonic() + rest
