"""Tools over the review queue: what waits for a person, how much, and since when."""

from datetime import datetime, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from pydantic import Field, model_validator

from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    Fact,
    Item,
    NoArguments,
    Source,
    ToolResult,
    declare_lookup,
)
from data.records.mail.drafting import Draft
from data.records.mail.stage_outputs import Routed
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import case_queue, cases, contact_cards, messages
from data.store.mail.cases import CaseRow
from data.store.mail.contact_cards import CardRow
from flows.core.tools import Calling, Tool
from flows.mail.knowing.mail_search import search
from flows.mail.people.annotating import list_colleagues
from flows.mail.tools.contacts import WhichContact, cards_called
from flows.mail.tools.durations import lasting
from flows.mail.tools.wording import say, say_count, say_period, subject_words, why_words, word
from tasks.core.calendar.periods import Period, period_in
from tasks.core.words.mentions import Colleague
from tasks.core.words.sentences import words

GROUP = "queue"
_SHOWN = 10
_CONTACTS = 5
_NEWEST = 5
_COMPLAINT = "complaint"
_FILTERS = {
    "category": "category", "priority": "priority", "assignee": "assignee",
    "written_in": "language",
}  # fmt: skip
"""Columns of cases by the field of a question that names their value."""
_ONESELF = frozenset({"me", "myself", "mir", "mich", "moi", "mi", "conmigo", "i", "ich", "je"})
"""Folded words for who asks."""


class WaitingQuery(Record):
    """Which waiting cases are asked for; what is empty leaves the choice open."""

    priority: str = Field(default="", description="`urgent`, `high`, `normal` or `low`")
    category: str = ""
    assignee: str = Field(default="", description="address of a person")
    written_in: str = Field(default="", max_length=10, description="its language, e.g. `fr`")
    words: str = Field(default="", max_length=500, description="words of the mail or its sender")


class AboutWhat(Record):
    """Words of mail, its category or language, or the colleague whom it lies with."""

    words: str = Field(default="", max_length=500)
    category: str = Field(default="", max_length=100, description="e.g. `complaint`")
    written_in: str = Field(default="", max_length=10, description="its language, e.g. `fr`")
    lies_with: str = Field(default="", max_length=300, description="name of a colleague, or `me`")
    when: str = Field(default="", max_length=100, description="when it came, e.g. `yesterday`")
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        asked = (self.words, self.category, self.written_in, self.lies_with, self.when)
        if not any(each.strip() for each in asked):
            raise ValueError("name words of the mail, its category, whose it is, or when it came")
        return self


class WhoseCases(WhichContact):
    """A contact, and when what they wrote came."""

    when: str = Field(default="", max_length=100, description="e.g. `today`; empty for all days")
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


async def _waiting_cases(calling: Calling, waiting_query: WaitingQuery) -> ToolResult:
    asked = await search(calling.house, calling.workspace, waiting_query.words)

    def read(cursor: Connection) -> tuple[list[CaseRow], int, dict[str, str]]:
        filters = {column: getattr(waiting_query, name) for name, column in _FILTERS.items()}
        page, total = case_queue.list_page(
            cursor,
            states=cases.QUEUE_STATES,
            filters=filters,
            search=asked.query,
            with_words=asked.ids,
            limit=_SHOWN,
            offset=0,
        )
        return page, total, journal.read_results(cursor, "route", [row.id for row in page])

    page, total, routes = await calling.workspace.db.read(read)
    now = calling.house.clock()
    return ToolResult(items=_items(calling, page, routes, now), total=total)


def _items(
    calling: Calling, page: list[CaseRow], routes: dict[str, str], now: datetime
) -> tuple[Item, ...]:
    return tuple(case_item(calling, row, routes.get(row.id), now) for row in page)


def case_item(calling: Calling, row: CaseRow, route: str | None, now: datetime) -> Item:
    """Return one waiting case; the words of the mail are a stranger's."""
    title = subject_words(calling, row.subject)
    sender = row.contact_name or row.contact_email
    since = row.drafted_at or row.created_at
    facts = [
        Fact(name="from", value=sender),
        Fact(name="waits for", value=lasting(now - since)),
        Fact(name="priority", value=row.priority or ""),
        Fact(name="category", value=row.category or ""),
        Fact(name="with", value=row.assignee or ""),
        Fact(name="why a person", value=_explain_wait(calling, row, route)),
    ]
    return Item(
        title=title,
        facts=tuple(fact for fact in facts if fact.value),
        text=row.preview,
        source=Source(kind="case", id=row.id, title=title),
    )


