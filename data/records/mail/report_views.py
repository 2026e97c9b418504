"""Reports on a range of days: how mail was answered, and by whom."""

from datetime import date

from pydantic import AwareDatetime

from data.records.core.organization import WorkingHours
from data.records.core.record import Record
from data.records.mail.overview_views import Count


class DurationFigures(Record):
    """How long something took: the median and the 90th percentile, in seconds."""

    count: int = 0
    """How many were measured."""
    median: float | None = None
    """Seconds; None where none was."""
    p90: float | None = None
    """Seconds within which nine of ten were done."""


class PeriodFigures(Record):
    """One day, or the week that begins with it."""

    begins: date
    received: int = 0
    stopped: int = 0
    """Of those, how many the screen stopped."""
    answered: int = 0
    """Replies that left."""
    by_itself: int = 0
    """Of those, how many left without a person's approval."""
    waiting: int = 0
    """Cases without an answer at its end."""
    first_answer: float | None = None
    """Median seconds to the first answer."""
    cost: float = 0
    """Of language models, US dollars."""


class DecisionFigures(Record):
    """What people decided on drafts, in numbers."""

    unchanged: int = 0
    """Approved as they were written."""
    edited: int = 0
    """Approved with changes."""
    rejected: int = 0
    closed: int = 0
    """Closed without a reply."""

    @property
    def unchanged_share(self) -> float | None:
        """Which share of the drafts was approved as written, 0 to 1; None without any decision."""
        decided = self.unchanged + self.edited + self.rejected + self.closed
        return self.unchanged / decided if decided else None


class CategoryFigures(Record):
    """Cases of one category: how many came, and how they were answered."""

    category: str
    received: int = 0
    """Cases that came in."""
    answered: int = 0
    """Replies that left."""
    waiting: int = 0
    """Cases without an answer at the end of the range."""
    first_answer: DurationFigures = DurationFigures()
    judged: DecisionFigures = DecisionFigures()
    alone: DecisionFigures = DecisionFigures()
    """The same decisions, of drafts alone that would have left without a person's approval."""


class PersonFigures(Record):
    """What one person decided."""

    person: str
    """As the audit log names them."""
    answered: int = 0
    """Replies that left with the person's approval."""
    first_answer: DurationFigures = DurationFigures()
    judged: DecisionFigures = DecisionFigures()


class Edits(Record):
    """How much of the approved drafts people changed, as shares from 0 to 1."""

    median: float | None = None
    """Of those that were changed at all."""
    p90: float | None = None
    by_share: tuple[Count, ...] = ()
    """Drafts by how much was changed: up to 5, 20, 50 and 100 percent."""


class Backlog(Record):
    """What waited for an answer at the end of the range."""

    waiting: int = 0
    by_age: tuple[Count, ...] = ()
    """Cases by days since their first message: `1`, `3`, `7`, `30` (up to), and `more`."""
    oldest_at: AwareDatetime | None = None


class TopicFigures(Record):
    """What was asked of one category and nobody had written down."""

    category: str
    questions: int = 0
    """Questions of senders that drafts left open."""
    cases: int = 0
    """In how many cases."""
    owners: int = 0
    """How often an owner was asked."""
    examples: tuple[str, ...] = ()
    """Some of the questions, the newest first, in the sender's words."""


class ServiceFigures(Record):
    """How often mail was answered by the time that the policy sets."""

    kept: int = 0
    """Replies of the range that left by their target."""
    missed: int = 0
    """Replies of the range that left after it."""
    broken: int = 0
    """Cases that wait past their target at the end of the range, without those whose time stands
    still since before it, because they owe us an answer."""


class VigilanceFigures(Record):
    """How carefully letters were looked at before people decided on them."""

    timed: int = 0
    """Decisions of which somebody measured how long the letter was on the screen."""
    seconds: float | None = None
    """The median of those times."""
    unread: int = 0
    """Letters approved as they were, faster than anybody can read."""
    seen: int = 0
    """Planted faults that were seen."""
    missed: int = 0
    """Planted faults that were approved."""


class StoppedFigures(Record):
    """What the screen stopped."""

    stopped: int = 0
    confirmed: int = 0
    """A person has said since that it was a threat."""
    released: int = 0
    """A person has let it go on."""
    by_kind: tuple[Count, ...] = ()
    """What the screen flagged, by kind; one message may have several flags."""


class CostFigures(Record):
    """How often one agent or one model was asked, and what that cost."""

    name: str
    """Of the agent, or the model."""
    calls: int = 0
    tokens: int = 0
    cost: float = 0
    """US dollars."""


class DayCost(Record):
    """What one agent cost on one day, or in the week that begins with it."""

    begins: date
    agent: str
    cost: float
    """US dollars."""


class Report(Record):
    """How mail was answered in a range of days."""

    since: date
    """The first day, as it is where the organization is."""
    until: date
    """The last one."""
    timezone: str
    by: str
    """`day` or `week`."""
    category: str = ""
    """The only category that is counted; empty for all."""
    person: str = ""
    """The only person whose answers and decisions are counted; empty for all."""
    working_hours: WorkingHours | None = None
    """What times are counted in; None for every hour."""
    received: int = 0
    answered: int = 0
    by_itself: int = 0
    first_answer: DurationFigures = DurationFigures()
    """From the first message of a case to the first reply of its conversation."""
    resolution: DurationFigures = DurationFigures()
    """From the first message of a conversation that is settled to its last reply."""
    judged: DecisionFigures = DecisionFigures()
    edits: Edits = Edits()
    reasons: tuple[Count, ...] = ()
    """Why drafts were rejected."""
    would_send: int = 0
    """Drafts that people decided on and that would have been sent alone."""
    alone: DecisionFigures = DecisionFigures()
    """What people first decided on those."""
    service: ServiceFigures = ServiceFigures()
    vigilance: VigilanceFigures = VigilanceFigures()
    backlog: Backlog = Backlog()
    stopped: StoppedFigures = StoppedFigures()
    cost: float = 0
    """Of language models, US dollars."""
    unpriced: int = 0
    """Calls of models without a price, which count nothing."""
    periods: tuple[PeriodFigures, ...] = ()
    categories: tuple[CategoryFigures, ...] = ()
    people: tuple[PersonFigures, ...] = ()
    """Figures of who decided, or of `person` alone; of oneself alone where one may not manage
    users."""
    deciders: tuple[str, ...] = ()
    """By name, all who decided in the range, whoever `person` is; oneself alone likewise."""
    topics: tuple[TopicFigures, ...] = ()
    agents: tuple[CostFigures, ...] = ()
    models: tuple[CostFigures, ...] = ()
    costs: tuple[DayCost, ...] = ()
