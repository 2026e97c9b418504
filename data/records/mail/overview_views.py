"""The overview, the window's first page: who is signed in, and how the house stands."""

from pydantic import AwareDatetime

from data.records.core.organization import Person
from data.records.core.record import Record


class Me(Record):
    """Who the token belongs to."""

    user: str
    id: str = ""
    """Of the user; what a person has said in chats bears it."""
    email: str = ""
    """The person's address; empty when nobody has said."""
    role: str
    """Slug of the first role that the person holds."""
    administers: bool = False
    """Whether the person may administer the whole installation."""
    organizations: tuple["OrganizationName", ...]


class Waiting(Record):
    """How much waits for a person, place by place."""

    review: int
    """Cases in the review queue."""
    questions: int
    """Questions to owners that nobody has answered."""
    quarantine: int
    """Messages that the screen has stopped."""
    calls: int
    """Calls of agents that wait for the yes of who asks."""


class OrganizationName(Record):
    """An organization that the token may see."""

    slug: str
    name: str
    people: tuple[Person, ...] = ()
    """Who a case can be given to."""
    timezone: str = "UTC"
    """IANA name of the zone that its times are shown in."""
    manages: bool = False
    """Whether the person may manage its users and agents."""


class Count(Record):
    """One number with its name."""

    name: str
    value: int


class HourCount(Record):
    """What came in during one hour."""

    hour: AwareDatetime
    received: int
    quarantined: int
    replied: int


class Overview(Record):
    """The first page: what came in, where it is, what needs a person."""

    received_today: int
    """Messages since midnight, by the clock of the organization."""
    received_total: int
    in_review: int
    urgent_in_review: int
    snoozed: int = 0
    """Cases that people have put off; `in_review` does not count them."""
    quarantined: int
    waiting_to_send: int
    needs_decision: int
    """Deliveries whose outcome is unknown or failed."""
    failed: int
    """Messages and cases that could not be worked on."""
    forwards_waiting: int = 0
    """Messages on their way to endpoints."""
    forwards_failed: int = 0
    """Messages that no endpoint has taken, to the end."""
    promises_open: int = 0
    """Promises of replies that have left which nobody has closed."""
    promises_overdue: int = 0
    turns_unread: int = 0
    """Turns of agents in the last seven days of which nothing could be remembered, by a fault."""
    oldest_in_review_at: AwareDatetime | None = None
    approved_unchanged: float | None = None
    """Share of approved drafts that went out as the machine wrote them, 0 to 1."""
    median_seconds_to_draft: float | None = None
    """From acceptance to a draft, debounce included."""
    by_status: tuple[Count, ...] = ()
    by_category: tuple[Count, ...] = ()
    by_verdict: tuple[Count, ...] = ()
    by_hour: tuple[HourCount, ...] = ()
    """The last 24 hours, oldest first, hours without mail included."""
    mode: str = "shadow"
    """The policy's mode."""
    stopped: bool = False
    """Whether the kill switch is on."""
    spool_waiting: int = 0
    """Messages accepted and not yet taken in."""
