"""What all sessions of one receiver share: limits, routes, spool, and who is connected."""

import asyncio
import ipaddress
import logging
from collections import Counter
from ssl import SSLContext
from typing import TYPE_CHECKING

from connectors.receiver.committer import Committer
from connectors.receiver.limits import Limits
from connectors.routes import RoutesMissingError, RouteTable
from connectors.spool import Spool, SpoolWriter
from connectors.spool.failures import reply_for
from data.errors import SpoolError
from data.records.envelope import Envelope
from data.records.organization import RouteMode

if TYPE_CHECKING:
    from connectors.receiver.connection import SmtpConnection

log = logging.getLogger("postern.receiver")

TOO_MANY = "421 4.7.0 Too many connections, try again later"
NO_SUCH_USER = "550 5.1.1 No such recipient here"
REFUSED = "550 5.7.1 Delivery to this recipient is not allowed"
LATER = "451 4.3.0 Local error, try again later"


class Door:
    """The state of one receiver process."""

    def __init__(
        self,
        spool: Spool,
        routes: RouteTable,
        *,
        hostname: str,
        limits: Limits,
        tls: SSLContext | None = None,
    ) -> None:
        self.spool, self.routes = spool, routes
        self.hostname, self.limits, self.tls = hostname, limits, tls
        self.committer = Committer(spool)
        self.sessions: set[SmtpConnection] = set()
        self.stopping = False
        self.refusal = ""
        """The 4xx reply that MAIL gets while the spool cannot take messages; empty when it can."""
        self._per_address: Counter[str] = Counter()

    def admit(self, session: "SmtpConnection", address: str) -> bool:
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

    def leave(self, session: "SmtpConnection", address: str) -> None:
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

    def recipient_reply(self, address: str) -> str:
        """Return the reply to RCPT for an address, by its route's mode."""
        if "@" not in address:
            address = f"{address}@{self.hostname}"
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

    async def store(self, writer: SpoolWriter) -> Envelope:
        """Make a message durable within `store_seconds`; SpoolError is a 4xx, never a late 250.

        The commit goes on when the client hangs up: what was stored stays, and content-keyed
        dedupe takes the copy that the client sends again (RELIABILITY 1.4).
        """
        work = asyncio.ensure_future(self.committer.commit(writer))
        try:
            async with asyncio.timeout(self.limits.store_seconds):
                return await asyncio.shield(work)
        except TimeoutError:
            writer.abandoned = True
            raise SpoolError(f"storing {writer.spool_id!r} took too long") from None
        except SpoolError as error:
            self.refusal = reply_for(error)
            raise
        finally:
            if not work.done():
                work.add_done_callback(_look_at)

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


def block_of(address: str) -> str:
    """Return what connections are counted by: an IPv4 address, or the /64 of an IPv6 one."""
    if ":" not in address:
        return address
    ip = ipaddress.IPv6Address(address)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Network((ip, 64), strict=False))


def _look_at(work: "asyncio.Future[Envelope]") -> None:
    """Take the failure of a commit whose client has gone, so that it is not reported as lost."""
    if not work.cancelled() and isinstance(work.exception(), SpoolError):
        log.warning("not_stored", extra={"fields": {"error": str(work.exception())}})
