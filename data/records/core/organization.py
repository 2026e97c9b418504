"""Organizations, routes and policies: who Postern works for, and what is allowed."""

from calendar import day_name
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator, model_validator

from data.records.core.record import Line, Record
from data.records.core.understanding import Category, IntentKind, Priority


class RouteMode(StrEnum):
    """What happens to mail for a recipient; see docs/pipeline.md#taking-in."""

    AGENT = "agent"  #: goes through the pipeline
    ACCEPT = "accept"  #: stored and shown, not worked on
    HOLD = "hold"  #: stored, waits for a person to let it in
    ENDPOINT = "endpoint"  #: forwarded as a signed webhook
    BOUNCE = "bounce"  #: refused in SMTP with 550
    REJECT = "reject"  #: refused in SMTP with 550, without saying why


class Route(Record):
    """One recipient pattern and what it means."""

    pattern: Line
    """An address, `*@domain` or `local@*`; compared without case, plus-tags dropped."""
    organization: Line
    """Slug of the organization it belongs to."""
    mode: RouteMode = RouteMode.AGENT
    """What happens to its mail."""
    url: Line = ""
    """Where its mail is forwarded to, with mode `endpoint`."""
    secret: Line = ""
    """Name of the key, a file in `secrets/endpoints/`, that signs what is forwarded."""


class Person(Record):
    """Somebody of the organization."""

    name: str
    email: str
    role: str = ""


class Dkim(Record):
    """How an organization's replies are signed (RFC 6376)."""

    domain: str = Field(pattern=r"^[a-z0-9_][a-z0-9_-]*(\.[a-z0-9_][a-z0-9_-]*)+$", max_length=253)
    """Signing domain; DMARC wants that of the sender's address, or one above it."""
    selector: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)*$", max_length=63)
    """Name of the key below `_domainkey` of that domain."""
    key_file: str
    """RSA private key in PEM: a name in `secrets/dkim`, or a whole path."""


class Holiday(Record):
    """A day on which nobody of the organization works."""

    day: date
    name: str = Field(default="", max_length=100)
    """As people call it."""


MOST_HOLIDAYS = 1000


class Organization(Record):
    """One tenant: its folder under `var/organizations/` bears its slug."""

    slug: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    """Short name in folders and addresses."""
    name: str
    """What it is called in letters."""
    addresses: tuple[str, ...]
    """Addresses it answers for; the first one is the sender of replies."""
    group_addresses: tuple[str, ...] = ()
    """Groups and lists of its own by which mail reaches it; their headers say nothing."""
    language: str = "en"
    """ISO 639-1 code it writes in when the sender's language is not known."""
    timezone: str = "UTC"
    """IANA name."""
    signature: str = ""
    """Lines under every reply."""
    tone: str = ""
    """How it writes, in a sentence."""
    people: tuple[Person, ...] = ()
    """Who can be assigned or escalated to."""
    dkim: Dkim | None = None
    """How replies are signed; None when they are not signed here."""
    holidays: tuple[Holiday, ...] = Field(default=(), max_length=MOST_HOLIDAYS)
    """Days on which nobody works, whatever the policy's working hours say."""

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(
                f"{name!r} is no IANA time zone; write Europe/Lisbon or UTC"
            ) from error
        return name

    @property
    def own_addresses(self) -> tuple[str, ...]:
        """Addresses that are the organization itself: those it answers for, and its groups."""
        return (*self.addresses, *self.group_addresses)

    @property
    def days_off(self) -> frozenset[date]:
        """The days of the holidays."""
        return frozenset(holiday.day for holiday in self.holidays)

    def day(self, moment: datetime) -> date:
        """Return the day that it is there: what begins and ends by the day goes by it."""
        return self.by_its_clock(moment).date()

    def by_its_clock(self, moment: datetime) -> datetime:
        """Return a moment in its time zone, as its people are told it."""
        return moment.astimezone(ZoneInfo(self.timezone))


class Mode(StrEnum):
    """How much the machine may do by itself."""

    SHADOW = "shadow"  #: nothing is sent by itself; what would have been is counted
    LIVE = "live"  #: sends by itself where the rules and the evidence allow it
    OFF = "off"  #: nothing is drafted; mail is only stored, screened and shown


class AutonomyRule(Record):
    """What is allowed for wishes of a category, a kind or a priority, or all three together."""

    category: Category | None = None
    """What they are about; any when not given."""
    intent: IntentKind | None = None
    """What kind they are; any when not given."""
    priority: Priority | None = None
    """How urgent their mail is; any when not given."""
    auto_send: bool = False
    threshold: float | None = Field(default=None, ge=0, le=1)
    """Draft quality needed; the policy's `confidence_threshold` when not given."""


