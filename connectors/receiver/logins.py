"""Logging in: AUTH PLAIN and AUTH LOGIN (RFC 4954, RFC 4616), as mechanisms of aiosmtpd."""

import asyncio
import base64
import logging

from aiosmtpd.smtp import MISSING, AuthResult

from connectors.receiver.session import SmtpSession
from connectors.receiver.threads import wait_to_the_end
from connectors.receiver.users import Users

log = logging.getLogger("postern.receiver")

FAILURES = 3
BAD = "501 5.5.2 Cannot decode that"
REFUSED = AuthResult(success=False, handled=True)
"""The client has its answer already."""


class LoginMechanisms:
    """Mechanisms that check passwords outside the event loop; aiosmtpd's own would hold it up."""

    def __init__(self, users: Users | None) -> None:
        self._users = users
        # One at a time: guessing must cost the guesser, and not our memory.
        self._lock = asyncio.Lock()

    async def auth_PLAIN(self, server: SmtpSession, args: list[str]) -> AuthResult:
        """Take identity, name and password in one; nobody may act for somebody else."""
        text = await _response(server, "", args[1:])
        identity, _, rest = (text or "").partition("\0")
        name, _, password = rest.partition("\0")
        if text is not None and (not name or "\0" in password or identity not in {"", name}):
            await server.push(BAD)
            return REFUSED
        return REFUSED if text is None else await self._verify(server, name, password)

    async def auth_LOGIN(self, server: SmtpSession, args: list[str]) -> AuthResult:
        """Ask for name and password, one after the other."""
        name = await _response(server, server.AuthLoginUsernameChallenge, args[1:])
        if name is None:
            return REFUSED
        password = await _response(server, server.AuthLoginPasswordChallenge, [])
        return REFUSED if password is None else await self._verify(server, name, password)

    async def _verify(self, server: SmtpSession, name: str, password: str) -> AuthResult:
        """Return the result of a login; one password is checked at a time, to its end.

        A client that leaves meanwhile must not make room for another guess beside it.
        """
        async with self._lock:
            is_right = self._users is not None and await wait_to_the_end(
                asyncio.ensure_future(asyncio.to_thread(self._users.verify, name, password))
            )
        if is_right:
            message = "235 2.7.0 Authentication succeeded"
            return AuthResult(success=True, auth_data=name, message=message)
        server.failed_logins += 1
        log.warning("login_failed", extra={"fields": {"peer": server.peer}})
        message = "535 5.7.8 Authentication credentials invalid"
        if server.failed_logins >= FAILURES:
            message = "421 4.7.0 Too many failed logins"
        return AuthResult(success=False, handled=False, message=message)


async def _response(server: SmtpSession, challenge: str, lines: list[str]) -> str | None:
    """Return what a client says in base64, with the command or in answer to `challenge`.

    None when it was refused: the client has its reply then.
    """
    try:
        if lines:
            blob = base64.b64decode("" if lines[0] == "=" else lines[0], validate=True)
        else:
            answer = await server.challenge_auth(challenge)
            if answer is MISSING:
                return None
            blob = answer
        return blob.decode("utf-8")
    except ValueError:
        await server.push(BAD)
        return None
