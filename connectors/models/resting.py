"""A circuit breaker: who fails several times in a row is left alone for a while.

After the pause one call is let through; if it succeeds all are, if not the pause begins anew. Who
asks to be left alone for longer than anybody waits is left alone at once, for as long.
"""

from data.records.core.asking import Fault

OUR_FAULT = frozenset({Fault.REFUSED, Fault.MALFORMED, Fault.CUT})
"""Faults that show a provider that works."""
LONG = 15.0
"""Seconds; nobody waits longer for a second try."""


class Resting:
    """Counts failures in a row; times are seconds of a monotonic clock."""

    def __init__(self, after: int, seconds: float) -> None:
        self._after = after
        self._seconds = seconds
        self._failures = 0
        self._until = 0.0
        self._trying = False

    @property
    def failures(self) -> int:
        """Failures in a row."""
        return self._failures

    def may_ask(self, now: float) -> bool:
        """Return whether the provider may be asked; after a pause, by one caller at a time."""
        if now < self._until:
            return False
        if self._failures < self._after:
            return True
        if self._trying:
            return False
        self._trying = True
        return True

    def answered(self) -> None:
        """Note an answer."""
        self._failures, self._until, self._trying = 0, 0.0, False

    def failed(self, fault: Fault, now: float, asked: float | None = None) -> None:
        """Note a fault; one that shows a working provider counts as an answer.

        `asked` is how long the provider asks to be left alone, seconds.
        """
        if fault in OUR_FAULT:
            self.answered()
            return
        self._failures += 1
        self._trying = False
        if self._failures >= self._after:
            self._until = now + self._seconds
        if asked is not None and asked > LONG:
            self._until = max(self._until, now + asked)

    def gave_up(self) -> None:
        """Note that a call was cancelled: nothing is known."""
        self._trying = False
