"""One receiver process: listens, waits for a signal, and leaves nobody in the middle."""

import asyncio
import contextlib
import functools
import logging
import signal
import socket
import ssl
from collections.abc import Callable

from connectors.receiver.descriptors import fit_to_descriptors
from connectors.receiver.encryption import context_from_settings
from connectors.receiver.greeting import GreetingName
from connectors.receiver.hooks import Hooks
from connectors.receiver.limits import Limits
from connectors.receiver.listening import BACKLOG, Sockets, listen
from connectors.receiver.lmtp import LmtpSession
from connectors.receiver.rates import Levels
from connectors.receiver.receiver_state import ReceiverState
from connectors.receiver.session import SmtpSession
from connectors.receiver.users import Users
from connectors.routes import RouteTable
from connectors.spool import Spool
from data.settings import Settings

log = logging.getLogger("postern.receiver")

JANITOR_SECONDS = 600
#: Clients let in before those already in get their turn. asyncio takes its backlog for that, and
#: when descriptors run out it logs a traceback for each.
ACCEPTS = 16


async def serve(
    settings: Settings,
    *,
    limits: Limits | None = None,
    ready: Callable[[], None] | None = None,
    stop: asyncio.Event | None = None,
    tls: ssl.SSLContext | None = None,
    sockets: Sockets | None = None,
    levels: Levels | None = None,
) -> None:
    """Receive mail until SIGTERM, SIGINT or `stop`; then finish what is being sent, and return.

    `ready` is called once the port is bound; STARTTLS is offered when `tls` is given or a
    certificate is set; `sockets` listen already, and are made here when they are not given;
    `levels` are those of the rates, when other processes count in them too.
    Raises PortTakenError, SettingsError or SpoolError.
    """
    door = ReceiverState(
        Spool.from_settings(settings),
        RouteTable.load(settings.routes_file),
        greeting=GreetingName(settings),
        limits=fit_to_descriptors(limits or Limits.from_settings(settings)),
        tls=tls or context_from_settings(settings),
        users=Users(settings.smtp_users) if settings.smtp_users else None,
        levels=levels,
    )
    # aiosmtpd warns at each login that an attribute of its own is deprecated.
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    stop = stop or asyncio.Event()
    servers = await _serve(door, sockets or listen(settings)[0])
    watchers = [asyncio.create_task(door.watch()), asyncio.create_task(_janitor(door.spool))]
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(ValueError, RuntimeError):  # only the main thread has signals
            loop.add_signal_handler(number, stop.set)
    where = {"host": settings.smtp_host, "port": settings.smtp_port, "lmtp": settings.lmtp_listen}
    log.info("receiver_ready", extra={"fields": where})
    if ready:
        ready()
    try:
        await stop.wait()
    finally:
        await _drain(door, servers)
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)
        door.committer.close()
        log.info("receiver_stopped")


async def _serve(door: ReceiverState, sockets: Sockets) -> list[asyncio.Server]:
    loop = asyncio.get_running_loop()
    hooks = Hooks(door)
    kinds: list[tuple[socket.socket, type[SmtpSession]]]
    kinds = [(each, SmtpSession) for each in sockets.smtp]
    kinds += [(each, LmtpSession) for each in sockets.lmtp]
    servers = []
    for each, kind in kinds:
        make_session = functools.partial(kind, door, hooks)
        servers.append(await loop.create_server(make_session, sock=each, backlog=ACCEPTS))
        each.listen(BACKLOG)
    return servers


async def _drain(door: ReceiverState, servers: list[asyncio.Server]) -> None:
    """Stop listening, send the idle away with 421, and wait for messages in flight."""
    door.stopping = True
    loop = asyncio.get_running_loop()
    for server in servers:
        for listening in server.sockets:
            loop.remove_reader(listening.fileno())
    # Who was let in a moment ago is told so; asyncio would drop the client of a closed server.
    await asyncio.sleep(0.02)
    for server in servers:
        server.close()
    for session in list(door.sessions):
        session.leave_when_idle()
    deadline = loop.time() + door.limits.stop_seconds
    while door.sessions and loop.time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    for session in list(door.sessions):
        session.abort()
    await asyncio.sleep(0.01)


async def _janitor(spool: Spool) -> None:
    while True:
        removed = await asyncio.to_thread(spool.recover)
        if removed:
            log.info("leftovers_removed", extra={"fields": {"count": removed}})
        await asyncio.sleep(JANITOR_SECONDS)
