"""An IMAP server over a few messages that answers wrongly for some of them, on the wire."""

import re
import socket
import threading
from types import TracebackType
from typing import BinaryIO, Self

from data.records.mail.mailboxes import MailboxAccount
from tests.mail.mailboxes.conftest import VARIABLE


class FaultyServer:
    """Serves one folder, whose messages have the UIDs 1, 2, 3 and so on.

    `faults` says, by UID, what is wrong with a message: `nil` (its body is NIL), `absent` (no line
    for its body), `sizeless` (no size), `unlisted` (no line for its size), `no` (an order that
    names it is refused), `garbled` (a line that is no FETCH response), `empty` (its body has no
    byte), `hangup` (the connection breaks when its body is asked for). A set holds while it is
    there.
    """

    def __init__(self, *raws: bytes) -> None:
        self.raws = dict(enumerate(raws, 1))
        self.faults: dict[int, str] = {}
        self.silent_search = False
        self.uidnext = len(raws) + 1
        self.seen: set[int] = set()
        """UIDs that were marked."""
        self.fetched: list[int] = []
        """UIDs whose bodies were given, in order."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._clients: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept)

    def add(self, raw: bytes) -> None:
        """Let a message arrive."""
        self.raws[self.uidnext] = raw
        self.uidnext += 1

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(100)
        for client in self._clients:
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._clients.append(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, client.makefile("rwb") as line:
            try:
                self._talk(line)
            except OSError:
                return

    def _talk(self, line: BinaryIO) -> None:
        line.write(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
        line.flush()
        while order := line.readline().decode():
            tag, _, rest = order.strip().partition(" ")
            answers, end = self._answer(rest)
            line.write(b"".join(answers) + f"{tag} {end}\r\n".encode())
            line.flush()
            if rest.upper() == "LOGOUT":
                return

    def _answer(self, rest: str) -> tuple[list[bytes], str]:
        words = rest.upper().split(" ")
        if words[0] == "CAPABILITY":
            return [b"* CAPABILITY IMAP4rev1\r\n"], "OK done"
        if words[0] in ("SELECT", "EXAMINE"):
            state = (
                f"* {len(self.raws)} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n"
                f"* OK [UIDNEXT {self.uidnext}] ok\r\n"
                "* OK [PERMANENTFLAGS (\\Seen \\*)] ok\r\n"
            )
            return [state.encode()], "OK [READ-WRITE] done"
        if words[:2] == ["UID", "SEARCH"]:
            named = "" if self.silent_search else "".join(f" {uid}" for uid in self._set(words))
            return ([] if self.silent_search else [f"* SEARCH{named}\r\n".encode()]), "OK done"
        if words[:2] == ["UID", "STORE"]:
            self.seen.update(self._set(words))
        if words[:2] == ["UID", "FETCH"]:
            return self._fetch(self._set(words), rest.upper())
        return [], "OK done"

    def _fetch(self, uids: list[int], order: str) -> tuple[list[bytes], str]:
        for uid in uids:
            if self.faults.get(uid) == "no":
                return [], f"NO [SERVERBUG] message {uid} cannot be read"
        body = "BODY.PEEK[]" in order
        if body and any(self.faults.get(uid) == "hangup" for uid in uids):
            raise ConnectionError
        made = [(self._body if body else self._size)(uid, order) for uid in uids]
        return made, "OK done"

    def _size(self, uid: int, order: str) -> bytes:
        fault = self.faults.get(uid)
        if fault == "unlisted":
            return b""
        size = "" if fault == "sizeless" else f" RFC822.SIZE {len(self.raws[uid])}"
        return f"* {uid} FETCH (UID {uid}{size} FLAGS ())\r\n".encode()

    def _body(self, uid: int, order: str) -> bytes:
        fault, raw = self.faults.get(uid), self.raws[uid]
        item = "BODY[]"
        if part := re.search(r"<0\.(\d+)>", order):
            item, raw = "BODY[]<0>", raw[: int(part[1])]
        if fault == "absent":
            return b""
        if fault == "garbled":
            return f"* {uid} FETCH (UID {uid} {item})\r\n".encode()
        if fault == "nil":
            return f"* {uid} FETCH (UID {uid} {item} NIL)\r\n".encode()
        raw = b"" if fault == "empty" else raw
        self.fetched.append(uid)
        return f"* {uid} FETCH (UID {uid} {item} {{{len(raw)}}}\r\n".encode() + raw + b")\r\n"

    def _set(self, words: list[str]) -> list[int]:
        """Return the UIDs of the order's sequence set that exist."""
        given = next((word for word in words[2:] if word[:1].isdigit()), "1:*")
        chosen: set[int] = set()
        last = max(self.raws, default=0)
        for part in given.split(","):
            low, _, high = part.partition(":")
            ends = sorted((int(low), last if high == "*" else int(high or low)))
            chosen |= {uid for uid in self.raws if ends[0] <= uid <= ends[1]}
        return sorted(chosen)


def at(server: FaultyServer, **given: object) -> MailboxAccount:
    """Return the mailbox of that server."""
    fields: dict[str, object] = {
        "name": "inbox",
        "host": "127.0.0.1",
        "port": server.port,
        "tls": "none",
        "user": "ida",
        "password_env": VARIABLE,
        "since": "all",
    }
    return MailboxAccount.model_validate(fields | given)
