"""How fast the receiver takes mail with full durability, beside Postfix on the same disk.

    python benchmarks/receive.py [--messages 2000] [--rounds 5] [--sessions 20] [--size 5000]
                                 [--processes 1] [--per-connection 1] [--folder DIR]

Each 250 of ours stands for fsync(file), rename and fsync(folder). Debian's `smtp-source` sends the
same load to both in turn (A B A B ...), because the speed of a machine changes from minute to
minute; the medians and their ratio are printed. Postfix holds what it accepts (see
`_receive_postfix.py`), as our spool does. Without Postfix only our own client measures, which also
tells the 99th percentile of the time from MAIL, or from connecting, to 250.
"""

import argparse
import contextlib
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import _receive_postfix as receive_postfix
from benchmarks._receive_client import RECIPIENT
from connectors.routes import write_routes
from connectors.spool import Spool
from data.records.core.organization import Route

ROOT = Path(__file__).resolve().parent.parent
SERVE = """
import json, sys
from data.settings import load_settings
from connectors.receiver import run_receiver
run_receiver(load_settings(**json.loads(sys.argv[1])))
"""


def free_port() -> int:
    """Return a TCP port that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    """Return once something accepts on the port."""
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise SystemExit(f"nothing listens on {port}")


@contextlib.contextmanager
def postern(folder: str | None, port: int, processes: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run our receiver with its spool below `folder`; tells at the end what it holds."""
    with tempfile.TemporaryDirectory(dir=folder, prefix="postern-") as home:
        write_routes(Path(home, "routes.json"), [Route(pattern=RECIPIENT, organization="b")], 1)
        given = {"home": home, "smtp_port": port, "receiver_processes": processes}
        given |= {"smtp_connections": 1000, "smtp_connections_per_address": 1000}
        given |= {"spool_limit": 10_000_000}
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, json.dumps(given)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        try:
            wait_for(port)
            yield process
            before = Spool(Path(home, "spool")).waiting()
            process.send_signal(signal.SIGTERM)
            process.wait(40)
            print(f"  in our spool at the end: {before}")
        finally:
            if process.poll() is None:
                process.kill()
                process.wait(10)


def smtp_source(port: int, args: argparse.Namespace) -> float:
    """Send the load with Debian's client; return messages a second."""
    program = receive_postfix.program("smtp-source")
    assert program is not None
    options = f"-s {args.sessions} -m {args.messages} -l {args.size} -f load@out.example"
    keep = ["-d"] if args.per_connection > 1 else []
    command = [program, *keep, *options.split(), "-t", RECIPIENT, f"127.0.0.1:{port}"]
    began = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert not done.stderr, done.stderr  # a refusal would be said here
    return args.messages / (time.perf_counter() - began)


def own_client(port: int, args: argparse.Namespace) -> None:
    """Send the load with our client, in a process of its own; print what it says."""
    command = [sys.executable, str(ROOT / "benchmarks" / "_receive_client.py"), f"127.0.0.1:{port}"]
    for name in ("messages", "sessions", "size", "per_connection"):
        command += [f"--{name.replace('_', '-')}", str(getattr(args, name))]
    words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    rate, p99 = int(words[0]) / float(words[1]), words[2]
    print(f"  own client: {rate:.0f} messages/s, p99 {p99} ms, {words[0]} messages")


def compare(ours: int, theirs: int, args: argparse.Namespace) -> None:
    """Load both in turn and print the medians and the ratio."""
    smtp_source(ours, args)  # both may warm up
    smtp_source(theirs, args)
    rates: tuple[list[float], list[float]] = ([], [])
    for number in range(args.rounds):
        rates[0].append(smtp_source(ours, args))
        rates[1].append(smtp_source(theirs, args))
        print(f"  round {number + 1}: Postern {rates[0][-1]:.0f}/s, Postfix {rates[1][-1]:.0f}/s")
    ours_median, theirs_median = statistics.median(rates[0]), statistics.median(rates[1])
    print(f"  median: Postern {ours_median:.0f}/s, Postfix {theirs_median:.0f}/s")
    print(f"ratio {ours_median / theirs_median:.2f}")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Postern's receiver beside Postfix")
    parser.add_argument("--messages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--per-connection", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--folder", default=None, help="where spool and queue are made")
    args = parser.parse_args()
    print(
        f"{args.sessions} sessions, {args.size} bytes, {args.per_connection} message(s) a "
        f"connection, {args.processes} receiver process(es)"
    )
    ours, theirs = free_port(), free_port()
    with postern(args.folder, ours, args.processes):
        own_client(ours, args)
        missing = receive_postfix.missing()
        if missing:
            print(f"  no comparison: {missing}")
            return
        with receive_postfix.postfix(args.folder, theirs) as queue:
            wait_for(theirs)
            compare(ours, theirs, args)
            print(f"  in Postfix's hold queue at the end: {receive_postfix.held(queue)}")


if __name__ == "__main__":
    main()