HourWords = Annotated[str, Field(max_length=20)]
"""An hour as in *08:30*; what is none is refused where a policy is read, in words."""


class DayHours(Record):
    """Hours of some weekdays that differ from those of the others."""

    days: tuple[int, ...] = Field(min_length=1, max_length=7)
    """ISO weekdays, of those that are worked."""
    start: HourWords
    end: HourWords


class WorkingHours(Record):
    """When replies may leave by themselves."""

    timezone: str = Field(default="UTC", max_length=100)
    days: tuple[int, ...] = Field(default=(1, 2, 3, 4, 5), max_length=7)
    """ISO weekdays, Monday is 1."""
    start: HourWords = "08:00"
    end: HourWords = "18:00"
    differing: tuple[DayHours, ...] = Field(default=(), max_length=7)
    """Working days with other hours, as a Friday that ends at 13:00."""

    def works_on(self, day: date) -> bool:
        """Return whether somebody works on a day."""
        return day.isoweekday() in self.days

    def span_of(self, weekday: int) -> tuple[str, str]:
        """Return when work begins and ends on an ISO weekday, as far as it is a working day."""
        for day_hours in self.differing:
            if weekday in day_hours.days:
                return day_hours.start, day_hours.end
        return self.start, self.end

    def in_words(self) -> str:
        """Return the spans of a week for people: those of most days first, then the others."""
        spans = [f"{self.start} to {self.end}"]
        for day_hours in self.differing:
            names = ", ".join(day_name[weekday - 1] for weekday in sorted(day_hours.days))
            spans.append(f"{names} {day_hours.start} to {day_hours.end}")
        return "; ".join(spans)


class WorkedDays(WorkingHours):
    """Working hours with the days on which nobody works all the same; never in a policy's file."""

    days_off: frozenset[date] = frozenset()

    def works_on(self, day: date) -> bool:
        """Return whether somebody works on a day that is no holiday."""
        return super().works_on(day) and day not in self.days_off


class ServiceLevel(Record):
    """By when mail should be answered, in hours of the policy's working hours."""

    category: Category | None = None
    """What it is about; any when not given."""
    priority: Priority | None = None
    """How urgent it is; any when not given."""
    first_answer_hours: float | None = Field(default=None, gt=0, le=8760)
    """Hours from the first message of a conversation to our first reply; None sets no target."""
    resolution_hours: float | None = Field(default=None, gt=0, le=8760)
    """Hours for which a conversation may wait for us in all; None sets no target."""

    @model_validator(mode="after")
    def _sets_something(self) -> Self:
        if self.first_answer_hours is None and self.resolution_hours is None:
            raise ValueError("a service level needs 'first_answer_hours' or 'resolution_hours'")
        return self


class Caps(Record):
    """How much may leave by itself."""

    auto_sends_per_day: int = 50
    replies_per_thread: int = 10
    """Within 10 minutes."""
    replies_per_contact: int = 10
    """Within 180 minutes."""
    replies_overall: int = 30
    """To anybody, within 10 minutes."""


class Tracker(Record):
    """Where tickets are told outside: a signed webhook (Standard Webhooks 1.0.0)."""

    url: str
    """An https URL."""
    secret: str
    """Name of the key, a file in `secrets/endpoints/`, that signs what is sent."""


class AccountService(Record):
    """Who tells account records: a service that is asked with a signed request at each sync."""

    url: str
    """An https URL."""
    secret: str
    """Name of the key, a file in `secrets/endpoints/`, that signs the request."""


class ServiceParameter(Record):
    """One value that a call of a service takes."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")
    description: str = Field(min_length=1, max_length=500)
    required: bool = True


class HttpService(Record):
    """An HTTP service of the organization's, which agents may call as a tool."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")
    """The tool's name."""
    description: str = Field(min_length=1, max_length=1000)
    """What it does, in a sentence for people and for models."""
    url: str = Field(max_length=2000)
    """An https URL; `{name}` in its path is the place of that parameter."""
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    parameters: tuple[ServiceParameter, ...] = Field(default=(), max_length=20)
    """Those that are not in the path go into the query, or into a JSON body."""
    credential: str = ""
    """Name of the key, a file in `secrets/services/`, that is sent as a bearer token."""
    changes: bool = True
    """Whether a call changes something there; each then waits for a person's yes."""

    @property
    def in_path(self) -> tuple[str, ...]:
        """The names of the parameters in the path."""
        return tuple(
            parameter.name for parameter in self.parameters if f"{{{parameter.name}}}" in self.url
        )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """Refuse a place in the path that no parameter fills, and a read that is no GET."""
        left = self.url
        for parameter in self.parameters:
            left = left.replace(f"{{{parameter.name}}}", "")
        if "{" in left or "}" in left:
            raise ValueError(f"the URL of {self.name!r} has a place that no parameter fills")
        host = self.url.split("://", 1)[-1].split("/", 1)[0]
        if "{" in host or "{" in self.url.partition("?")[2]:
            raise ValueError(f"parameters of {self.name!r} can stand in the path alone")
        if any(not one.required and one.name in self.in_path for one in self.parameters):
            raise ValueError(f"what stands in the path of {self.name!r} is required")
        return self


