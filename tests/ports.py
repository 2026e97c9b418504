"""Ports for servers that tests start, and whether they answer there."""

import http.client
import random
import socket
from pathlib import Path
from urllib.parse import urlsplit

_LOWEST = 10_000
_HANDED_OUT = Path("/proc/sys/net/ipv4/ip_local_port_range")
_DICE = random.SystemRandom()
_HANDED_BEFORE: set[int] = set()


def free_port() -> int:
    """Return a port of loopback that nobody listens on, and that the kernel gives to nobody.

    One that it has just handed out would be as free, but any connection that begins before the
    server does may get it next, and tests side by side begin thousands. Nor does a process get the
    same one twice.
    """
    end = int(_HANDED_OUT.read_text().split()[0]) if _HANDED_OUT.exists() else 32_768
    while True:
        port = _DICE.randrange(_LOWEST, max(end, _LOWEST + 10_000))
        if port in _HANDED_BEFORE:
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        _HANDED_BEFORE.add(port)
        return port


def is_answered(address: str) -> bool:
    """Return whether an http address of this machine is answered with 200.

    Who waits asks often: a client of `httpx` reads all the certificates of the world each time.
    """
    place = urlsplit(address)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=2)
    try:
        connection.request("GET", place.path)
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def open_door() -> socket.socket:
    """Return a socket bound to a free port of loopback, for a server of this process.

    Its protocol is named, as that of the engine's own: asyncio turns Nagle's algorithm off only
    then, and with it many answers would come 40 ms late.
    """
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    door.bind(("127.0.0.1", 0))
    return door
