"""The supervisor: starts in order, restarts what dies, stops everything, leaves no orphans."""

import asyncio
import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from data.settings import load_settings
from flows.core.children import LOG_BYTES, Child, ChildSpec, compute_restart_delay
from flows.core.services import list_addresses, list_services
from flows.running.supervisor import Supervisor
from tests.ports import free_port

TALK = "import time; print('hello', flush=True); time.sleep(60)"
DIE = "print('dying', flush=True); raise SystemExit(3)"
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('deaf', flush=True)
time.sleep(60)
"""
POLITE = """
import signal, sys, time
def end(*_):
    print('bye', time.monotonic(), flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
print('here', flush=True)
time.sleep(60)
"""
LISTEN = """
import socket, sys, time
time.sleep(0.3)
print('listens', flush=True)
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    while True:
        server.accept()[0].close()
"""


def script(name: str, code: str, *args: str, **given: object) -> ChildSpec:
    """Return a child that runs Python code."""
    return ChildSpec(name=name, argv=[sys.executable, "-c", code, *args], **given)  # type: ignore[arg-type]


async def until(condition: object, seconds: float = 60) -> None:
    """Wait for a condition, and fail if it does not come."""
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.02)


def alive(pid: int) -> bool:
    """Return whether a process exists and is no zombie."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


async def test_output_is_merged_and_logged(tmp_path: Path) -> None:
    """Every line bears the name of its process, and each process has its own file."""
    stream = io.StringIO()
    supervisor = Supervisor(
        [script("alpha", TALK), script("be", TALK)], tmp_path / "logs", stream=stream
    )
    run = asyncio.create_task(supervisor.run())
    await until(lambda: stream.getvalue().count("hello") == 2)
    supervisor.stop()
    await run
    assert sorted(stream.getvalue().splitlines()) == ["alpha | hello", "be    | hello"]
    assert (tmp_path / "logs" / "be.out.log").read_text() == "hello\n"


async def test_dead_child_is_started_again(tmp_path: Path) -> None:
    """A child that ends is started again, later each time, and the others keep running."""
    stream = io.StringIO()
    supervisor = Supervisor([script("well", TALK), script("ill", DIE)], tmp_path, stream=stream)
    run = asyncio.create_task(supervisor.run())
    await until(lambda: supervisor.children["ill"].starts >= 3)
    well = supervisor.children["well"]
    assert (well.starts, alive(well.pid)) == (1, True)
    supervisor.stop()
    await run
    text = stream.getvalue()
    assert "ended with status 3; starting again in 0.5 s" in text
    assert "ended with status 3; starting again in 1 s" in text


async def test_killed_child_is_started_again(tmp_path: Path) -> None:
    """A child that is killed from outside gets a successor."""
    supervisor = Supervisor([script("one", TALK)], tmp_path, stream=io.StringIO())
    run = asyncio.create_task(supervisor.run())
    child = supervisor.children["one"]
    await until(lambda: child.pid)
    first = child.pid
    os.kill(first, signal.SIGKILL)
    await until(lambda: child.starts == 2 and child.pid not in {0, first})
    supervisor.stop()
    await run
    assert child.pid == 0


def test_backoff_doubles_up_to_thirty_seconds() -> None:
    """Half a second, doubling, never more than thirty."""
    assert [compute_restart_delay(n) for n in (1, 2, 3, 6, 7, 8, 500)] == [
        0.5,
        1,
        2,
        16,
        30,
        30,
        30,
    ]


async def test_children_wait_for_what_they_need(tmp_path: Path) -> None:
    """A child that names another one starts when that one is ready, and not before."""
    stream = io.StringIO()
    port = free_port()
    supervisor = Supervisor(
        [
            script("early", TALK, after=("late",)),
            script("late", LISTEN, str(port), ready_port=port),
        ],
        tmp_path,
        stream=stream,
    )
    run = asyncio.create_task(supervisor.run())
    assert await supervisor.wait_ready(60) == []
    await until(lambda: "hello" in stream.getvalue())
    supervisor.stop()
    await run
    assert [line.split()[0] for line in stream.getvalue().splitlines()] == ["late", "early"]


async def test_stop_is_in_reverse_order(tmp_path: Path) -> None:
    """The last one started is the first one stopped, and the next waits for it."""
    stream = io.StringIO()
    specs = [script(name, POLITE) for name in ("a", "b", "c")]
    supervisor = Supervisor(specs, tmp_path, stream=stream)
    run = asyncio.create_task(supervisor.run())
    await until(lambda: stream.getvalue().count("here") == 3)
    supervisor.stop()
    await run
    goodbyes = [line.split()[0] for line in stream.getvalue().splitlines() if "bye" in line]
    assert goodbyes == ["c", "b", "a"]


async def test_deaf_child_is_killed_at_the_end(tmp_path: Path) -> None:
    """A child that ignores TERM is killed when the stop time is over."""
    stream = io.StringIO()
    supervisor = Supervisor([script("d", STUBBORN)], tmp_path, stream=stream, stop_seconds=1)
    run = asyncio.create_task(supervisor.run())
    await until(lambda: "deaf" in stream.getvalue())
    pid = supervisor.children["d"].pid
    supervisor.stop()
    await run
    assert not alive(pid)
    assert "is killed" in stream.getvalue()


async def test_program_that_does_not_exist(tmp_path: Path) -> None:
    """A command that cannot be started is said so, and tried again."""
    stream = io.StringIO()
    spec = ChildSpec(name="none", argv=[str(tmp_path / "missing")])
    supervisor = Supervisor([spec], tmp_path / "logs", stream=stream)
    run = asyncio.create_task(supervisor.run())
    await until(lambda: "cannot be started" in stream.getvalue())
    supervisor.stop()
    await run


MAIN = """
import asyncio, sys
from pathlib import Path
from flows.core.children import ChildSpec
from flows.running.supervisor import Supervisor
code = "import os, time; print('pid', os.getpid(), flush=True); time.sleep(60)"
specs = [ChildSpec(name=f"n{n}", argv=[sys.executable, "-c", code]) for n in range(2)]
asyncio.run(Supervisor(specs, Path(sys.argv[1])).run())
"""


def start_main(tmp_path: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """Start a supervisor process and return it with the ids of its children."""
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    assert process.stdout is not None
    pids = [int(process.stdout.readline().split()[-1]) for _ in range(2)]
    return process, pids


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_orphans_whatever_the_end(tmp_path: Path, number: signal.Signals) -> None:
    """After TERM, Ctrl-C or `kill -9` of the supervisor no child is left."""
    if number is signal.SIGKILL and sys.platform != "linux":
        pytest.skip("only Linux can tell children that their parent was killed")
    process, pids = start_main(tmp_path)
    with contextlib.ExitStack() as stack:
        stack.callback(process.stdout.close)  # type: ignore[union-attr]
        process.send_signal(number)
        status = process.wait(60)
    end = time.monotonic() + 60
    while any(alive(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(alive(pid) for pid in pids)
    assert status == (-9 if number is signal.SIGKILL else 0)


async def test_a_full_disk_for_the_log_ends_no_child(tmp_path: Path) -> None:
    """What it says is still shown, and it goes on: the receiver has to answer 452 then."""
    stream = io.StringIO()
    (tmp_path / "full.out.log").symlink_to("/dev/full")
    code = "import time\nfor n in (1, 2):\n print('word', n, flush=True)\n time.sleep(0.5)"
    supervisor = Supervisor([script("full", f"{code}\ntime.sleep(60)")], tmp_path, stream=stream)
    run = asyncio.create_task(supervisor.run())
    await until(lambda: "word 2" in stream.getvalue() or "again in" in stream.getvalue())
    assert supervisor.children["full"].starts == 1
    assert "again in" not in stream.getvalue()
    supervisor.stop()
    await run


async def test_the_log_of_a_child_begins_another_file_when_it_is_long(tmp_path: Path) -> None:
    """There are two files then, and no word is lost between them."""
    child = Child(script("long", TALK), tmp_path / "long.out.log", lambda *_: None)
    child.spec.argv[-1:] = [f"print('x' * {LOG_BYTES + 1}); print('end')"]  # type: ignore[index]
    assert await child.run_once() == 0
    first, second = tmp_path / "long.out.1.log", tmp_path / "long.out.log"
    assert first.stat().st_size + second.stat().st_size == LOG_BYTES + len("x\nend\n")


async def test_a_signal_without_a_name_is_no_reason_to_stop(tmp_path: Path) -> None:
    """A child that a real-time signal has ended is started again like any other."""
    stream = io.StringIO()
    code = "import os; os.kill(os.getpid(), 40)"
    supervisor = Supervisor([script("one", code)], tmp_path, stream=stream)
    run = asyncio.create_task(supervisor.run())
    await until(lambda: supervisor.children["one"].starts > 1 or run.done())
    assert "was ended by signal 40; starting again in 0.5 s" in stream.getvalue()
    supervisor.stop()
    await run


def test_a_process_that_listens_on_ipv6_is_asked_there() -> None:
    """A URL writes the address in brackets, a socket without; everywhere is loopback from here."""
    settings = load_settings(host="::1", smtp_host="::")
    specs = {spec.name: spec for spec in list_services(settings)}
    assert specs["engine"].ready_url == f"http://[::1]:{settings.api_port}/healthz"
    assert specs["receiver"].ready_host == "::1"
    assert settings.api_url == f"http://[::1]:{settings.api_port}"
    assert list_addresses(settings)["API"] == f"http://[::1]:{settings.api_port}/docs"
    specs = {spec.name: spec for spec in list_services(load_settings(host="::"))}
    assert specs["ui"].ready_url.startswith("http://[::1]:")


async def test_nonsense_at_its_port_is_no_answer_yet(tmp_path: Path) -> None:
    """What answers no HTTP is asked again, until the child itself answers."""
    port = free_port()
    code = f"""
import socket
with socket.create_server(("127.0.0.1", {port})) as server:
    ok = b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
    for answer in (b"220 another program\\r\\n", ok):
        client = server.accept()[0]
        client.recv(10_000)
        client.sendall(answer)
        client.close()
import time; time.sleep(60)
"""
    spec = script("slow", code, ready_url=f"http://127.0.0.1:{port}/healthz")
    supervisor = Supervisor([spec], tmp_path, stream=io.StringIO())
    run = asyncio.create_task(supervisor.run())
    assert await supervisor.wait_ready(20) == []
    supervisor.stop()
    await run
