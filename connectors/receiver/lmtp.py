"""LMTP (RFC 2033): as SMTP, but LHLO, and an answer per recipient after the final dot.

For a mail server in front of us, which keeps its own queue: it retries per recipient.
"""

from typing import ClassVar

from aiosmtpd.lmtp import LMTP

from connectors.receiver.session import SmtpSession


class LmtpSession(LMTP, SmtpSession):
    """A session on the LMTP port or socket."""

    protocol: ClassVar[str] = "LMTP"

    def answer_data(self, reply: str) -> str:
        """Return the reply once for each accepted RCPT (RFC 2033 section 4.2)."""
        return "\r\n".join([reply] * len(self.envelope.rcpt_tos))