class AgentTools(Record):
    """What the organization says of the tools that agents call; names of tools or of groups."""

    forbidden: tuple[str, ...] = ()
    """What no agent calls, whatever its manifest says."""
    ask_first: tuple[str, ...] = ()
    """What an agent calls with a person's yes alone."""


class Policy(Record):
    """What the organization allows; only a person loosens it."""

    version: int = 1
    mode: Mode = Mode.SHADOW
    confidence_threshold: float = Field(default=0.85, ge=0, le=1)
    """Draft quality from which a reply may leave by itself."""
    autonomy_rules: tuple[AutonomyRule, ...] = ()
    tone: str = ""
    greeting: dict[str, str] = Field(default_factory=dict)
    """First line by language, with `{name}`."""
    closing: dict[str, str] = Field(default_factory=dict)
    """Line before the signature, by language."""
    signature: dict[str, str] = Field(default_factory=dict)
    """Lines under the closing by language, with `{organization}`; else the organization's."""
    formality: Literal["", "formal", "informal"] = ""
    """How replies address people (Sie or du, vous or tu); empty: formally, and not looked at."""
    length: Literal["", "short"] = ""
    """Whether the embedded provider tells what was asked and no more, or what helps besides."""
    quote: Literal["last", "none"] = "last"
    """Whether a reply quotes the message that it answers."""
    reply_to_all: bool = False
    """Whether those in To and Cc of a message get a copy of its reply by default."""
    answer_parts: Literal["together", "when_ready"] = "together"
    """Whether a held part of a message holds the others, or they are answered without it."""
    promise_days: int = Field(default=3, ge=0, le=90)
    """Days after which a promise without a date is due."""
    disclosure: dict[str, str] = Field(default_factory=dict)
    """Sentence saying that a machine helped, by language; none when empty."""
    working_hours: WorkingHours | None = None
    service_levels: tuple[ServiceLevel, ...] = Field(default=(), max_length=50)
    """By when mail should be answered; the first level that fits a case counts."""
    allowed_links: tuple[str, ...] = ()
    """Hosts that a reply may link to."""
    escalation: dict[str, str] = Field(default_factory=dict)
    """Category, priority, topic or `default` to the address of a person."""
    topics: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Own topics of `escalation` by name, with the words and phrases of which one suffices."""
    owners: dict[str, str] = Field(default_factory=dict)
    """Category or `default` to the address of who is asked what the knowledge does not answer."""
    forwards: dict[str, str] = Field(default_factory=dict)
    """Category to the address that its mail is proposed to be passed on to."""
    tracker: Tracker | None = None
    """Outside tracker that is told of tickets; None tells nobody."""
    accounts: AccountService | None = None
    """Service that account records are fetched from; None fetches none."""
    caps: Caps = Caps()
    agent_tools: AgentTools = AgentTools()
    """What agents may not call, and what they may call with a person's yes alone."""
    services: tuple[HttpService, ...] = ()
    """HTTP services that agents may call as tools."""
    undo_seconds: int = Field(default=15, ge=0, le=120)
    planted_a_week: int = Field(default=0, ge=0, le=7)
    """Letters a week that are shown with a planted fault, to see whether they are read."""
    coalesce_seconds: float | None = Field(default=None, ge=0)
    """Quiet window of a burst; the setting's when not given."""
    block_attachments: tuple[str, ...] = ()
    """File endings that are quarantined, without dot."""
    prohibited: tuple[str, ...] = ()
    """Content categories that are quarantined; built-in ones, or own ones of `prohibited_terms`."""
    prohibited_terms: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Own categories by name, with the words and phrases of which one suffices."""
    flag_threshold: float = Field(default=0.35, ge=0, le=1)
    """Screening score from which a message is flagged."""
    quarantine_threshold: float = Field(default=0.75, ge=0, le=1)
    """Screening score from which a message is quarantined."""
