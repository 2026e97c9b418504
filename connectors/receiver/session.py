"""The commands of a session (RFC 5321 section 4.1), with enhanced status codes (RFC 3463)."""

import asyncio
from typing import Any

from connectors.receiver import paths
from connectors.receiver.connection import SmtpConnection
from connectors.receiver.door import Door
from connectors.receiver.taking import take_message

VERBS = frozenset(
    {"EHLO", "HELO", "MAIL", "RCPT", "DATA", "RSET", "NOOP", "QUIT", "VRFY", "HELP", "STARTTLS"}
)
JUNK = frozenset({"NOOP", "RSET", "VRFY", "HELP", "EHLO", "HELO"})


class SmtpSession(SmtpConnection):
    """What one connected client may do, and how far it has come."""

    def __init__(self, door: Door) -> None:
        super().__init__(door)
        self.helo = ""
        self.extended = self.utf8 = False
        self.sender: str | None = None
        self.recipients: list[str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin anew; also after STARTTLS, when nothing said before counts (RFC 3207)."""
        self.helo, self.extended = "", False
        super().connection_made(transport)

    def _set_rset_state(self) -> None:
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        self.sender, self.recipients, self.utf8 = None, [], False

    async def obey(self, line: bytes) -> None:
        """Do what a line asks for, and answer."""
        if not line.endswith(b"\r\n"):
            await self.say("500 5.5.2 Commands end with CR LF")
            return
        if len(line) > self.door.limits.command_bytes:
            await self.say("500 5.5.2 Command line too long")
            return
        verb_bytes, _, argument = line[:-2].partition(b" ")
        verb = verb_bytes.decode("ascii", "replace").upper()
        if verb not in VERBS:
            await self.say("500 5.5.1 Command not recognized")
            return
        if verb in JUNK:
            self.junk += 1
            if self.junk > self.door.limits.junk_commands:
                self.hang_up("421 4.7.0 Too many commands without a message")
                return
        method = getattr(self, f"smtp_{verb}")
        await method(argument.decode("utf-8", "surrogateescape").strip(" ") or None)

    # -- commands ------------------------------------------------------------------------

    async def smtp_EHLO(self, hostname: str | None) -> None:
        """Greet, and name the extensions that work here."""
        if not hostname or paths.has_control(hostname) or len(hostname) > paths.MAX_PATH:
            await self.say("501 5.5.4 Syntax: EHLO hostname")
            return
        self._set_rset_state()
        self.extended, self.helo = True, hostname
        names = [self.hostname, "PIPELINING", f"SIZE {self.door.limits.message_bytes}"]
        names += ["8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES"]
        if self.tls_context and not self._tls_protocol:
            names.append("STARTTLS")
        lines = [f"250-{name}" for name in names[:-1]] + [f"250 {names[-1]}"]
        await self.push("\r\n".join(lines))

    async def smtp_HELO(self, hostname: str | None) -> None:
        """Greet a client that knows no extensions."""
        if not hostname or paths.has_control(hostname) or len(hostname) > paths.MAX_PATH:
            await self.say("501 5.5.4 Syntax: HELO hostname")
            return
        self._set_rset_state()
        self.extended, self.helo = False, hostname
        await self.push(f"250 {self.hostname}")

    async def smtp_STARTTLS(self, argument: str | None) -> None:
        """Encrypt; whatever the client sent ahead is an attack (RFC 3207, CVE-2011-0411)."""
        if self.pending:
            self.hang_up("554 5.5.0 Wait for the answer to STARTTLS")
            return
        if self._tls_protocol or not self.tls_context:
            await self.say("502 5.5.1 STARTTLS is not available")
            return
        await super().smtp_STARTTLS(argument)

    async def smtp_MAIL(self, argument: str | None) -> None:
        """Begin a message (RFC 5321 section 4.1.1.2, RFC 1870)."""
        if not self.helo:
            await self.say("503 5.5.1 Send EHLO first")
        elif self.sender is not None:
            await self.say("503 5.5.1 MAIL was given already")
        elif self.door.refusal:
            await self.push(self.door.refusal)
        else:
            try:
                path = paths.read_path(argument or "", "FROM")
                self._check_parameters(path)
            except paths.PathError as error:
                await self.say(str(error))
                return
            self.sender = path.address
            await self.push("250 2.1.0 Ok")

    def _check_parameters(self, path: paths.Path) -> None:
        given: dict[str, Any] = dict(path.parameters)
        if given and not self.extended:
            raise paths.PathError("501 5.5.4 Parameters need EHLO")
        size = given.pop("SIZE", "0")
        if not (size.isascii() and size.isdigit() and len(size) <= 20):
            raise paths.PathError("501 5.5.4 SIZE must be a number")
        if int(size) > self.door.limits.message_bytes:
            raise paths.PathError("552 5.3.4 Message size exceeds fixed limit")
        if given.pop("BODY", "7BIT").upper() not in {"7BIT", "8BITMIME"}:
            raise paths.PathError("501 5.5.4 BODY must be 7BIT or 8BITMIME")
        utf8 = given.pop("SMTPUTF8", None)
        if utf8:
            raise paths.PathError("501 5.5.4 SMTPUTF8 takes no value")
        if given:
            raise paths.PathError("555 5.5.4 Parameter not recognized")
        self.utf8 = utf8 is not None
        if not self.utf8 and not path.address.isascii():
            raise paths.PathError("553 5.6.7 Address needs SMTPUTF8")

    async def smtp_RCPT(self, argument: str | None) -> None:
        """Add a recipient that has a route (RFC 5321 section 4.1.1.3)."""
        if self.sender is None:
            await self.say("503 5.5.1 Send MAIL first")
            return
        try:
            path = paths.read_path(argument or "", "TO")
        except paths.PathError as error:
            await self.say(str(error))
            return
        if not path.address:
            await self.say("501 5.1.3 Bad recipient address syntax")
        elif not self.utf8 and not path.address.isascii():
            await self.say("553 5.6.7 Address needs SMTPUTF8")
        elif path.parameters:
            await self.say("555 5.5.4 Parameter not recognized")
        elif len(self.recipients) >= self.door.limits.recipients:
            await self.push("452 4.5.3 Too many recipients")
        else:
            reply = self.door.recipient_reply(path.address)
            if reply.startswith("2") and path.address not in self.recipients:
                self.recipients.append(path.address)
            await self.say(reply)

    async def smtp_DATA(self, argument: str | None) -> None:
        """Take the message and answer for it."""
        if not self.recipients:
            await self.say(
                "503 5.5.1 Send RCPT first"
                if self.sender is not None
                else "503 5.5.1 Send MAIL first"
            )
        elif argument:
            await self.say("501 5.5.4 Syntax: DATA")
        elif self.pending:
            # RFC 2920 section 3.1: DATA is the last of a group; more is a smuggler's (1.3).
            self.hang_up("554 5.5.0 Wait for the answer to DATA")
        elif self.door.refusal:
            await self.push(self.door.refusal)
        else:
            self.in_data = True
            try:
                reply = await take_message(self)
            finally:
                self.in_data = False
                self._set_rset_state()
            if reply.startswith("2"):
                self.junk = self.errors = 0
                self.session_end = self.loop.time() + self.door.limits.session_seconds
            await self.say(reply)

    async def smtp_RSET(self, _: str | None) -> None:
        """Forget the message begun."""
        self._set_rset_state()
        await self.push("250 2.0.0 Ok")

    async def smtp_NOOP(self, _: str | None) -> None:
        """Do nothing."""
        await self.push("250 2.0.0 Ok")

    async def smtp_VRFY(self, _: str | None) -> None:
        """Say the same for every address, so that none can be found out."""
        await self.push("252 2.1.5 Cannot verify, send a message to find out")

    async def smtp_HELP(self, _: str | None) -> None:
        """Point to the standard."""
        await self.push("214 2.0.0 See RFC 5321")

    async def smtp_QUIT(self, _: str | None) -> None:
        """Say goodbye."""
        self.hang_up("221 2.0.0 Bye")
