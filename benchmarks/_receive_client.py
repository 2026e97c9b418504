"""A load client of our own, which knows how long each message took.

    python benchmarks/_receive_client.py HOST:PORT [--messages 2000] [--sessions 20] [--size 5000]
                                        [--per-connection 1] [--recipient ADDRESS]

Prints the count of messages, the seconds, and the 99th percentile in milliseconds.
"""

import argparse
import asyncio
import statistics
import time

RECIPIENT = "load@bench.example"


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


def main() -> None:
    """Send the load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("--messages", type=int, default=2000)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--per-connection", type=int, default=1)
    parser.add_argument("--recipient", default=RECIPIENT)
    args = parser.parse_args()
    host, _, port = args.server.rpartition(":")
    asyncio.run(Load(host, int(port), args).run())


if __name__ == "__main__":
    main()
