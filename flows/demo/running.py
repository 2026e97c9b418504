"""The demo from beginning to end."""

import asyncio
import contextlib
import json
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from data.errors import OutsideTemporaryError
from data.settings import Settings
from flows.core.services import check_ports, find_reachable_host, list_services
from flows.demo.demo_chats import hold_chats, read_chats
from flows.demo.home import WINDOW, add_sample, fresh_home
from flows.demo.inbox_tally import Summary, summarize
from flows.demo.player import PlayedMail, play
from flows.demo.table import draw
from flows.demo.timeline import read_timeline
from flows.demo.watching import until_drained, until_synced
from flows.export import read_parquet
from flows.operating.command_context import console
from flows.operating.engine_api import Engine
from flows.running.supervisor import Supervisor

if TYPE_CHECKING:
    from rich.console import Console

PLAY_SECONDS = 60.0
"""How long the played inbox should take."""
READY_SECONDS, SYNC_SECONDS, DRAIN_SECONDS = 120.0, 120.0, 240.0


def run_demo(settings: Settings, *, leave: bool, fast: bool) -> int:
    """Run the demo; return the exit status: 0 when nothing was lost, doubled or left undone.

    Raises:
        PortTakenError: a port is in use; names the setting.
        OutsideTemporaryError: the processes did not become ready.

    """
    began = time.monotonic()
    check_ports(settings)
    settings = fresh_home(settings)
    slug = add_sample(settings)
    return asyncio.run(_run(settings, slug, began, leave=leave, fast=fast))


async def _run(settings: Settings, slug: str, began: float, *, leave: bool, fast: bool) -> int:
    settings.logs.mkdir(parents=True, exist_ok=True)
    path = settings.logs / "demo.log"
    with path.open("w", encoding="utf-8") as stream:
        supervisor = Supervisor(list_services(settings), settings.logs, stream=stream)
        running = asyncio.create_task(supervisor.run())
        playing = asyncio.create_task(_play_and_sum(settings, slug, supervisor, began, fast=fast))
        try:
            await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():  # somebody pressed Ctrl-C
                return 130
            summary = await playing
            if not leave:
                _tell_addresses(settings, console())
                await running
        finally:
            playing.cancel()
            if not running.done():
                supervisor.stop()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(running, playing, return_exceptions=True)
    good = summary["lost"] == summary["duplicated"] == summary["unfinished"] == 0
    return 0 if good else 1


async def _play_and_sum(
    settings: Settings, slug: str, supervisor: Supervisor, began: float, *, fast: bool
) -> Summary:
    screen = console()
    with screen.status("Starting Prefect, engine, receiver and review window …") as line:
        late = await supervisor.wait_ready(READY_SECONDS)
        if late:
            raise OutsideTemporaryError(
                f"{', '.join(late)} did not become ready; {str(settings.logs / 'demo.log')!r} "
                "says why"
            )
        line.update("Loading the organization's knowledge, contacts and policy …")
        await until_synced(settings, SYNC_SECONDS)
    ready = time.monotonic()
    screen.print(f"Ready after {ready - began:.1f} s.", markup=False)
    _tell_addresses(settings, screen)
    ledger = await _play(settings, screen, fast=fast)
    played = time.monotonic()
    engine = Engine.find(settings)
    if engine is None:
        raise OutsideTemporaryError("the engine does not answer any more; look at its log")
    accepted = sum(1 for sent in ledger if sent.accepted)
    with screen.status("Waiting until everything is worked on …") as line:
        await until_drained(engine, slug, accepted, DRAIN_SECONDS, line.update)
    drained = time.monotonic()
    summary = await asyncio.to_thread(_summary, engine, slug, ledger, drained - began)
    summed = time.monotonic()
    with screen.status("People of the organization ask its agents …"):
        answers = await asyncio.to_thread(hold_chats, engine, slug, read_chats())
    summary["answers_of_agents"] = answers
    summary["seconds_talked"] = round(time.monotonic() - summed, 1)
    summary["seconds_to_ready"] = round(ready - began, 1)
    summary["seconds_played"] = round(played - ready, 1)
    summary["seconds_to_drain"] = round(drained - played, 1)
    target = settings.home / "summary.json"
    target.write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    draw(summary, screen)
    screen.print(f"Written to {target}.", markup=False)
    return summary


async def _play(settings: Settings, screen: "Console", *, fast: bool) -> list[PlayedMail]:
    """Play in a thread; when this is cancelled the thread ends before its next message."""
    entries, halt = read_timeline(), threading.Event()
    speed = 0.0 if fast else max(1.0, entries[-1].at / PLAY_SECONDS)
    with screen.status("Playing the inbox over SMTP …") as line:
        try:
            return await asyncio.to_thread(
                play,
                entries,
                find_reachable_host(settings.smtp_host),
                settings.smtp_port,
                speed=speed,
                clock=lambda: datetime.now(UTC),
                tell=lambda n: line.update(f"Playing the inbox: {n} of {len(entries)} sent"),
                halt=halt,
            )
        finally:
            halt.set()


def _summary(engine: Engine, slug: str, ledger: list[PlayedMail], seconds: float) -> Summary:
    frames = [
        read_parquet(engine.fetch(f"/v1/{slug}/export/{what}")) for what in ("messages", "cases")
    ]
    return summarize(ledger, *frames, window=WINDOW, seconds=seconds)


def _tell_addresses(settings: Settings, screen: "Console") -> None:
    from flows.operating.startup_lines import ready_lines

    for line in ready_lines(settings):
        screen.print(line, markup=False, soft_wrap=True)