def _explain_wait(calling: Calling, row: CaseRow, route: str | None) -> str:
    """Return why a case waits for a person, as the queue's page says it; empty before it does."""
    if route is None:
        return ""
    return why_words(calling, Routed.model_validate_json(route), row.quality)


async def _cases_of(calling: Calling, order: WhoseCases) -> ToolResult:
    organization = calling.workspace.organization
    period = period_in(order.when, order.language, organization.day(calling.house.clock()))
    if order.when and period is None:
        return ToolResult(sentence=say(calling, "time_unread"), refused=True)
    came = period.moments(ZoneInfo(organization.timezone)) if period is not None else None

    def read(
        cursor: Connection,
    ) -> tuple[list[CardRow], bool, list[CaseRow], int, dict[str, str]]:
        cards = cards_called(cursor, order.name, limit=_CONTACTS)
        near = [] if cards else contact_cards.list_alike(cursor, words(order.name), limit=_CONTACTS)
        page, total = contact_cards.list_waiting_cases(
            cursor, [*cards, *near], limit=_SHOWN, came=came
        )
        routes = journal.read_results(cursor, "route", [row.id for row in page])
        return [*cards, *near], bool(near), page, total, routes

    cards, near, page, total, routes = await calling.workspace.db.read(read)
    if not total:
        if near or not cards:
            return ToolResult(sentence=say(calling, "contacts_none"), refused=True)
        return ToolResult(sentence=_whose_words(calling, 0, period), refused=True)
    sentence = _whose_words(calling, total, period)
    if near:
        names = ", ".join(card.name or card.email for card in cards)
        sentence = f"{say(calling, 'name_alike', names=names)} {sentence}"
    return ToolResult(
        items=_items(calling, page, routes, calling.house.clock()),
        total=total,
        sentence=sentence,
    )


def _whose_words(calling: Calling, total: int, period: Period | None) -> str:
    """Return how many cases of somebody wait, of those that came on some days where it is asked."""
    if period is None:
        return say_count(calling, "cases_of", total)
    number = "none" if not total else "one" if total == 1 else "many"
    return say(calling, f"cases_of_days_{number}", days=say_period(calling, period), total=total)


async def _cases_about(calling: Calling, about_what: AboutWhat) -> ToolResult:
    today = calling.workspace.organization.day(calling.house.clock())
    period = period_in(about_what.when, about_what.language, today)
    if about_what.when and period is None:
        return ToolResult(sentence=say(calling, "time_unread"), refused=True)
    colleagues = await _colleagues_called(calling, about_what.lies_with)
    if about_what.lies_with and len(colleagues) != 1:
        names = ", ".join(colleague.name or colleague.email for colleague in colleagues)
        key = "colleagues_several" if names else "colleague_none"
        called = say(calling, key, name=about_what.lies_with, names=names)
        return ToolResult(sentence=called, refused=True)
    query = WaitingQuery(
        words=f"{about_what.words} {_came(period)}".strip(),
        category=about_what.category,
        written_in=about_what.written_in,
        assignee=colleagues[0].email if colleagues else "",
    )
    nobody = bool(colleagues) and not query.assignee  # who asks has no address to give cases to
    result = ToolResult() if nobody else await _waiting_cases(calling, query)
    if colleagues:
        name = colleagues[0].name or colleagues[0].email
        sentence = say_count(calling, "cases_with", result.total, name=name)
    elif about_what.written_in:
        sentence = say_count(calling, "cases_written", result.total)
    else:
        key = "complaints" if about_what.category == _COMPLAINT else "cases_about"
        sentence = say_count(calling, key, result.total)
    if period is not None and not about_what.category:
        days = say_period(calling, period)
        number = "none" if not result.total else "one" if result.total == 1 else "many"
        sentence = say(calling, f"came_in_{number}", days=days, total=result.total)
    if not result.total:
        return ToolResult(sentence=sentence, refused=True)
    return result.model_copy(update={"sentence": sentence})


async def _colleagues_called(calling: Calling, name: str) -> list[Colleague]:
    """Return whom a name means of those who work here, or whom cases lie with; all it may mean."""
    name_words = frozenset(words(name))
    if not name_words:
        return []
    if name_words <= _ONESELF:
        asker = calling.principal
        return [Colleague(asker.id, asker.name, asker.email)]
    people = await calling.house.control.read(list_colleagues, calling.workspace.slug)
    addresses = {person.email for person in people}
    others = await calling.workspace.db.read(case_queue.list_assignees, cases.QUEUE_STATES)
    everybody = [
        *(person for person in people if person.email),
        *(Colleague(email, "", email) for email in others if email not in addresses),
    ]
    if "@" in name:
        return [each for each in everybody if each.email.lower() == name.strip().lower()]
    return [each for each in everybody if name_words <= _words_of(each)]


