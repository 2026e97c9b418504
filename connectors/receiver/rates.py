"""Rate limits for messages: token buckets per sender, per address block and overall."""

import ipaddress
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from connectors.receiver.limits import Limits, Network

KEYS = 10_000
SENDER = "450 4.7.1 Too many messages from this sender, try again later"
BLOCK = "450 4.7.1 Too many messages from this network, try again later"
OVERALL = "451 4.7.1 Too many messages, try again later"


class Levels(Protocol):
    """Level and time of each bucket, by key."""

    def get(self, key: str) -> tuple[float, float] | None:
        """Return level and time of a bucket; None when it is not known."""

    def put(self, key: str, level: float, at: float) -> None:
        """Set level and time of a bucket."""

    def __len__(self) -> int:
        """Return how many buckets are remembered."""

    def locked(self) -> AbstractContextManager[None]:
        """Keep others away who use the same levels."""


class OwnLevels:
    """The levels of one process; of more than `keys` the ones not used for longest are forgotten.

    To forget one only ever gives somebody a full bucket.
    """

    def __init__(self, keys: int = KEYS) -> None:
        self._keys = keys
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def get(self, key: str) -> tuple[float, float] | None:
        """Return level and time of a bucket; None when it is not known."""
        return self._levels.get(key)

    def put(self, key: str, level: float, at: float) -> None:
        """Set level and time of a bucket."""
        self._levels[key] = (level, at)
        self._levels.move_to_end(key)
        if len(self._levels) > self._keys:
            self._levels.popitem(last=False)

    def __len__(self) -> int:
        return len(self._levels)

    def locked(self) -> AbstractContextManager[None]:
        """Do nothing: nobody else is there."""
        return nullcontext()


@dataclass(frozen=True, slots=True, kw_only=True)
class Buckets:
    """A bucket for each key: holds `burst` tokens at most and gets `per_minute` new ones.

    A rate of 0 means no limit.
    """

    per_minute: float
    burst: float
    levels: Levels = field(default_factory=OwnLevels)
    prefix: str = ""
    """What tells its keys from those of others in the same levels."""

    def has(self, key: str, now: float) -> bool:
        """Return whether a token is there; `now` is a monotonic time in seconds."""
        return self.per_minute <= 0 or self._level(key, now) >= 1

    def take(self, key: str, now: float) -> None:
        """Use one token up."""
        if self.per_minute > 0:
            self.levels.put(self.prefix + key, self._level(key, now) - 1, now)

    def _level(self, key: str, now: float) -> float:
        level, at = self.levels.get(self.prefix + key) or (self.burst, now)
        return min(self.burst, level + max(0.0, now - at) * self.per_minute / 60)


class Rates:
    """The three limits of a receiver; all its processes count together in `shared` levels."""

    def __init__(self, limits: Limits, shared: Levels | None = None) -> None:
        def buckets(kind: str, per_minute: float, burst: float) -> Buckets:
            levels = shared if shared is not None else OwnLevels()
            return Buckets(per_minute=per_minute, burst=burst, levels=levels, prefix=f"{kind} ")

        self._lock = (shared if shared is not None else OwnLevels()).locked
        self._sender = buckets("sender", limits.sender_per_minute, limits.sender_burst)
        self._block = buckets("block", limits.block_per_minute, limits.block_burst)
        self._overall = buckets("all", limits.overall_per_minute, limits.overall_burst)

    def refusal(self, sender: str, block: str, now: float) -> str:
        """Count a message in and return "", or return the 4xx reply that puts it off.

        An empty `sender` or `block` is not limited. What is put off uses no tokens up.
        """
        asked = [(self._overall, "all", OVERALL)]
        if block:
            asked.append((self._block, block, BLOCK))
        if sender:
            asked.append((self._sender, sender, SENDER))
        asked = [each for each in asked if each[0].per_minute > 0]
        if not asked:
            return ""
        with self._lock():
            for buckets, key, reply in asked:
                if not buckets.has(key, now):
                    return reply
            for buckets, key, _ in asked:
                buckets.take(key, now)
        return ""


def rate_block(address: str) -> str:
    """Return what messages are counted by: the /24 of an IPv4 address, the /64 of an IPv6 one."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return str(ipaddress.ip_network((ip, 24 if ip.version == 4 else 64), strict=False))


def is_within(address: str, networks: Sequence[Network]) -> bool:
    """Return whether an address lies in one of the networks; IPv4 also when mapped into IPv6."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return any(ip.version == network.version and ip in network for network in networks)
