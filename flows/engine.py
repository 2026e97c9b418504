"""The engine: the one process that opens the state.

Its event loop carries the HTTP API, the loops, and Prefect's worker. A signal stops it within
30 s: the loops end their round, or are cut off between two commits.
"""

import asyncio
import contextlib
import logging
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

import httpx
import uvicorn

from data.settings import Settings
from flows.api.app import create_app
from flows.core.access import ensure_tokens, ensure_users
from flows.core.current import set_house
from flows.core.first_secret import renew_setup_secret
from flows.core.house import House, utc_now
from flows.core.kept_settings import take_kept_settings
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask_missing
from flows.mail.leaving.forwarding import settle_forwards
from flows.mail.leaving.sending import settle_interrupted
from flows.mail.line.mailroom import mailroom_of
from flows.mail.people.erasing import finish_erasures
from flows.opening import open_house
from flows.running.deployments import apply_deployments
from flows.running.loops import make_loops
from flows.running.worker import end_abandoned_runs, make_worker
from flows.sync import sync
from tasks.core.screen import prepare

log = logging.getLogger("postern.engine")
STOP_SECONDS = 20.0


class _ApiServer(uvicorn.Server):
    """Uvicorn without signal handlers of its own: the engine has them."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


def run_engine(settings: Settings) -> None:
    """Run until SIGTERM or SIGINT.

    The event loop runs in a thread of its own: in the main one Prefect takes SIGTERM over while a
    flow is running, and a stop would cut it off where it stands.

    Raises:
        StoreBusyError: another engine holds the state.
    """
    stopping = asyncio.Event()
    failed: list[BaseException] = []
    loop = asyncio.new_event_loop()

    def work() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(_run(settings, stopping))
        except BaseException as error:  # noqa: BLE001  # raised again where it is waited for
            failed.append(error)

    def stop(number: int, frame: object) -> None:
        del number, frame
        loop.call_soon_threadsafe(stopping.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    thread = threading.Thread(target=work, name="engine")
    thread.start()
    while thread.is_alive():
        thread.join(1.0)  # with a limit, so that signals get their turn
    if failed:
        raise failed[0]


async def _run(settings: Settings, stopping: asyncio.Event) -> None:
    house = await open_house(settings)
    try:
        await take_kept_settings(house)
        await mailroom_of(house).parsers.warm()
        set_house(house)
        await ensure_tokens(house)
        await ensure_users(house)
        await renew_setup_secret(house)
        house.settle = partial(settle_opened, house)
        await house.list_workspaces()
        await _serve(house, stopping)
    finally:
        set_house(None)
        await house.close()
        log.info("engine stopped")


async def settle_opened(house: House, workspace: Workspace) -> None:
    """Go on with what an engine which is gone had begun for an organization."""
    await settle_interrupted(house, workspace)
    await settle_forwards(house, workspace)
    await finish_erasures(house, workspace)
    try:
        await workspace.db.write(ask_missing, workspace, house.clock())
    except Exception:  # a reply that nobody is asked for is no reason to hold up all mail
        log.exception("replies of %s wait for nobody's yes", workspace.slug)


async def _serve(house: House, stopping: asyncio.Event) -> None:
    loops = make_loops()
    server = _ApiServer(
        uvicorn.Config(
            create_app(house, loops),
            host=house.settings.host,
            port=house.settings.api_port,
            log_level="warning",
            access_log=False,
            lifespan="off",
        )
    )
    tasks = [asyncio.create_task(server.serve(), name="api")]
    tasks.append(asyncio.create_task(asyncio.to_thread(prepare), name="prepare the screen"))
    tasks += [asyncio.create_task(loop.run(house, stopping), name=loop.name) for loop in loops]
    prefect = asyncio.create_task(_with_prefect(house, stopping), name="prefect")
    log.info("engine ready at %s", house.settings.api_url)
    await stopping.wait()
    house.closing.set()
    server.should_exit = True
    prefect.cancel()
    done, late = await asyncio.wait([*tasks, prefect], timeout=STOP_SECONDS)
    for task in late:
        log.warning("%s was cut off", task.get_name())
        task.cancel()
    await asyncio.gather(*done, *late, return_exceptions=True)


async def _with_prefect(house: House, stopping: asyncio.Event) -> None:
    """When Prefect's server answers: load sources, declare deployments, and work for it."""
    began = utc_now()
    while not await _answers(f"{house.settings.prefect_url}/health"):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), 0.5)
            return
    await _keep_trying("end what was left", partial(end_abandoned_runs, began))
    await _keep_trying("load the sources", sync)
    async with make_worker():
        await _keep_trying("declare the deployments", apply_deployments)
    while not stopping.is_set():
        await _keep_trying("work for Prefect", make_worker().start)


async def _answers(address: str) -> bool:
    try:
        async with httpx.AsyncClient(timeout=5) as client:
            return (await client.get(address)).is_success
    except httpx.HTTPError:
        return False


async def _keep_trying(what: str, act: Callable[[], Awaitable[object]]) -> None:
    while True:
        try:
            await act()
        except Exception as error:  # noqa: BLE001  # Prefect may be down for a while
            log.warning("cannot %s: %s: %s", what, type(error).__name__, error)
            await asyncio.sleep(5)
        else:
            return