def _words_of(colleague: Colleague) -> frozenset[str]:
    """Return the words that a colleague is called by: of the name, and of the address."""
    account = colleague.email.partition("@")[0]
    parts = account.replace(".", " ").replace("_", " ").replace("-", " ")
    return frozenset(words(f"{colleague.name} {parts}"))


async def _newest_mail(calling: Calling, _: NoArguments) -> ToolResult:
    """Tell who wrote last, and what else came just before."""
    newest = await calling.workspace.db.read(messages.list_newest_of_people, _NEWEST)
    if not newest:
        return ToolResult(sentence=say(calling, "newest_none"), refused=True)
    now, zone = calling.house.clock(), ZoneInfo(calling.workspace.organization.timezone)
    items = tuple(
        Item(
            title=subject_words(calling, row.subject),
            facts=(
                Fact(name="from", value=row.sender_name or row.sender_email),
                Fact(name="", value=f"{row.received_at.astimezone(zone):%Y-%m-%d %H:%M}"),
            ),
            source=Source(kind="message", id=row.id, title=subject_words(calling, row.subject)),
        )
        for row in newest
    )
    who = newest[0].sender_name or newest[0].sender_email
    passed = word(calling, lasting(now - newest[0].received_at))
    return ToolResult(
        items=items, total=len(items), sentence=say(calling, "newest", who=who, passed=passed)
    )


def _came(period: Period | None) -> str:
    """Return the conditions of a search for what came on some days; nothing for all days."""
    if period is None:
        return ""
    return f"after:{period.first} before:{period.last + timedelta(days=1)}"


async def _draft_reply(calling: Calling, order: WhichContact) -> ToolResult:
    """Show the draft of a contact's case; it leaves only when a person approves it."""

    def read(cursor: Connection) -> tuple[list[CaseRow], int, str | None]:
        cards = cards_called(cursor, order.name, limit=_CONTACTS)
        page, total = contact_cards.list_waiting_cases(cursor, cards, limit=_SHOWN)
        return page, total, contact_cards.find_newest_draft(cursor, page[0].id) if page else None

    page, total, draft = await calling.workspace.db.read(read)
    if not page:
        return ToolResult(sentence=say(calling, "draft_none"), refused=True)
    case = page[0]
    subject = subject_words(calling, case.subject)
    source = Source(kind="case", id=case.id, title=subject)
    if draft is None:
        return ToolResult(
            items=(Item(title=subject, source=source),),
            total=total,
            sentence=say(calling, "draft_missing"),
            refused=True,
        )
    body = Draft.model_validate_json(draft).body
    key = "draft_of_several" if total > 1 else "draft_there"
    return ToolResult(
        items=(Item(title=subject, text=body, source=source),),
        total=1,
        sentence=say(calling, key, total=total),
    )


QUEUE_TOOLS = (
    Tool(
        declare_lookup(
            "waiting_cases",
            GROUP,
            "Lists cases that wait for a person, urgent ones and the oldest first.",
            OF_STRANGERS,
        ),
        WaitingQuery,
        _waiting_cases,
    ),
    Tool(
        declare_lookup(
            "cases_of",
            GROUP,
            "Lists the cases of a contact that wait for a person, the oldest first.",
            OF_STRANGERS,
        ),
        WhoseCases,
        _cases_of,
    ),
    Tool(
        declare_lookup(
            "cases_about",
            GROUP,
            "Lists waiting cases whose mail holds words, is of a category or in a language, or "
            "that lie with a colleague, and who wrote them.",
            OF_STRANGERS,
        ),
        AboutWhat,
        _cases_about,
    ),
    Tool(
        declare_lookup(
            "newest_mail",
            GROUP,
            "Says who wrote last, with the newest mail of people.",
            OF_STRANGERS,
        ),
        NoArguments,
        _newest_mail,
    ),
    Tool(
        declare_lookup(
            "draft_reply",
            GROUP,
            "Shows the draft for a contact's case; it stays in the queue.",
            OF_STRANGERS,
        ),
        WhichContact,
        _draft_reply,
    ),
)
