"""Logging in: AUTH PLAIN and AUTH LOGIN (RFC 4954, RFC 4616), over TLS only."""

import asyncio
import base64
import binascii
import logging
from typing import TYPE_CHECKING

from connectors.receiver.users import Users

if TYPE_CHECKING:
    from connectors.receiver.session import SmtpSession

log = logging.getLogger("postern.receiver")

FAILURES = 3
BAD = "501 5.5.2 Cannot decode that"
WRONG = "535 5.7.8 Authentication credentials invalid"
_USERNAME, _PASSWORD = "334 VXNlcm5hbWU6", "334 UGFzc3dvcmQ6"


class Login:
    """One AUTH exchange; takes lines until the session has an answer."""

    def __init__(self, session: "SmtpSession", users: Users, mechanism: str) -> None:
        self._session, self._users, self._plain = session, users, mechanism == "PLAIN"
        self._name: str | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self, initial: str | None) -> None:
        """Go on with the initial response, or ask for it."""
        if initial is None:
            self._ask("334 " if self._plain else _USERNAME)
        else:
            self.take(b"" if initial == "=" else initial.encode("ascii", "replace"))

    def take(self, line: bytes) -> None:
        """Take a line of the client's."""
        self._session.login = None
        if line == b"*":
            self._session.say("501 5.7.0 Authentication was cancelled")
            return
        try:
            text = base64.b64decode(line, validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            self._session.say(BAD)
            return
        if self._plain:
            identity, _, rest = text.partition("\0")
            name, _, password = rest.partition("\0")
            if not name or "\0" in password or identity not in {"", name}:
                self._session.say(BAD)
                return
            self._check(name, password)
        elif self._name is None:
            self._name = text
            self._ask(_PASSWORD)
        else:
            self._check(self._name, text)

    def _ask(self, challenge: str) -> None:
        self._session.login = self
        self._session.push(challenge)

    def _check(self, name: str, password: str) -> None:
        self._session.wait()
        self._task = self._session.loop.create_task(self._verify(name, password))

    async def _verify(self, name: str, password: str) -> None:
        session = self._session
        # One at a time: guessing must cost the guesser, and not our memory.
        async with session.door.logins:
            right = await asyncio.to_thread(self._users.verify, name, password)
        if right:
            session.user = name
            session.push("235 2.7.0 Authentication succeeded")
        else:
            session.failed_logins += 1
            log.warning("login_failed", extra={"fields": {"peer": session.peer}})
            if session.failed_logins >= FAILURES:
                session.hang_up("421 4.7.0 Too many failed logins")
            else:
                session.say(WRONG)
        session.go_on()
