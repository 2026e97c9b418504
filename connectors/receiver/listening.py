"""The sockets that the receiver listens on."""

import contextlib
import errno
import socket
from dataclasses import dataclass, field
from pathlib import Path

from data.errors import PortTakenError, SettingsError
from data.settings import Settings

BACKLOG = 512


@dataclass(slots=True)
class Sockets:
    """Bound and listening sockets of one receiver process, by protocol."""

    smtp: list[socket.socket] = field(default_factory=list)
    lmtp: list[socket.socket] = field(default_factory=list)

    def close(self) -> None:
        """Close all of them in this process."""
        for each in (*self.smtp, *self.lmtp):
            each.close()


def listen(settings: Settings, processes: int = 1) -> list[Sockets]:
    """Return the sockets of each process; raises PortTakenError or SettingsError.

    Each process has sockets of its own on the same port, among which the kernel shares out the
    connections (SO_REUSEPORT); a Unix socket is one for all.
    """
    sockets_by_process = [Sockets() for _ in range(processes)]
    try:
        host, port = settings.smtp_host, settings.smtp_port
        for each, bound in zip(
            sockets_by_process, _tcp(host, port, "smtp_port", processes), strict=True
        ):
            each.smtp = bound
        kind, _, path = settings.lmtp_listen.partition(":")
        if kind == "unix":
            shared = _unix(Path(path))
            for each in sockets_by_process:
                each.lmtp = [shared]
        elif settings.lmtp_listen:
            host, port = _host_and_port(settings.lmtp_listen)
            for each, bound in zip(
                sockets_by_process, _tcp(host, port, "lmtp_listen", processes), strict=True
            ):
                each.lmtp = bound
    except BaseException:
        for each in sockets_by_process:
            each.close()
        raise
    return sockets_by_process


def check_listening(settings: Settings) -> None:
    """Bind everything once and let it go; raises as `listen` does."""
    for each in listen(settings):
        each.close()
    remove_unix_socket(settings)


def remove_unix_socket(settings: Settings) -> None:
    """Remove the file of a Unix socket that this process listened on."""
    kind, _, path = settings.lmtp_listen.partition(":")
    if kind == "unix":
        Path(path).unlink(missing_ok=True)


def _tcp(host: str, port: int, setting: str, processes: int) -> list[list[socket.socket]]:
    """Return for each process its sockets; one address name may stand for several addresses."""
    bound: list[socket.socket] = []
    try:
        addresses = list(
            dict.fromkeys(
                (family, address)
                for family, _, _, _, address in socket.getaddrinfo(
                    host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
                )
            )
        )
        if processes > 1:
            # Only this refuses when somebody else is there: with SO_REUSEPORT we would share.
            for family, address in addresses:
                _bind_socket(family, address, share=False).close()
        for _ in range(processes):
            bound += [_bind_socket(family, at, share=processes > 1) for family, at in addresses]
        for each in bound:
            each.listen(BACKLOG)
    except UnicodeError as error:  # an empty label, or one over 63 letters
        wrong = "smtp_host" if setting == "smtp_port" else setting
        raise SettingsError(f"{host!r} is not the name of a host; mend {wrong!r}") from error
    except OSError as error:
        for each in bound:
            each.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTakenError(
                f"port {port} on {host!r} is in use; set {setting!r} to a free one"
            ) from error
        elsewhere = "smtp_host" if setting == "smtp_port" else setting
        wrong = setting if isinstance(error, PermissionError) else elsewhere
        raise SettingsError(
            f"cannot listen on {host!r} port {port}: {error.strerror or error}; mend {wrong!r}"
        ) from error
    width = len(addresses)
    return [bound[at : at + width] for at in range(0, len(bound), width)]


def _bind_socket(family: int, address: object, *, share: bool) -> socket.socket:
    # asyncio turns Nagle's algorithm off only where the protocol is named: with it, the second of
    # several replies to pipelined commands waits for the client's delayed acknowledgement, 40 ms.
    bound_socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if share:
            bound_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            bound_socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound_socket.setblocking(False)
        bound_socket.bind(address)  # type: ignore[arg-type]
    except OSError:
        bound_socket.close()
        raise
    return bound_socket


def _unix(path: Path) -> socket.socket:
    """Return a Unix socket that its owner and group may use; a dead one is replaced.

    Raises:
        PortTakenError: somebody listens there.
        SettingsError: nobody could.

    """
    unix_socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _remove_dead(path)
        unix_socket.setblocking(False)
        unix_socket.bind(str(path))
        path.chmod(0o660)
        unix_socket.listen(BACKLOG)
    except OSError as error:
        unix_socket.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTakenError(
                f"the socket {str(path)!r} is in use; set 'lmtp_listen' to another one"
            ) from error
        raise SettingsError(
            f"cannot listen on {str(path)!r}: {error.strerror or error}; mend 'lmtp_listen'"
        ) from error
    return unix_socket


def _remove_dead(path: Path) -> None:
    """Remove the socket of a process that has ended; one with a full backlog is alive."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)  # else a full backlog would be waited for, for ever
        try:
            probe.connect(str(path))
        except BlockingIOError:
            return
        except ConnectionRefusedError:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()


def _host_and_port(text: str) -> tuple[str, int]:
    """Return the host and the port of the setting `lmtp_listen`; raises SettingsError."""
    host, colon, port = text.rpartition(":")
    is_number = port.isascii() and port.isdigit() and len(port) <= 5
    if not colon or not is_number or not 0 < int(port) < 65_536:
        raise SettingsError(
            f"setting 'lmtp_listen' is {text!r}; write it like '127.0.0.1:2424' or 'unix:/path'"
        )
    return host.strip("[]"), int(port)
