"""Several receiver processes on one port: for more than one core (`receiver_processes`)."""

import asyncio
import gc
import logging
import math
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

from connectors.receiver.descriptors import raise_descriptor_limit
from connectors.receiver.limits import Limits
from connectors.receiver.listening import Sockets, listen, remove_unix_socket
from connectors.receiver.server import serve
from connectors.receiver.shared_levels import SharedLevels
from data.errors import PosternError
from data.settings import Settings

log = logging.getLogger("postern.receiver")

RESTART_SECONDS = 0.5


def run_receiver(settings: Settings, in_child: Callable[[int], None] | None = None) -> None:
    """Be the receiver until a signal ends it: one process, or the parent of several.

    `in_child` is called with its number, from 1, in each of several processes when it begins.
    """
    raise_descriptor_limit()
    _quiet_collector()
    sockets = listen(settings, settings.receiver_processes)
    try:
        if len(sockets) == 1:
            asyncio.run(serve(settings, sockets=sockets[0]))
        else:
            Parent(settings, sockets, in_child).run()
    finally:
        for each in sockets:
            each.close()
        remove_unix_socket(settings)


def _quiet_collector() -> None:
    """Leave what was imported out of garbage collection, and collect less often.

    By default the objects of a few sessions start a collection.
    """
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


class Parent:
    """Holds the sockets, so that a process which dies loses no connection that waits in them."""

    def __init__(
        self,
        settings: Settings,
        sockets: list[Sockets],
        in_child: Callable[[int], None] | None = None,
    ) -> None:
        self._settings, self._sockets = settings, sockets
        self._in_child = in_child or (lambda _: None)
        self._levels = SharedLevels()
        self._children: dict[int, int] = {}
        self._stopping = False
        # Its reading end closes when we are gone, however that comes: then the children stop.
        self._lifeline = os.pipe()

    def run(self) -> None:
        """Start the children, and again whenever one dies; end when all have ended after a stop."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        for place in range(len(self._sockets)):
            self._start(place)
        while self._children:
            pid, status = os.waitpid(-1, 0)
            place = self._children.pop(pid)
            if self._stopping:
                continue
            code = os.waitstatus_to_exitcode(status)
            log.error("receiver_died", extra={"fields": {"place": place, "status": code}})
            time.sleep(RESTART_SECONDS)
            if not self._stopping:
                self._start(place)
        self._levels.close()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._stopping = True
        for sockets in self._sockets:  # else clients would wait in them for nobody
            sockets.close()
        for pid in list(self._children):
            os.kill(pid, signal.SIGTERM)

    def _start(self, place: int) -> None:
        # A signal between fork and the entry in the table would miss the child.
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGINT))
        pid = os.fork()
        if pid == 0:
            self._be_child(place)
        self._children[pid] = place
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM, signal.SIGINT))

    def _be_child(self, place: int) -> None:
        status = 1
        try:
            os.close(self._lifeline[1])
            self._in_child(place + 1)
            mine = self._sockets[place]
            for number, others in enumerate(self._sockets):
                if number != place:
                    _close_others(others, mine)
            asyncio.run(self._serve(mine))
            status = 0
        except PosternError as error:
            log.exception("receiver_failed", extra={"fields": {"error": str(error)}})
        except Exception:  # a bug; nobody above would tell of it, because the process ends here
            log.exception("bug_in_receiver")
        finally:
            logging.shutdown()
            os._exit(status)

    async def _serve(self, sockets: Sockets) -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM, signal.SIGINT))

        def orphaned() -> None:
            loop.remove_reader(self._lifeline[0])
            stop.set()

        loop.add_reader(self._lifeline[0], orphaned)
        limits = Limits.from_settings(self._settings)
        share = math.ceil(limits.connections / len(self._sockets))
        await serve(
            self._settings,
            limits=replace(limits, connections=share),
            sockets=sockets,
            stop=stop,
            levels=self._levels,
        )


def _close_others(others: Sockets, mine: Sockets) -> None:
    """Close the sockets of another process here, but not one that is shared."""
    for each in (*others.smtp, *others.lmtp):
        if each not in mine.lmtp:
            each.close()
