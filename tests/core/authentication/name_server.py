"""A small name server on loopback, so that the real resolver is asked over a real socket."""

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


class NameServer:
    """Answers UDP questions from a dict; can fall silent or fail."""

    def __init__(self, zone: Mapping[tuple[str, str], Sequence[str]]) -> None:
        self.zone = dict(zone)
        self.silent: set[str] = set()
        """Names that are not answered; `*` stands for all."""
        self.failing: set[str] = set()
        """Names that are answered with a server failure."""
        self.asked: list[tuple[str, str]] = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]

    def serve(self) -> None:
        """Answer until the socket is closed."""
        while True:
            octets, peer = self._socket.recvfrom(4096)
            if octets == b"stop":
                return
            reply = self._reply(dns.message.from_wire(octets))
            if reply is not None:
                self._socket.sendto(reply.to_wire(), peer)

    def stop(self) -> None:
        """Let `serve` return."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            own.sendto(b"stop", ("127.0.0.1", self.port))

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _reply(self, question: dns.message.Message) -> dns.message.Message | None:
        asked = question.question[0]
        name, kind = asked.name.to_text(True).lower(), dns.rdatatype.to_text(asked.rdtype)
        self.asked.append((name, kind))
        if self.silent & {name, "*"}:
            return None
        reply = dns.message.make_response(question)
        reply.flags |= dns.flags.RA
        if name in self.failing:
            reply.set_rcode(dns.rcode.SERVFAIL)
            return reply
        texts = self.zone.get((name, kind))
        if texts:
            reply.answer.append(dns.rrset.from_text_list(asked.name, 300, "IN", kind, list(texts)))
        elif not any(known == name for known, _ in self.zone):
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return reply


@contextmanager
def name_server(zone: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[NameServer]:
    """Run a name server for the duration of a block."""
    server = NameServer(zone)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(60)
        server.close()
