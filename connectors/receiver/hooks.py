"""The handler of aiosmtpd: it decides who is let in, who may send, and which mail is taken."""

import inspect

from aiosmtpd.smtp import Envelope, Session

from connectors.receiver.logins import LoginMechanisms
from connectors.receiver.paths import NULL
from connectors.receiver.receiver_state import ReceiverState
from connectors.receiver.session import SmtpSession

NEEDS_UTF8 = "553 5.6.7 Address needs SMTPUTF8"


class Hooks(LoginMechanisms):
    """The handler of all sessions; each method returns the reply."""

    def __init__(self, door: ReceiverState) -> None:
        super().__init__(door.users)
        self._door = door
        self._names = [name for name in dir(type(self)) if name.startswith(("handle_", "auth_"))]

    def __dir__(self) -> list[str]:
        """Name what aiosmtpd looks for: it goes through all names for every connection."""
        return self._names

    async def handle_EHLO(
        self,
        server: SmtpSession,
        session: Session,
        _envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        """Greet, and name the extensions that work here; all in one packet."""
        session.host_name = hostname
        lines = [line for line in responses[:-1] if not line.startswith("250-AUTH")]
        if server.may_log_in and not session.authenticated:
            lines.append("250-AUTH PLAIN LOGIN")
        return ["\r\n".join((*lines, "250-PIPELINING", "250 ENHANCEDSTATUSCODES"))]

    async def handle_MAIL(
        self,
        server: SmtpSession,
        session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        """Begin a message, if the spool takes any and its sender has not sent too many."""
        if self._door.refusal:
            return self._door.refusal
        if not (envelope.smtp_utf8 or address.isascii()):
            return NEEDS_UTF8
        sender = "" if address == NULL else address
        user = session.auth_data or ""
        refusal = self._door.rate_refusal(server.peer, sender, user, server.trusted)
        if refusal:
            return server.put_off(refusal)
        envelope.mail_from = address
        return "250 2.1.0 Ok"

    async def handle_RCPT(
        self,
        _server: SmtpSession,
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Add a recipient that has a route."""
        if address == NULL:
            return "501 5.1.3 Bad recipient address syntax"
        if not (envelope.smtp_utf8 or address.isascii()):
            return NEEDS_UTF8
        if options:
            return "555 5.5.4 Parameter not recognized"
        if len(envelope.rcpt_tos) >= self._door.limits.recipients:
            return "452 4.5.3 Too many recipients"
        address = self._door.complete_address(address)
        reply = self._door.recipient_reply(address)
        if reply.startswith("2"):
            envelope.rcpt_tos.append(address)
        return reply


#: aiosmtpd asks for it at every connection; to work it out takes longer than to greet.
Hooks.handle_EHLO.__signature__ = inspect.signature(Hooks.handle_EHLO)  # type: ignore[attr-defined]
