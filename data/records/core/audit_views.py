"""The audit log as it is shown."""

from datetime import date

from pydantic import AwareDatetime

from data.counting import plural
from data.records.core.record import Record

_TOLD = 5
"""Turns that a sentence names; the others are counted."""


class AuditChain(Record):
    """What a verification of the audit log gave: of its chain of hashes, and of agents' turns."""

    events: int
    """How many events the chain holds."""
    broken_at: int | None = None
    """The sequence of the first event that does not fit, which was changed or is missing."""
    altered: tuple[str, ...] = ()
    """Ids of the agents' turns whose rows are not what the log says that they did."""

    @property
    def faults(self) -> dict[str, str]:
        """What does not fit, in sentences by the first event or turn; none where all does."""
        sentences = {}
        if self.broken_at is not None:
            sentences[str(self.broken_at)] = (
                f"Event {self.broken_at} does not fit its hash: it was changed, or one before it "
                "was removed, beside Postern."
            )
        if self.altered:
            more = len(self.altered) - _TOLD
            ids = ", ".join(self.altered[:_TOLD]) + (f" and {more} more" if more > 0 else "")
            sentences[self.altered[0]] = (
                f"Rows of {plural(len(self.altered), 'turn')} of agents were changed beside "
                f"Postern: {ids}."
            )
        return sentences


class AuditFilter(Record):
    """What the audit log is narrowed to; empty means all."""

    actor: str = ""
    """Who did it, by name."""
    action: str = ""
    """What was done, as the log names it."""
    words: str = ""
    """What its subject or detail holds, in any case."""
    since: date | None = None
    """The first day, as it is where the organization is."""
    until: date | None = None
    """The last one."""


class AuditChoices(Record):
    """What the audit log can be narrowed to."""

    actors: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


class AuditView(Record):
    """One event of the audit log."""

    sequence: int
    at: AwareDatetime
    actor: str
    action: str
    subject: str
    detail: str = ""
    title: str = ""
    """Subject and person of the case, message, conversation or reply that it was about, as they are
    now; empty for anything else, and for what is gone. It is no part of the log and its hashes."""
