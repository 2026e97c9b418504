"""How many messages may come: token buckets per sender, per address block and overall."""

import ipaddress
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from connectors.receiver.limits import Limits, Network

KEYS = 10_000
SENDER = "450 4.7.1 Too many messages from this sender, try again later"
BLOCK = "450 4.7.1 Too many messages from this network, try again later"
OVERALL = "451 4.7.1 Too many messages, try again later"


@dataclass(slots=True, kw_only=True)
class Buckets:
    """A bucket for each key: holds `burst` tokens at most and gets `per_minute` new ones.

    Of more than `keys` keys the ones not used for longest are forgotten, which only ever gives
    somebody a full bucket. A rate of 0 means no limit.
    """

    per_minute: float
    burst: float
    keys: int = KEYS
    _levels: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def has(self, key: str, now: float) -> bool:
        """Return whether a token is there; `now` is a monotonic time in seconds."""
        return self.per_minute <= 0 or self._level(key, now) >= 1

    def take(self, key: str, now: float) -> None:
        """Use one token up."""
        if self.per_minute <= 0:
            return
        self._levels[key] = (self._level(key, now) - 1, now)
        self._levels.move_to_end(key)
        if len(self._levels) > self.keys:
            self._levels.popitem(last=False)

    def __len__(self) -> int:
        return len(self._levels)

    def _level(self, key: str, now: float) -> float:
        level, at = self._levels.get(key, (self.burst, now))
        return min(self.burst, level + (now - at) * self.per_minute / 60)


class Rates:
    """The three limits of one receiver process."""

    def __init__(self, limits: Limits) -> None:
        self._sender = Buckets(per_minute=limits.sender_per_minute, burst=limits.sender_burst)
        self._block = Buckets(per_minute=limits.block_per_minute, burst=limits.block_burst)
        self._overall = Buckets(per_minute=limits.overall_per_minute, burst=limits.overall_burst)

    def refusal(self, sender: str, block: str, now: float) -> str:
        """Count a message in and return "", or return the 4xx reply that puts it off.

        An empty `sender` or `block` is not limited. What is put off uses no tokens up.
        """
        asked = [(self._overall, "all", OVERALL)]
        if block:
            asked.append((self._block, block, BLOCK))
        if sender:
            asked.append((self._sender, sender, SENDER))
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
