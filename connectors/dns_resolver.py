"""Questions to the Domain Name System, for what senders publish about their mail.

A machine without a resolver must not pay for it with every message: when several questions in a row
were not answered and a neutral one is not either, nothing is asked for a minute. Names that nobody
can own (RFC 2606, RFC 6761) are answered at once, without asking.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

import dns.exception
import dns.rdatatype
import dns.resolver
from dns.rdtypes.txtbase import TXTBase

from data.errors import OutsideTemporaryError

RecordType = Literal["TXT", "MX", "A", "AAAA", "PTR"]

NEVER_OWNED = frozenset(
    {"example", "invalid", "test", "localhost", "local", "localdomain", "onion"}
)
"""Top-level names below which nobody publishes anything."""
TIMEOUTS = 3
"""Questions in a row without an answer from which the resolver is doubted."""
PAUSE_SECONDS = 60.0
"""How long nothing is asked of a resolver that does not answer."""
QUESTION_SECONDS = 4.0
"""How long one question may take."""
PROBE_SECONDS = 1.5
"""How long the neutral question may take."""
LONGEST_TEXT = 4_096
"""Octets of a TXT record; what is longer counts as absent, no key or policy is."""
MOST_RECORDS = 64
"""Records of one answer that are looked at."""
MEMORY = 20_000
"""Answers that are remembered."""
SHORTEST_SECONDS, LONGEST_SECONDS = 10.0, 3_600.0
"""Bounds of how long an answer is remembered."""
SILENT = "no resolver answered"


class NoDnsAnswerError(OutsideTemporaryError):
    """A question to the DNS could not be answered now."""


class Resolver(Protocol):
    """Whoever answers questions to the DNS."""

    def refuses(self, name: str) -> str:
        """Return why a question about `name` would be in vain, or an empty string."""

    def answers(self, name: str, kind: RecordType, seconds: float) -> tuple[str, ...]:
        """Return the records of that name and kind; none when there are none.

        TXT records come as one string each, octets as Latin-1; MX as `10 mx.host`; names come
        without their final dot.

        Raises:
            NoDnsAnswerError: it is not known, within `seconds`, whether there are any.

        """


class SystemResolver:
    """Asks the name servers of this machine, remembers answers, and knows when to give up."""

    def __init__(
        self,
        nameservers: Sequence[str] | None = None,
        *,
        port: int = 53,
        clock: Callable[[], float] = time.monotonic,
        reserved: frozenset[str] = NEVER_OWNED,
    ) -> None:
        self._clock = clock
        self._reserved = reserved
        self._lock = threading.Lock()
        self._memory: OrderedDict[tuple[str, str], tuple[float, tuple[str, ...]]] = OrderedDict()
        self._unanswered = 0
        self._silent_until = 0.0
        self.asked = 0
        """How many questions went out, for measuring."""
        self._client: dns.resolver.Resolver | None
        try:
            self._client = dns.resolver.Resolver(configure=nameservers is None)
        except dns.resolver.NoResolverConfiguration:
            self._client = None
            return
        if nameservers is not None:
            self._client.nameservers = list(nameservers)
        self._client.port = port
        self._client.timeout = QUESTION_SECONDS / 2

    def refuses(self, name: str) -> str:
        """Return why a question about `name` would be in vain, or an empty string."""
        if self._is_reserved(name):
            return f"{name} is a name that nobody can own (RFC 2606)"
        if self._client is None or not self._client.nameservers:
            return "no name server is configured"
        return SILENT if self._clock() < self._silent_until else ""

    def answers(self, name: str, kind: RecordType, seconds: float) -> tuple[str, ...]:
        """Return the records of that name and kind, from memory where they are still good.

        Raises:
            NoDnsAnswerError: it is not known whether there are any.

        """
        name = name.lower().rstrip(".")
        if self._is_reserved(name):
            return ()
        remembered = self._remembered(name, kind)
        if remembered is not None:
            return remembered
        reason = self.refuses(name)
        if reason or self._client is None:
            raise NoDnsAnswerError(
                f"{kind} of {name!r} was not asked for: {reason}; look again later"
            )
        return self._ask(self._client, name, kind, min(seconds, QUESTION_SECONDS))

    def _ask(
        self, client: dns.resolver.Resolver, name: str, kind: RecordType, seconds: float
    ) -> tuple[str, ...]:
        self.asked += 1
        try:
            reply = client.resolve(
                name, kind, lifetime=seconds, search=False, raise_on_no_answer=False
            )
        except dns.resolver.NXDOMAIN:
            return self._remember(name, kind, (), SHORTEST_SECONDS * 6)
        except dns.exception.Timeout as error:
            self._doubt(client)
            raise NoDnsAnswerError(
                f"{kind} of {name!r} was not answered within {seconds:.1f} s; look again later"
            ) from error
        except dns.resolver.NoNameservers as error:
            self._unanswered = 0
            raise NoDnsAnswerError(
                f"{kind} of {name!r} could not be looked up; its name servers fail"
            ) from error
        except (dns.exception.DNSException, ValueError):
            return ()  # no name that the DNS could hold: a label too long, or empty
        except OSError as error:
            self._doubt(client)
            raise NoDnsAnswerError(
                f"{kind} of {name!r} could not be asked for: {error}; check the network"
            ) from error
        records = [] if reply.rrset is None else list(reply.rrset)[:MOST_RECORDS]
        texts = (_as_text(record) for record in records)
        texts_kept = tuple(text for text in texts if text and len(text) <= LONGEST_TEXT)
        return self._remember(name, kind, texts_kept, 0 if reply.rrset is None else reply.rrset.ttl)

    def _is_reserved(self, name: str) -> bool:
        return name.rstrip(".").rpartition(".")[2].lower() in self._reserved

    def _remembered(self, name: str, kind: RecordType) -> tuple[str, ...] | None:
        with self._lock:
            until, records = self._memory.get((name, kind), (0.0, ()))
            return records if self._clock() < until else None

    def _remember(
        self, name: str, kind: RecordType, records: tuple[str, ...], seconds: float
    ) -> tuple[str, ...]:
        """Remember an answer; whoever answers is there."""
        until = self._clock() + min(max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS)
        with self._lock:
            self._unanswered = 0
            self._memory[name, kind] = (until, records)
            self._memory.move_to_end((name, kind))
            while len(self._memory) > MEMORY:
                self._memory.popitem(last=False)
        return records

    def _doubt(self, client: dns.resolver.Resolver) -> None:
        """Count a silence; after several, ask something neutral before giving up for a while.

        A sender whose own name servers are silent must not silence us for everybody else.
        """
        with self._lock:
            self._unanswered += 1
            if self._unanswered < TIMEOUTS or self._clock() < self._silent_until:
                return
        answered = _is_there(client)
        with self._lock:
            self._unanswered = 0 if answered else TIMEOUTS - 1
            if not answered:
                self._silent_until = self._clock() + PAUSE_SECONDS


def _is_there(client: dns.resolver.Resolver) -> bool:
    """Whether the name servers answer at all, be it with a refusal."""
    try:
        client.resolve(".", "NS", lifetime=PROBE_SECONDS, raise_on_no_answer=False)
    except (dns.resolver.NoNameservers, dns.resolver.NXDOMAIN):
        return True
    except (dns.exception.DNSException, OSError):
        return False
    return True


def _as_text(record: object) -> str:
    """Return a record as `Resolver.answers` gives it."""
    if isinstance(record, TXTBase):
        return b"".join(record.strings).decode("latin-1")
    return str(record).rstrip(".").lower()
