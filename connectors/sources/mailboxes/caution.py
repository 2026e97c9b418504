"""Messages over which the line broke: asked for in ever smaller groups, at last not for a while.

Some servers hang up over a message that they cannot read, and would so hold up all that came after
it. Kept in memory: after a restart it is learned again.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from imapclient.exceptions import IMAPClientAbortError

SMALLER = 8
"""After a break a group is asked for in so many parts."""
MOST_BREAKS = 2
"""Breaks over one message alone, after which it is left for a while: a network may fail once."""
FIRST_REST, LONGEST_REST = 900.0, 86_400.0
"""Seconds for which it is left; twice as long each time."""

Asked = tuple[str, int, str]
"""Asked, UIDVALIDITY, and what was asked for: sizes or bodies."""


@dataclass
class _Suspect:
    together: int
    """With how many others it is asked for at most, itself included."""
    breaks: int = 0
    """How often the line broke while it alone was asked for."""
    rest_until: float = 0.0
    """Monotonic time before which it is not asked for."""


@dataclass
class Caution:
    """What is remembered of one mailbox from poll to poll."""

    suspects: dict[tuple[Asked, int], _Suspect] = field(default_factory=dict)

    def resting(self, asked: Asked, uids: Sequence[int]) -> list[int]:
        """Return those of some UIDs that are not to be asked for now."""
        now = time.monotonic()
        suspects = ((uid, self.suspects.get((asked, uid))) for uid in uids)
        return [uid for uid, suspect in suspects if suspect and now < suspect.rest_until]

    def breaks(self, asked: Asked, uid: int) -> int:
        """Return how often the line broke over a message alone."""
        suspect = self.suspects.get((asked, uid))
        return suspect.breaks if suspect else 0

    def groups(self, asked: Asked, uids: Sequence[int]) -> list[list[int]]:
        """Cut UIDs into groups to ask for, ascending; a suspect is in a small one."""
        groups: list[list[int]] = []
        room = 0
        for uid in uids:
            suspect = self.suspects.get((asked, uid))
            most = suspect.together if suspect else len(uids)
            if not groups or room < 1 or len(groups[-1]) >= most:
                groups.append([])
                room = len(uids)
            groups[-1].append(uid)
            room = min(room, most) - 1
        return groups

    @contextmanager
    def over(self, asked: Asked, uids: Sequence[int]) -> Iterator[None]:
        """Remember these when the line breaks inside, and forget them when it does not."""
        try:
            yield
        except (IMAPClientAbortError, OSError, EOFError):
            for uid in uids:
                self._blame(asked, uid, len(uids))
            raise
        for uid in uids:
            self.suspects.pop((asked, uid), None)

    def _blame(self, asked: Asked, uid: int, together: int) -> None:
        suspect = self.suspects.setdefault((asked, uid), _Suspect(together))
        suspect.together = max(1, together // SMALLER)
        if together == 1:
            suspect.breaks += 1
        if suspect.breaks >= MOST_BREAKS:
            rest = min(LONGEST_REST, FIRST_REST * 2.0 ** (suspect.breaks - MOST_BREAKS))
            suspect.rest_until = time.monotonic() + rest
