"""The limits of the receiver: sizes, waits, connections, and errors of a client."""

import ipaddress
from dataclasses import dataclass

from data.settings import Settings

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
LOOPBACK: tuple[Network, ...] = (
    ipaddress.IPv4Network("127.0.0.0/8"),
    ipaddress.IPv6Network("::1/128"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the receiver; sizes in bytes, times in seconds."""

    message_bytes: int = 33_554_432
    recipients: int = 100
    connections: int = 200
    connections_per_address: int = 50
    command_bytes: int = 2048
    #: Between commands, and from the first byte of a line to its last (RFC 5321 4.5.3.2.7).
    command_seconds: float = 300
    #: For each piece of a message, and the average rate it must keep after the grace time.
    data_seconds: float = 180
    data_bytes_per_second: int = 500
    data_grace_seconds: float = 60
    #: Both waits, once more than `stress_share` of the connections are in use.
    stress_seconds: float = 10
    stress_share: float = 0.8
    #: Without an accepted message; each one starts it anew.
    session_seconds: float = 600
    store_seconds: float = 60
    #: 5xx answers, and commands that bring no message nearer, before the session is ended.
    errors: int = 20
    junk_commands: int = 100
    stop_seconds: float = 30
    hops: int = 100
    #: Messages a minute and at once; a rate of 0 is no limit.
    sender_per_minute: float = 10
    sender_burst: float = 20
    block_per_minute: float = 60
    block_burst: float = 120
    overall_per_minute: float = 0
    overall_burst: float = 600
    #: Front servers of ours: no limit by network, and none by sender unless asked for.
    front_servers: tuple[Network, ...] = LOOPBACK
    sender_limit_for_trusted: bool = False

    @classmethod
    def from_settings(cls, settings: Settings) -> "Limits":
        """Return the limits with what the settings name."""
        return cls(
            message_bytes=settings.message_size_limit,
            recipients=settings.smtp_recipients,
            connections=settings.smtp_connections,
            connections_per_address=settings.smtp_connections_per_address,
            sender_per_minute=settings.rate_sender,
            sender_burst=settings.rate_sender_burst,
            block_per_minute=settings.rate_block,
            block_burst=settings.rate_block_burst,
            overall_per_minute=settings.rate_overall,
            overall_burst=settings.rate_overall_burst,
            front_servers=tuple(map(ipaddress.ip_network, settings.trusted_front_servers)),
            sender_limit_for_trusted=settings.rate_trusted_senders,
        )
