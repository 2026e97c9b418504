"""The questions to the DNS that one message may cause, counted and timed.

SPF alone lets a sender cause over a hundred questions (RFC 7208 section 11.1); with DKIM and DMARC
in the same budget, a message ends as not established before it becomes expensive.
"""

import time
from collections.abc import Callable

from connectors.dns_resolver import NoDnsAnswerError, RecordType, Resolver

MOST_LOOKUPS = 40
"""Questions of one message."""
MESSAGE_SECONDS = 10.0
"""Time for all questions of one message."""


class Lookups:
    """The budget of one message; every answer is given twice without asking twice."""

    def __init__(
        self,
        resolver: Resolver,
        *,
        most: int = MOST_LOOKUPS,
        seconds: float = MESSAGE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._resolver = resolver
        self._most = most
        self._clock = clock
        self._until = clock() + seconds
        self._seen: dict[tuple[str, str], tuple[str, ...]] = {}
        self.count = 0
        """Questions so far."""

    def answers(self, name: str, kind: RecordType) -> tuple[str, ...]:
        """Return the records of that name and kind.

        Raises:
            NoDnsAnswerError: it is not known whether there are any, or the budget is spent.

        """
        key = (name.lower().rstrip("."), kind)
        if key in self._seen:
            return self._seen[key]
        left = self._until - self._clock()
        if self.count >= self._most:
            raise NoDnsAnswerError(
                f"{kind} of {name!r} was not asked for: {self._most} questions are"
                " enough for one message"
            )
        if left <= 0:
            raise NoDnsAnswerError(
                f"{kind} of {name!r} was not asked for: the time for this message is over"
            )
        self.count += 1
        self._seen[key] = self._resolver.answers(key[0], kind, left)
        return self._seen[key]

    def txt(self, name: str) -> tuple[bytes, ...]:
        """Return the TXT records of a name, each joined to one."""
        return tuple(text.encode("latin-1") for text in self.answers(name, "TXT"))

    def mx(self, name: str) -> tuple[tuple[int, str], ...]:
        """Return (preference, host) of each MX record of a name."""
        pairs = (text.partition(" ") for text in self.answers(name, "MX"))
        return tuple((int(rank), host) for rank, _, host in pairs if rank.isdigit())

    def a(self, name: str) -> tuple[str, ...]:
        """Return the IPv4 addresses of a name."""
        return self.answers(name, "A")

    def aaaa(self, name: str) -> tuple[str, ...]:
        """Return the IPv6 addresses of a name."""
        return self.answers(name, "AAAA")

    def ptr(self, name: str) -> tuple[str, ...]:
        """Return the names that a reverse name points to."""
        return self.answers(name, "PTR")
