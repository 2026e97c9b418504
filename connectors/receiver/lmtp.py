"""LMTP (RFC 2033): as SMTP, but LHLO, and an answer per recipient after the final dot.

For a mail server in front of us, which keeps its own queue: it retries per recipient.
"""

from typing import ClassVar

from connectors.receiver.door import Door
from connectors.receiver.session import SmtpSession


class LmtpSession(SmtpSession):
    """A session on the LMTP port or socket."""

    protocol: ClassVar[str] = "LMTP"
    verbs: ClassVar[frozenset[str]] = (SmtpSession.verbs | {"LHLO"}) - {"EHLO", "HELO"}

    def __init__(self, door: Door) -> None:
        super().__init__(door)
        self._accepted = 0

    def smtp_LHLO(self, hostname: str) -> None:
        """Greet, and name the extensions that work here."""
        self.smtp_EHLO(hostname)

    def forget(self) -> None:
        """Forget the message begun."""
        super().forget()
        self._accepted = 0

    def add_recipient(self, address: str) -> None:
        """Note an accepted recipient; one given twice is answered twice."""
        super().add_recipient(address)
        self._accepted += 1

    def answer_data(self, reply: str) -> None:
        """Say how the message fared, for each accepted RCPT (RFC 2033 section 4.2)."""
        for _ in range(self._accepted - 1):
            self.push(reply)
        self.say(reply)
