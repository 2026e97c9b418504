"""A tool over the case that a chat is about: what it is, who wrote, what is drafted and open."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pydantic import Field

from data.errors import NotFoundError
from data.records.core.accounts import CustomerFacts
from data.records.core.knowledge import HistoryEntry
from data.records.core.record import Record
from data.records.core.tools import (
    OF_STRANGERS,
    Fact,
    Item,
    Source,
    ToolResult,
    declare_lookup,
)
from data.records.mail.drafting import Checked, Disposition, Draft
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import cases, contact_cards, customers, promises, threads
from data.store.mail.cases import CaseRow, DraftRow
from data.store.mail.contact_cards import CardRow
from data.store.mail.promises import PromiseRow
from flows.core.tools import Calling, Tool
from flows.mail.line.case_texts import as_history_entry
from flows.mail.tools.contacts import card_item
from flows.mail.tools.queue import case_item
from flows.mail.tools.wording import say, say_count, subject_words, word
from tasks.core.wording import day_words
from tasks.core.words.sentences import single_spaced

_MESSAGES, _PROMISES = 8, 10
_EXCERPT, _TEXT = 200, 1200
"""Characters of one message as a person is told it, and as a model is."""
_STATES = {
    "running": "in work",
    "in_review": "waiting for a person",
    "escalated": "handed over",
    "sent": "answered",
    "archived": "closed without a reply",
}
"""What a state is called where its name does not say it."""


class CasePart(StrEnum):
    """What is asked of the case."""

    ALL = "all"  #: everything, for whoever thinks about it
    SUMMARY = "summary"  #: what it is, and what was written
    SENDER = "sender"  #: who wrote
    DRAFT = "draft"  #: the reply as it is drafted
    OPEN = "open"  #: what the draft leaves open
    PROMISES = "promises"  #: what we promised its contact and have not kept yet


class AboutCase(Record):
    """A part of what is known of the case."""

    part: CasePart = Field(
        default=CasePart.ALL,
        description="`all`, `summary`, `sender`, `draft`, `open` points of the draft, `promises`",
    )


class _Known(NamedTuple):
    """What is known of a case."""

    row: CaseRow
    route: str | None
    said: list[HistoryEntry]
    """What was written in its conversation, oldest first."""
    draft: DraftRow | None
    card: CardRow | None
    customer: CustomerFacts
    promised: list[PromiseRow]
    promised_in_all: int


async def _this_case(calling: Calling, about_case: AboutCase) -> ToolResult:
    case_id = calling.occasion.about_a("case") if calling.occasion is not None else ""
    now = calling.house.clock()
    try:
        case_known = await calling.workspace.db.read(_read_case, calling, case_id, now)
    except NotFoundError:
        return ToolResult(sentence=say(calling, "case_gone"), refused=True)
    return _TELLING[about_case.part](calling, case_known, now)


def _read_case(cursor: Connection, calling: Calling, case_id: str, now: datetime) -> _Known:
    row = cases.read_newest(cursor, case_id)
    entries_said = threads.list_earlier(cursor, [row.thread_id], [], 0)
    drafts = cases.list_drafts(cursor, row.id)
    today = calling.workspace.organization.day(now)
    promised, promised_in_all = promises.list_unkept(
        cursor, row.contact_email, today=today, limit=_PROMISES
    )
    return _Known(
        row=row,
        route=journal.read_results(cursor, "route", [row.id]).get(row.id),
        said=[as_history_entry(entry) for entry in reversed(entries_said)],
        draft=drafts[-1] if drafts else None,
        card=contact_cards.find_by_address(cursor, row.contact_email),
        customer=customers.read_facts(cursor, [row.contact_email]).get(
            row.contact_email, CustomerFacts()
        ),
        promised=promised,
        promised_in_all=promised_in_all,
    )


def _summary(calling: Calling, about_case: _Known, now: datetime) -> ToolResult:
    shown = about_case.said[-_MESSAGES:]
    items = (
        _case(calling, about_case, now),
        *(_message(calling, entry, _EXCERPT) for entry in shown),
    )
    sentence = say_count(calling, "case_said", len(about_case.said))
    return ToolResult(items=items, total=1 + len(about_case.said), sentence=sentence)


def _case(calling: Calling, about_case: _Known, now: datetime) -> Item:
    """Return the case itself, with the state that it is in."""
    item = case_item(calling, about_case.row, about_case.route, now)
    waits = about_case.row.state in cases.QUEUE_STATES
    facts = [fact for fact in item.facts if waits or fact.name not in ("waits for", "why a person")]
    state = Fact(name="state", value=_STATES.get(about_case.row.state, about_case.row.state))
    return item.model_copy(update={"facts": (facts[0], state, *facts[1:]), "text": ""})


def _message(calling: Calling, entry: HistoryEntry, longest: int) -> Item:
    """Return what somebody wrote: its first words, who, and on which day."""
    day = day_words(calling.workspace.organization.day(entry.at), calling.language)
    who = word(calling, "us") if entry.outbound else entry.contact
    words = single_spaced(entry.text)
    cut = words if len(words) <= longest else f"{words[:longest].rstrip()} …"
    kind, _, id = entry.ref.partition(":")
    title = subject_words(calling, entry.subject)
    return Item(
        title=cut or title,
        facts=(Fact(name="from", value=who), Fact(name="on", value=day)),
        source=Source(kind=kind, id=id, title=title) if kind == "message" else None,
    )


def _sender(calling: Calling, about_case: _Known, _now: datetime) -> ToolResult:
    if about_case.card is None:
        who = about_case.row.contact_name or about_case.row.contact_email
        return ToolResult(sentence=say(calling, "case_sender_unknown", who=who))
    item = card_item(about_case.card, about_case.customer).model_copy(
        update={"source": _source(calling, about_case)}
    )
    return ToolResult(items=(item,), total=1, sentence=say(calling, "case_sender"))


def _draft(calling: Calling, about_case: _Known, _now: datetime) -> ToolResult:
    subject, source = subject_words(calling, about_case.row.subject), _source(calling, about_case)
    if about_case.draft is None:
        item = Item(title=subject, source=source)
        return ToolResult(items=(item,), total=1, sentence=say(calling, "draft_missing"))
    body = Draft.model_validate_json(about_case.draft.draft).body
    item = Item(title=subject, text=body, source=source)
    sent = about_case.row.state in ("approved", "sent")
    key = "case_draft_gone" if sent else "draft_there"
    return ToolResult(items=(item,), total=1, sentence=say(calling, key, total=1))


def _open(calling: Calling, about_case: _Known, _now: datetime) -> ToolResult:
    if about_case.draft is None:
        item = Item(
            title=subject_words(calling, about_case.row.subject),
            source=_source(calling, about_case),
        )
        return ToolResult(items=(item,), total=1, sentence=say(calling, "draft_missing"))
    points = _open_points(about_case.draft)
    source = _source(calling, about_case)
    items = tuple(Item(title=point, source=source) for point in points)
    return ToolResult(
        items=items, total=len(items), sentence=say_count(calling, "case_open", len(items))
    )


def _open_points(row: DraftRow) -> tuple[str, ...]:
    """Return what the sender wrote that the draft deals with in no way, each once, in order."""
    draft = Draft.model_validate_json(row.draft)
    checked = Checked.model_validate_json(row.checked) if row.checked else Checked()
    asked = [
        account.text for account in checked.accounts if account.disposition is Disposition.OPEN
    ]
    points = (single_spaced(point) for point in (*draft.unanswered, *asked))
    return tuple(dict.fromkeys(point for point in points if point))


def _promises(calling: Calling, about_case: _Known, _now: datetime) -> ToolResult:
    items = tuple(
        Item(
            title=row.sentence,
            facts=(
                Fact(name="due", value=row.due_on.isoformat()),
                Fact(name="state", value=row.state),
            ),
            source=Source(kind="case", id=row.case_id, title=row.sentence, quote=row.sentence),
        )
        for row in about_case.promised
    )
    sentence = say_count(calling, "case_promises", about_case.promised_in_all)
    return ToolResult(items=items, total=about_case.promised_in_all, sentence=sentence)


def _all(calling: Calling, about_case: _Known, now: datetime) -> ToolResult:
    """Return everything at once, in the order in which it tells most."""
    messages_said = [_message(calling, entry, _TEXT) for entry in about_case.said[-_MESSAGES:]]
    drafted = _draft(calling, about_case, now).items if about_case.draft is not None else ()
    drafts = [
        draft_item.model_copy(update={"title": "The draft of our reply"}) for draft_item in drafted
    ]
    points = _open_points(about_case.draft) if about_case.draft is not None else ()
    still_open = [Item(title=f"The draft leaves open: {point}") for point in points]
    promised = [
        item.model_copy(update={"title": f"We promised: {item.title}"})
        for item in _promises(calling, about_case, now).items
    ]
    items = (_case(calling, about_case, now), *still_open, *promised, *messages_said, *drafts)
    return ToolResult(items=items, total=len(items))


def _source(calling: Calling, about_case: _Known) -> Source:
    return Source(
        kind="case", id=about_case.row.id, title=subject_words(calling, about_case.row.subject)
    )


_TELLING = {
    CasePart.ALL: _all,
    CasePart.SUMMARY: _summary,
    CasePart.SENDER: _sender,
    CasePart.DRAFT: _draft,
    CasePart.OPEN: _open,
    CasePart.PROMISES: _promises,
}
CASE_TOOLS = (
    Tool(
        declare_lookup(
            "this_case",
            "queue",
            "Tells of the case that this chat is about: its mail, sender, draft and promises.",
            OF_STRANGERS,
            about="case",
        ),
        AboutCase,
        _this_case,
    ),
)
