"""The receiver process: binds, waits for a signal, and leaves nobody in the middle."""

import asyncio
import contextlib
import errno
import logging
import signal
import ssl
from collections.abc import Callable

from connectors.receiver.door import Door
from connectors.receiver.limits import Limits
from connectors.receiver.session import SmtpSession
from connectors.routes import RouteTable
from connectors.spool import Spool
from data.errors import PortTakenError, SettingsError
from data.settings import Settings

log = logging.getLogger("postern.receiver")

JANITOR_SECONDS = 600


async def serve(
    settings: Settings,
    *,
    limits: Limits | None = None,
    ready: Callable[[], None] | None = None,
    stop: asyncio.Event | None = None,
    tls: ssl.SSLContext | None = None,
) -> None:
    """Receive mail until SIGTERM, SIGINT or `stop`; then finish what is being sent, and return.

    `ready` is called once the port is bound; STARTTLS is offered when `tls` is given.
    Raises PortTakenError, SettingsError or SpoolError.
    """
    door = Door(
        Spool.from_settings(settings),
        RouteTable.load(settings.routes_file),
        hostname=settings.smtp_hostname,
        limits=limits or Limits.from_settings(settings),
        tls=tls,
    )
    stop = stop or asyncio.Event()
    server = await _bind(door, settings)
    watchers = [asyncio.create_task(door.watch()), asyncio.create_task(_janitor(door.spool))]
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(ValueError, RuntimeError):  # only the main thread has signals
            loop.add_signal_handler(number, stop.set)
    where = {"host": settings.smtp_host, "port": settings.smtp_port}
    log.info("receiver_ready", extra={"fields": where})
    if ready:
        ready()
    try:
        await stop.wait()
    finally:
        await _drain(door, server)
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)
        door.committer.close()
        log.info("receiver_stopped")


def run_receiver(settings: Settings) -> None:
    """Be the receiver process until a signal ends it."""
    asyncio.run(serve(settings))


async def _bind(door: Door, settings: Settings) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    host, port = settings.smtp_host, settings.smtp_port
    try:
        return await loop.create_server(
            lambda: SmtpSession(door), host, port, backlog=512, reuse_address=True
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTakenError(
                f"port {port} on {host!r} is in use; set 'smtp_port' to a free one"
            ) from error
        raise SettingsError(
            f"cannot listen on {host!r} port {port}: {error.strerror or error}; "
            "mend 'smtp_host' or 'smtp_port'"
        ) from error


async def _drain(door: Door, server: asyncio.Server) -> None:
    """Stop listening, send the idle away with 421, and wait for messages in flight."""
    door.stopping = True
    server.close()
    for session in list(door.sessions):
        if not session.in_data:
            session.hang_up("421 4.3.2 Service is shutting down")
    deadline = asyncio.get_running_loop().time() + door.limits.stop_seconds
    while door.sessions and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    for session in list(door.sessions):
        session.wire.abort()
    await asyncio.sleep(0)


async def _janitor(spool: Spool) -> None:
    while True:
        removed = await asyncio.to_thread(spool.recover)
        if removed:
            log.info("leftovers_removed", extra={"fields": {"count": removed}})
        await asyncio.sleep(JANITOR_SECONDS)
