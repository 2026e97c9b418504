"""How fast the receiver takes mail with full durability.

    python benchmarks/receive.py [--messages 4000] [--sessions 20] [--size 5000] [--folder DIR]
                                 [--per-connection 1] [--beside HOST:PORT]

Each 250 stands for fsync(file), rename and fsync(folder). The load comes from a small client of
our own in a process of its own, and from Debian's `smtp-source` when it is installed. With
`--beside` the same load goes to another server (a Postfix, say) in turn and the ratio is printed.
The spool is made in `--folder`, so that both can be put on the same disk.
"""

import argparse
import asyncio
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from connectors.routes import write_routes
from connectors.spool import Spool
from data.records.organization import Route

RECIPIENT = "load@bench.example"
SERVE = """
import sys
from pathlib import Path
from data.settings import load_settings
from connectors.receiver import run_receiver
run_receiver(load_settings(home=Path(sys.argv[1]), smtp_port=int(sys.argv[2]), smtp_connections=400,
                           smtp_connections_per_address=400))
"""


class Client(asyncio.Protocol):
    """One session that sends messages one after the other, a command at a time."""

    def __init__(self, load: "Load") -> None:
        self.load = load
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.left = 0
        self.step = 0
        self.began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the greeting."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.left = self.load.per_connection
        self.began = time.perf_counter()

    def data_received(self, data: bytes) -> None:
        """Take an answer and send what comes next."""
        if not data.endswith(b"\n") or data[:1] not in b"23":
            raise SystemExit(f"the server said {data!r}")
        if self.step == 5:
            self.load.times.append(time.perf_counter() - self.began)
            self.left -= 1
            self.step = 1 if self.left and self.load.take() else 6
            self.began = time.perf_counter()
        if self.step == 6:
            self.transport.write(b"QUIT\r\n")
            self.transport.close()
            return
        self.transport.write(self.load.steps[self.step])
        self.step += 1

    def connection_lost(self, _: Exception | None) -> None:
        """Let the session begin its next connection."""
        if not self.done.done():
            self.done.set_result(None)


class Load:
    """A number of messages over a number of sessions."""

    def __init__(self, host: str, port: int, args: argparse.Namespace) -> None:
        self.host, self.port = host, port
        self.messages: int = args.messages
        self.sessions: int = args.sessions
        self.per_connection = args.per_connection
        self.times: list[float] = []
        line = b"x" * 70 + b"\r\n"
        body = b"Subject: load\r\nMessage-ID: <load@bench.example>\r\n\r\n"
        body += line * max(1, args.size // len(line))
        self.steps = [
            b"EHLO bench.example\r\n",
            b"MAIL FROM:<load@out.example>\r\n",
            f"RCPT TO:<{args.recipient}>\r\n".encode(),
            b"DATA\r\n",
            body + b".\r\n",
        ]

    def take(self) -> bool:
        """Claim one of the messages; False when none is left."""
        self.messages -= 1
        return bool(self.messages >= 0)

    async def session(self) -> None:
        """Open one connection after the other."""
        loop = asyncio.get_running_loop()
        while self.take():
            _, client = await loop.create_connection(lambda: Client(self), self.host, self.port)
            await client.done

    async def run(self) -> None:
        """Send everything; print the count, the seconds, and the 99th percentile in ms."""
        began = time.perf_counter()
        await asyncio.gather(*(self.session() for _ in range(self.sessions)))
        seconds = time.perf_counter() - began
        p99 = statistics.quantiles(self.times, n=100)[98] * 1000
        print(f"{len(self.times)} {seconds:.3f} {p99:.1f}")


def measure(host: str, port: int, args: argparse.Namespace) -> float:
    """Send the load from another process; print and return messages a second."""
    command = [sys.executable, __file__, "--client", f"{host}:{port}"]
    for name in ("messages", "sessions", "size", "per_connection", "recipient"):
        command += [f"--{name.replace('_', '-')}", str(getattr(args, name))]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    count, seconds, p99 = int(output[0]), float(output[1]), output[2]
    print(f"  own client    {count / seconds:8.0f} messages/s   p99 {p99} ms   ({count} messages)")
    return count / seconds


def measure_with_smtp_source(host: str, port: int, args: argparse.Namespace) -> None:
    """Do the same with Debian's load client, which speaks to us as any Postfix does."""
    program = shutil.which("smtp-source") or shutil.which("smtp-source", path="/usr/sbin")
    if program is None:
        print("  smtp-source   not installed (it comes with Debian's postfix); skipped")
        return
    began = time.perf_counter()
    options = f"-s {args.sessions} -m {args.messages} -l {args.size} -f load@out.example"
    keep = ["-d"] if args.per_connection > 1 else []
    command = [program, *keep, *options.split(), "-t", args.recipient, f"{host}:{port}"]
    subprocess.run(command, check=True)
    print(f"  smtp-source   {args.messages / (time.perf_counter() - began):8.0f} messages/s")


def receive(args: argparse.Namespace) -> float:
    """Measure our receiver; fail if not every acknowledged message is in the spool."""
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        home = Path(name)
        write_routes(home / "routes.json", [Route(pattern=RECIPIENT, organization="bench")], 1)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(home), str(port)], env=environment
        )
        try:
            _wait_for(port)
            rates = [measure("127.0.0.1", port, args) for _ in range(args.runs)]
            spooled = Spool(home / "spool").waiting()
            assert spooled == args.messages * args.runs, f"{spooled} messages in the spool"
            measure_with_smtp_source("127.0.0.1", port, args)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(40)
    return statistics.median(rates)


def _wait_for(port: int) -> None:
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise SystemExit("the receiver did not start")


def main() -> None:
    """Run the benchmark, or be its client."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--messages", type=int, default=4000)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--per-connection", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--recipient", default=RECIPIENT)
    parser.add_argument("--folder", default=None, help="where the spool is made")
    parser.add_argument("--beside", default="", help="HOST:PORT of another server")
    parser.add_argument("--client", default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.client:
        host, _, port = args.client.rpartition(":")
        asyncio.run(Load(host, int(port), args).run())
        return
    print(
        f"{args.sessions} sessions, {args.size} bytes, {args.per_connection} messages a connection"
    )
    print("Postern, each message and its name synced before 250:")
    ours = receive(args)
    if args.beside:
        host, _, port = args.beside.rpartition(":")
        print(f"{args.beside}:")
        theirs = statistics.median(measure(host, int(port), args) for _ in range(args.runs))
        measure_with_smtp_source(host, int(port), args)
        print(f"ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
