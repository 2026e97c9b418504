"""The certificates of a private CA, as people see them."""

from datetime import datetime

from pydantic import AwareDatetime

from data.records.core.record import Record

SOON_DAYS = 30
"""How long before its end a certificate is spoken of, days."""


class Authority(Record):
    """A certificate that is trusted although the system does not know it."""

    subject: str
    """Who it is for, RFC 4514."""
    expires_at: AwareDatetime
    signs_others: bool
    """Whether it is a CA's; else it is a server's own, which signed itself."""

    def trouble(self, now: datetime) -> str:
        """Return a sentence where it has ended or soon ends, else nothing."""
        day = f"{self.expires_at:%Y-%m-%d}"
        if self.expires_at <= now:
            return f"The certificate of {self.subject} has expired on {day}; give the new one."
        days = (self.expires_at - now).days
        if days < SOON_DAYS:
            return f"The certificate of {self.subject} expires on {day}; give the new one by then."
        return ""
