"""The state that all sessions of one receiver share: limits, routes, spool, and connections."""

import asyncio
import contextlib
import ipaddress
import logging
from collections import Counter
from ssl import SSLContext
from typing import Protocol

from connectors.receiver.committer import Committer
from connectors.receiver.greeting import GreetingName
from connectors.receiver.limits import Limits
from connectors.receiver.rates import Levels, Rates, is_within, rate_block
from connectors.receiver.replies import LATER
from connectors.receiver.users import Users
from connectors.routes import RoutesMissingError, RouteTable, normalize_address
from connectors.spool import Spool, SpoolWriter
from connectors.spool.failures import reply_for
from data.errors import SpoolError
from data.records.core.organization import RouteMode

log = logging.getLogger("postern.receiver")

NO_SUCH_USER = "550 5.1.1 No such recipient here"
REFUSED = "550 5.7.1 Delivery to this recipient is not allowed"


class Client(Protocol):
    """What the door needs of a session that it has let in."""

    def leave_when_idle(self) -> None:
        """Send the client away, unless a message of its is under way."""

    def abort(self) -> None:
        """Cut the connection."""


class ReceiverState:
    """The state of one receiver process."""

    def __init__(
        self,
        spool: Spool,
        routes: RouteTable,
        *,
        greeting: GreetingName,
        limits: Limits,
        tls: SSLContext | None = None,
        users: Users | None = None,
        levels: Levels | None = None,
    ) -> None:
        self.spool, self.routes = spool, routes
        self._greeting, self.limits, self.tls, self.users = greeting, limits, tls, users
        self.loop = asyncio.get_running_loop()
        self.committer = Committer(spool, self.loop)
        self.rates = Rates(limits, levels)
        self.sessions: set[Client] = set()
        self.stopping = False
        self.refusal = ""
        """The 4xx reply that MAIL gets while the spool cannot take messages; empty when it can."""
        self._per_address: Counter[str] = Counter()

    @property
    def hostname(self) -> str:
        """The name that whoever comes now is greeted with."""
        return str(self._greeting)

    def trusts(self, address: str) -> bool:
        """Return whether a peer is a server of ours; one on a Unix socket has no address."""
        return not address or is_within(address, self.limits.front_servers)

    def admit(self, session: Client, address: str) -> bool:
        """Count a connection in; False when there are too many."""
        if (
            self.stopping
            or len(self.sessions) >= self.limits.connections
            or self._per_address[block_of(address)] >= self.limits.connections_per_address
        ):
            return False
        self.sessions.add(session)
        self._per_address[block_of(address)] += 1
        return True

    def leave(self, session: Client, address: str) -> None:
        """Count a connection out; safe to call twice."""
        if session in self.sessions:
            self.sessions.remove(session)
            block = block_of(address)
            self._per_address[block] -= 1
            if not self._per_address[block]:
                del self._per_address[block]

    @property
    def stressed(self) -> bool:
        """Whether so many are connected that slow clients are waited for less."""
        return len(self.sessions) > self.limits.connections * self.limits.stress_share

    def complete_address(self, address: str) -> str:
        """Return a recipient with its domain: postmaster may come without (RFC 5321 section 4.5.1).

        It is this server's, or if nothing is received under its name the first domain's.
        """
        if "@" in address:
            return address
        full_address = f"{address}@{self.hostname}"
        with contextlib.suppress(RoutesMissingError):
            if self.routes.match(full_address) is None and self.routes.domains:
                return f"{address}@{self.routes.domains[0]}"
        return full_address

    def recipient_reply(self, address: str) -> str:
        """Return the reply to RCPT for an address, by its route's mode."""
        try:
            route = self.routes.match(address)
        except RoutesMissingError as error:
            log.warning("routes_missing", extra={"fields": {"error": str(error)}})
            return LATER
        if route is None or route.mode is RouteMode.BOUNCE:
            return NO_SUCH_USER
        if route.mode is RouteMode.REJECT:
            return REFUSED
        return "250 2.1.5 Ok"

    def rate_refusal(self, peer: str, sender: str, user: str, trusted: bool) -> str:
        """Count a message in and return "", or the 4xx reply that puts it off.

        A trusted peer and one who is logged in have no limit by network: many write through it.
        Null senders are told apart by network, because bounces from everywhere share that name.
        """
        block = "" if trusted or user else rate_block(peer)
        if trusted and not self.limits.sender_limit_for_trusted:
            sender = ""
        elif user:
            sender = f"user {user}"
        elif sender:
            local, domain = normalize_address(sender)
            sender = f"{local.partition('+')[0]}@{domain}"
        else:
            sender = f"<> {block}" if block else ""
        refusal = self.rates.refusal(sender, block, self.loop.time())
        if refusal:
            log.info("rate_limited", extra={"fields": {"peer": peer, "mail_from": sender}})
        return refusal

    async def spill(self, writer: SpoolWriter) -> str:
        """Write out what a long message holds in memory; return the reply when that fails."""
        try:
            await self.committer.spill(writer)
        except SpoolError as error:
            return _build_refusal(error)
        return ""

    async def store(self, writer: SpoolWriter) -> str:
        """Make a message durable and return the reply: 250 when it is on disk, else 4xx."""
        try:
            async with asyncio.timeout(self.limits.store_seconds):
                envelope = await self.committer.commit(writer)
        except TimeoutError:
            writer.abandoned = True  # there is no late 250: it ends without a place in the spool
            return _build_refusal(SpoolError(f"storing {writer.spool_id!r} took too long"))
        except SpoolError as error:
            self.refusal = reply_for(error)
            return _build_refusal(error)
        return f"250 2.0.0 Ok: queued as {envelope.spool_id}"

    async def watch(self, every_seconds: float = 0.5) -> None:
        """Keep `refusal` true to the spool's space, backlog and health, for ever."""
        while True:
            try:
                await self.committer.check()
                if self.refusal:
                    log.info("spool_ready")
                self.refusal = ""
            except SpoolError as error:
                if not self.refusal:
                    log.warning("spool_refuses", extra={"fields": {"error": str(error)}})
                self.refusal = reply_for(error)
            await asyncio.sleep(every_seconds)


def _build_refusal(error: SpoolError) -> str:
    """Log why a message was not stored, and return the reply."""
    log.warning("not_stored", extra={"fields": {"error": str(error)}})
    return reply_for(error)


def block_of(address: str) -> str:
    """Return what connections are counted by: an IPv4 address, or the /64 of an IPv6 one."""
    if ":" not in address:
        return address
    ip = ipaddress.IPv6Address(address.partition("%")[0])
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Network((ip, 64), strict=False))
