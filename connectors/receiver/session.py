"""A session: aiosmtpd's, kept within the promises of docs/reliability.md.

Commands and their parameters, AUTH, STARTTLS, session and envelope are the library's; what a client
may do is asked of `hooks`. Each override has its reason in docs/design.md.
"""

import logging
from collections.abc import Sequence

from aiosmtpd.smtp import TLSSetupException, syntax

from connectors.receiver import paths
from connectors.receiver.connection import CLOSING_SECONDS, SmtpConnection
from connectors.receiver.incoming import IncomingMessage
from connectors.receiver.replies import LATER
from connectors.spool import SpoolWriter
from connectors.spool.failures import reply_for
from data.errors import SpoolError
from data.records.core.envelope import Channel

log = logging.getLogger("postern.receiver")

HANDSHAKE_SECONDS = 30


class SmtpSession(SmtpConnection):
    """What one connected client says, and what it is answered."""

    async def handle_exception(self, error: Exception) -> str:
        """Return the reply to what went wrong: a bug of ours is a 4xx, never a loss."""
        if isinstance(error, paths.PathError):
            return str(error)
        if isinstance(error, SpoolError):
            return reply_for(error)
        if isinstance(error, TLSSetupException):
            fields = {"peer": self.peer, "error": repr(error.__cause__ or "the client left")}
            log.info("tls_failed", extra={"fields": fields})
            return LATER
        log.error("bug_in_session", exc_info=error, extra={"fields": {"peer": self.peer}})
        self._set_rset_state()  # type: ignore[no-untyped-call]
        # What follows would be the rest of a message, and must not be read as commands.
        return "421 4.3.0 Local error, try again later" if self.in_data else LATER

    def _getaddr(self, arg: str) -> tuple[str, str]:
        """Read a path as RFC 5321 has it: the library's parser takes other addresses for it."""
        return paths.read_path(arg)

    def _getparams(self, params: Sequence[str]) -> dict[str, str | bool] | None:
        """Read parameters; one of AUTH counts for nothing where one may log in (RFC 4954 5)."""
        parameters = super()._getparams(params)
        if parameters is None or len(parameters) < len(params) or not all(map(str.isascii, params)):
            return None
        if self.may_log_in:
            parameters.pop("AUTH", None)
        return parameters

    @syntax("STARTTLS", when="tls_context")
    async def smtp_STARTTLS(self, arg: str | None) -> None:
        """Encrypt; whatever the client sent ahead is an attack (RFC 3207, CVE-2011-0411)."""
        if self._reader.pending:
            self.hang_up("554 5.5.0 Wait for the answer to STARTTLS")
        elif self._tls_protocol is not None or self.tls_context is None:
            await self.push("502 5.5.1 STARTTLS is not available")
        else:
            self._reset_timeout(HANDSHAKE_SECONDS)
            await super().smtp_STARTTLS(arg)
            if self._tls_protocol is not None and self.session.ssl is None:
                raise TLSSetupException  # asyncio says nothing of a client that left meanwhile

    @syntax("AUTH <mechanism>", when="may_log_in")
    async def smtp_AUTH(self, arg: str | None) -> None:
        """Log in; a mechanism may be written in any case, and none is one that nobody knows."""
        if self.door.users is None:
            await self.push("502 5.5.1 AUTH is not available")
        elif self.envelope.mail_from:
            await self.push("503 5.5.1 AUTH comes before MAIL")
        else:
            mechanism, _, response = (arg or "?").partition(" ")
            await super().smtp_AUTH(f"{mechanism.upper()} {response}")

    @syntax("VRFY <address>")
    async def smtp_VRFY(self, _: str | None) -> None:
        """Say the same for every name, so that none can be found out."""
        await self.push("252 2.1.5 Cannot verify, send a message to find out")

    @syntax("DATA")
    async def smtp_DATA(self, arg: str | None) -> None:
        """Take a message, make it durable, and answer for it: 250 only when it is on disk.

        A client that leaves before the final dot leaves nothing. One that leaves after it cannot
        stop the commit: what was stored stays, and content-keyed dedupe takes the copy that the
        client sends again (RFC 1047 is about that).
        """
        if arg or not self.envelope.rcpt_tos:
            await self.push("501 5.5.4 Syntax: DATA" if arg else "503 5.5.1 Send RCPT first")
            return
        if self._reader.pending:
            # RFC 2920 section 3.1: DATA is the last of a group; more is a smuggler's.
            self.hang_up("554 5.5.0 Wait for the answer to DATA")
            return
        if self.door.refusal:
            await self.push(self.door.refusal)
            return
        message = IncomingMessage(self._open_writer(), self.limits, self.loop.time())
        self.in_data = True
        try:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            while not message.ended:
                self._reset_timeout(self.limits.data_seconds)
                message.feed(await self._reader.read_some(), self.loop.time())
                if message.last_word:
                    self.hang_up(message.last_word)
                elif message.writer.full:
                    message.refusal = message.refusal or await self.door.spill(message.writer)
            # From here the client waits for us, however many others there are.
            self._wait_at_most(self.limits.store_seconds + CLOSING_SECONDS)
            reply = message.refusal or await self.door.store(message.writer)
        finally:
            message.abort()
        self.in_data = False
        if reply.startswith("2"):
            self.junk = self.errors = 0
            self.session_end = self.loop.time() + self.limits.session_seconds
        reply = self.answer_data(reply)
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        self._reset_timeout()
        self._reader.unread(message.rest)
        await self.push(reply)

    def _open_writer(self) -> SpoolWriter:
        """Begin a message in the spool, or raise the SpoolError that puts it off."""
        sender = self.envelope.mail_from or ""
        return self.door.spool.open_writer(
            channel=Channel.SMTP,
            mail_from="" if sender == paths.NULL else sender,
            rcpt_to=list(dict.fromkeys(self.envelope.rcpt_tos)),
            peer=self.peer,
            helo=self.session.host_name or "",
            tls=self.session.ssl is not None,
            authenticated_as=self.session.auth_data or "",
        )

    def answer_data(self, reply: str) -> str:
        """Return what is said after the final dot: in SMTP one reply."""
        return reply
