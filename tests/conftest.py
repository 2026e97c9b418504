"""What holds for every test."""

import contextlib
import gc
import importlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from data.one_thread import ONE_THREAD
from tests.ports import free_port

if TYPE_CHECKING:
    from tests.core.running.prefect_server import Server
    from tests.core.window.browsing import Chromium

# As our own processes do. Workers of the suite that share a product of matrices between cores wait
# for each other. It counts where numpy is not loaded yet: in these workers, which begin anew.
os.environ.update(ONE_THREAD)

# What collecting loads stays: to look through all of it again and again took a tenth of the time.
gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Collect garbage from now on, and never look at what is there already."""
    gc.freeze()
    gc.enable()


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name a case that is a message of megabytes by its length, not by all of its bytes."""
    if isinstance(val, bytes | str) and len(val) > LONGEST_NAME:
        return f"{argname} of {len(val)}"
    return None


LONGEST_NAME = 500


# A command looks for an engine before it opens a home itself. One that runs on this machine for
# somebody is none of the tests' business; where a test starts one, it says at which port.
os.environ["POSTERN_API_PORT"] = str(free_port())

# Machines that run tests are shared: how long an example takes says nothing.
settings.register_profile("postern", deadline=None)
settings.load_profile("postern")


@pytest.fixture(scope="session")
def prefect_running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple["Server", Callable[[Path], None]]]:
    """Run the one Prefect server of this process; yield it, and what says that a file is done.

    A start takes 10 s of processor time, and to be there 2 % of a core: it ends with the last file
    that needs it.
    """
    from tests.core.running.prefect_server import real_server  # 2 s that few tests need

    needing = {item.path for item in request.session.items if needs_prefect(item)}
    with contextlib.ExitStack() as running:
        server = running.enter_context(real_server(tmp_path_factory.mktemp("prefect") / "var"))

        def end_file(path: Path) -> None:
            needing.discard(path)
            if not needing:
                running.close()

        yield server, end_file


def needs_prefect(item: pytest.Item) -> bool:
    """Whether a test is one of those that a Prefect server runs for."""
    return "prefect_server" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="module")
def prefect_server(
    request: pytest.FixtureRequest, prefect_running: tuple["Server", Callable[[Path], None]]
) -> Iterator["Server"]:
    """The Prefect server, which Prefect's client uses for the tests of a module."""
    server, end_file = prefect_running
    with server.used():
        yield server
    gc.collect()  # the client's sockets, while that module's filters still hold
    end_file(request.path)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Chromium"]:
    """Start a browser, once for all tests of a window that need one, in whichever slice."""
    from tests.core.window.browsing import Chromium  # loaded where a test asks for it

    running = Chromium(tmp_path_factory.mktemp("profile"))
    yield running
    running.close()


@pytest.fixture(scope="session")
def window_port() -> int:
    """Return the port that each test's stand-in for the engine listens on in its turn."""
    return free_port()


@pytest.fixture(scope="session")
def window_address(window_port: int) -> Iterator[str]:
    """Serve the window as `postern ui` does, over the stand-in of the test; yield its address."""
    from tests.core.window.opening import serving

    with serving(window_port) as address:
        yield address


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long, where several work: at the end nobody waits for one that does.

    The groups that tests name come first, then each slow test for itself, then module by module.
    A module stays with one worker: handing out thousands of tests one by one takes seconds of a
    processor, and what a module loads or makes for its tests is made once.
    """
    if not hasattr(config, "workerinput"):
        return
    turns: dict[pytest.Item, int] = {}
    for item in items:
        turns[item] = next(
            (turn for turn, name in enumerate(FIRST) if item.get_closest_marker(name)), len(FIRST)
        )
        if turns[item] == len(FIRST):
            item.add_marker(pytest.mark.xdist_group(item.location[0]))
    items.sort(key=turns.__getitem__)


FIRST = ("xdist_group", "slow")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Import the modules of the whole suite, each worker beginning with a part of its own.

    On a clean checkout pytest compiles each of them, for seconds of a processor, and keeps that for
    later. Workers that all begin with the first would do it all at once, each for itself.
    """
    workers = getattr(session.config, "workerinput", None)
    if workers is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    paths = sorted(Path(__file__).parent.rglob("test_*.py"))
    number = int(workers["workerid"].removeprefix("gw"))
    first = len(paths) * number // workers["workercount"]
    for path in (*paths[first:], *paths[:first]):
        name = ".".join(path.relative_to(session.config.rootpath).with_suffix("").parts)
        with contextlib.suppress(Exception):  # which collecting tells of
            importlib.import_module(name)


def pytest_configure(config: pytest.Config) -> None:
    """Let tests begin in our order, and not with the module that has the most of them."""
    config.option.loadscopereorder = False
