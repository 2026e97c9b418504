"""A strict small SMTP server that records what it gets and can misbehave on purpose."""

import asyncio
import base64
import ssl
from dataclasses import dataclass, field


@dataclass
class Received:
    """One message, as it came over the wire, dots removed."""

    mail_from: str
    rcpt_to: list[str]
    content: bytes


@dataclass
class Sink:
    """What the server should do, and what it has seen."""

    on_connect: str = "220 sink.example ESMTP"
    on_mail: str = "250 2.1.0 Ok"
    on_rcpt: dict[str, str] = field(default_factory=dict)
    on_data: str = "354 go on"
    on_dot: str = "250 2.0.0 taken"
    """`close` hangs up after the dot instead of answering, `silence` never answers."""
    extensions: tuple[str, ...] = ("8BITMIME", "SIZE 1000000", "SMTPUTF8")
    login: tuple[str, str] | None = None
    tls: ssl.SSLContext | None = None
    close_in_data: bool = False
    messages: list[Received] = field(default_factory=list)
    dots: int = 0
    body_seen: bytes = b""
    """Content that has arrived, before the dot."""
    commands: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    port: int = 0
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> "Sink":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _Session(self, reader, writer).run()
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            pass
        finally:
            writer.close()


@dataclass
class _Session:
    sink: Sink
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    sender: str = ""
    rcpt: list[str] = field(default_factory=list)
    encrypted: bool = False

    async def say(self, text: str) -> None:
        self.writer.write(text.encode() + b"\r\n")
        await self.writer.drain()

    async def line(self) -> str:
        raw = await self.reader.readuntil(b"\r\n")
        if b"\r" in raw[:-2] or b"\n" in raw[:-2] or b"\0" in raw:
            self.sink.violations.append(f"command {raw!r}")
        return raw[:-2].decode()

    async def run(self) -> None:
        await self.say(self.sink.on_connect)
        if not self.sink.on_connect.startswith("220"):
            return
        while True:
            command = await self.line()
            self.sink.commands.append(command)
            verb = command.split(" ")[0].upper()
            if verb == "QUIT":
                await self.say("221 bye")
                return
            if not await getattr(self, f"do_{verb.lower()}")(command):
                return

    async def do_ehlo(self, _: str) -> bool:
        names = list(self.sink.extensions)
        if self.sink.tls and not self.encrypted:
            names.append("STARTTLS")
        if self.sink.login:
            names.append("AUTH PLAIN LOGIN")
        lines = ["sink.example", *names]
        await self.say("\r\n".join([f"250-{name}" for name in lines[:-1]] + [f"250 {lines[-1]}"]))
        return True

    async def do_starttls(self, _: str) -> bool:
        assert self.sink.tls
        await self.say("220 go")
        await self.writer.start_tls(self.sink.tls)
        self.encrypted = True
        return True

    async def do_auth(self, command: str) -> bool:
        token = base64.b64decode(command.split(" ")[2]).decode()
        right = self.sink.login is not None and token == "\0".join(("", *self.sink.login))
        await self.say("235 2.7.0 welcome" if right else "535 5.7.8 no")
        return True

    async def do_mail(self, command: str) -> bool:
        self.sender = command[command.index("<") + 1 : command.index(">")]
        await self.say(self.sink.on_mail)
        return True

    async def do_rcpt(self, command: str) -> bool:
        address = command[command.index("<") + 1 : command.index(">")]
        reply = self.sink.on_rcpt.get(address, "250 2.1.5 Ok")
        if reply.startswith("2"):
            self.rcpt.append(address)
        await self.say(reply)
        return True

    async def do_rset(self, _: str) -> bool:
        self.rcpt = []
        await self.say("250 2.0.0 Ok")
        return True

    async def do_data(self, _: str) -> bool:
        await self.say(self.sink.on_data)
        if not self.sink.on_data.startswith("354"):
            return True
        content = b""
        if self.sink.close_in_data:
            await self.reader.read(10)
            return False
        while not (b"\r\n" + content).endswith(b"\r\n.\r\n"):
            # The dot may come late: what is there before it counts as body.
            content += await self.reader.readexactly(1)
            self.sink.body_seen = content
        self.sink.dots += 1
        pairs = content.count(b"\r\n")
        if content.count(b"\r") != pairs or content.count(b"\n") != pairs or b"\0" in content:
            self.sink.violations.append("bare line end")
        body = (b"\r\n" + content)[2:-3].replace(b"\r\n.", b"\r\n")
        self.sink.messages.append(Received(self.sender, self.rcpt, body.removeprefix(b".")))
        self.rcpt = []
        if self.sink.on_dot == "close":
            return False
        if self.sink.on_dot == "silence":
            await asyncio.sleep(2)
            return False
        await self.say(self.sink.on_dot)
        return True
