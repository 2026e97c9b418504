"""What a report says of a small state whose every figure is known."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from data.records.core.organization import WorkingHours
from data.records.mail.overview_views import Count
from data.records.mail.report_views import DecisionFigures, DurationFigures, Report
from data.report_figures import report
from data.report_frames import ReportScope
from data.store.core.database import Connection, Database
from data.store.core.statements import insert
from flows.api.mail.reports import _tables

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
WEEK = ReportScope(
    since=datetime(2026, 3, 2, tzinfo=UTC),
    until=datetime(2026, 3, 9, tzinfo=UTC),
    now=datetime(2026, 3, 20, tzinfo=UTC),
    timezone="UTC",
)


def after(hours: float) -> datetime:
    """Return a time after Monday, nine o'clock."""
    return MONDAY + timedelta(hours=hours)


def message(id: str, hours: float, case: str | None, **more: object) -> dict[str, Any]:
    """Return a message's row."""
    return {
        "id": id, "status": "sent", "mode": "agent", "channel": "smtp", "mail_from": "m@x.example",
        "rcpt_to": [], "received_at": after(hours), "envelope": "{}", "content_key": id,
        "raw_sha256": id, "size_bytes": 1, "due_at": MONDAY, "case_id": case, "verdict": "clean",
    } | more  # fmt: skip


def case(id: str, state: str, category: str, thread: str, **more: object) -> dict[str, Any]:
    """Return a case's row."""
    return {
        "id": id, "state": state, "contact_id": "p", "contact_email": "m@x.example",
        "thread_id": thread, "message_ids": [f"m-{id}"], "subject": "", "received_at": MONDAY,
        "created_at": MONDAY, "due_at": MONDAY, "changed_at": MONDAY, "category": category,
    } | more  # fmt: skip


def review(case: str, who: str, action: str, hours: float, **more: object) -> dict[str, Any]:
    """Return a decision's row."""
    return {
        "id": f"{case}-{action}-{hours}", "case_id": case, "reviewer": who, "action": action,
        "decided_at": after(hours),
    } | more  # fmt: skip


def sent(case: str, hours: float, **more: object) -> dict[str, Any]:
    """Return a reply's row."""
    return {
        "id": f"d-{case}", "case_id": case, "state": "sent", "mail_from": "", "rcpt_to": [],
        "message_id": case, "subject": "", "body": "", "sha256": "", "due_at": MONDAY,
        "created_at": MONDAY, "sent_at": after(hours),
    } | more  # fmt: skip


def draft(case: str, unanswered: str, count: int) -> dict[str, Any]:
    """Return a first draft's row."""
    return {
        "case_id": case, "revision": 0, "draft": f'{{"unanswered": {unanswered}}}',
        "author": "local", "created_at": after(1), "unanswered": count,
    }  # fmt: skip


ROWS: dict[str, list[dict[str, Any]]] = {
    "messages": [
        message("m1", 0, "c1"), message("m2", 1, "c1"),  # a burst: the first message counts
        message("m3", 24, "c2"), message("m4", 25, "c3"), message("m5", 26, "c4"),
        message("m6", 30, None, verdict="quarantine", status="rejected"),
        message("m7", 31, "c5", verdict="quarantine", released_by="ida"),
        message("m8", 31, None, duplicate_of="m7"),  # nobody wrote it twice
        message("m9", -200, "c6"),  # before the range, and still waiting
    ],
    "cases": [
        case("c1", "sent", "sales", "t1"), case("c2", "sent", "sales", "t1"),
        case("c3", "sent", "billing", "t2"), case("c4", "archived", "billing", "t3"),
        case("c5", "in_review", "support", "t4"), case("c6", "escalated", "support", "t5"),
        case("c7", "superseded", "sales", "t1"),
    ],
    "threads": [
        {"id": id, "subject": "", "normalized_subject": "", "contact_id": "p",
         "contact_email": "", "participants": [], "status": status, "last_message_at": MONDAY}
        for id, status in (("t1", "resolved"), ("t2", "open"), ("t3", "archived"))
    ],
    "events": [
        {"item_kind": "case", "item_id": id, "state": state, "actor": "x", "occurred_at": after(at)}
        for id, state, at in
        (("c1", "sent", 4), ("c2", "sent", 30), ("c3", "sent", 27), ("c4", "archived", 50))
    ],
    "deliveries": [
        sent("c1", 4), sent("c2", 30), sent("c3", 27, automatic=True),
        sent("c6", 9, state="cancelled"), sent("c4", 9, purpose="forward"),
    ],
    "reviews": [
        review("c1", "Ida", "reject", 2, reason="tone", would_auto_send=True),
        review("c1", "Ida", "approve", 3, would_auto_send=False),
        review("c2", "Bo", "approve", 28, edit_distance=0.0),  # taken back, then changed
        review("c2", "Bo", "edit_and_approve", 29, edit_distance=0.2, would_auto_send=True),
        review("c4", "Bo", "archive", 50, would_auto_send=True),
        review("c5", "Bo", "approve", 40),  # taken back since: the case waits again
    ],
    "drafts": [
        draft("c1", "[]", 0), draft("c2", '["Do you ship?", "In red?"]', 2),
        draft("c5", '["How old are you?"]', 1),
    ],
    "owner_questions": [
        {"id": "q", "state": "open", "case_id": "c5", "branch_id": "", "thread_id": "",
         "contact_email": "", "owner": "", "question": "", "language": "en",
         "asked_at": after(32), "remind_at": MONDAY, "due_at": MONDAY}
    ],
    "security_flags": [
        {"message_id": "m6", "injection_detected": True, "injection_type": "persona",
         "confidence": 1, "scan_timestamp": after(30)},
        {"message_id": "m7", "injection_detected": False, "reason": "phishing", "confidence": 1,
         "scan_timestamp": after(31)},
    ],
    "model_calls": [
        {"id": id, "agent": agent, "provider": "x", "model": model, "tier": "normal",
         "started_at": after(at), "outcome": "answered", "tokens_in": 100, "tokens_out": 20,
         "cost": cost, "priced": priced}
        for id, agent, model, at, cost, priced in (
            ("1", "drafter", "large", 1, 0.5, True), ("2", "rolodex", "small", 30, 0.25, True),
            ("3", "rolodex", "small", 30.1, 0, False), ("4", "drafter", "large", 900, 7, True),
        )
    ],
}  # fmt: skip


def fill(cursor: Connection) -> None:
    """Write the rows."""
    for table, made in ROWS.items():
        for row in made:
            insert(cursor, table, [row])


@pytest.fixture(scope="module")
def state() -> Database:
    """Return the state."""
    db = Database.in_memory("organization")
    asyncio.run(db.write(fill))
    return db


def make_report(state: Database, person: str | None = None, **asked: Any) -> Report:  # noqa: ANN401
    """Return a report of the week, or of what is asked for."""
    wanted = WEEK._replace(**asked)
    return report(*_halves(state, wanted, person))


def _halves(state: Database, wanted: ReportScope, person: str | None) -> tuple[Any, ...]:
    tables, examples = state.read_apart(_tables, wanted)
    return tables, wanted, person, examples


def test_what_came_in_and_how_long_an_answer_took(state: Database) -> None:
    """Bursts count from their first message; a conversation has one first answer."""
    whole = make_report(state)
    assert (whole.received, whole.answered, whole.by_itself) == (7, 3, 1)
    # t1: four hours from m1 to the reply of c1; t2: two hours. c2 is a second answer of t1.
    assert whole.first_answer == DurationFigures(count=2, median=3 * 3600, p90=13680)
    assert whole.resolution == DurationFigures(count=1, median=30 * 3600, p90=30 * 3600)


def test_times_are_counted_in_working_hours(state: Database) -> None:
    """From nine on Monday to three on Tuesday are eight hours and six of work, not thirty."""
    hours = WorkingHours(start="09:00", end="17:00")
    assert make_report(state, hours=hours).resolution.median == 14 * 3600


def test_decisions_count_as_they_stand(state: Database) -> None:
    """Of several approvals the last one, of one that was taken back none; every rejection."""
    whole = make_report(state)
    assert whole.judged == DecisionFigures(unchanged=1, edited=1, rejected=1, closed=1)
    assert whole.reasons == (Count(name="tone", value=1),)
    assert (whole.edits.median, whole.edits.p90) == (0.2, 0.2)
    assert [(one.name, one.value) for one in whole.edits.by_share] == [
        ("5", 0), ("20", 1), ("50", 0), ("100", 0),
    ]  # fmt: skip


def test_what_would_have_left_alone_is_judged_by_the_first_decision(state: Database) -> None:
    """A draft that was rejected and then approved was not agreed with."""
    whole = make_report(state)
    assert (whole.would_send, whole.alone) == (3, DecisionFigures(edited=1, rejected=1, closed=1))
    assert whole.alone.unchanged_share == 0
    assert (
        make_report(
            state, until=WEEK.since, since=WEEK.since - timedelta(days=3)
        ).alone.unchanged_share
        is None
    )


def test_what_waits_is_told_by_day_and_age(state: Database) -> None:
    """Begun by then and not over; what was closed since waited then."""
    whole = make_report(state)
    assert [one.waiting for one in whole.periods] == [1, 3, 2, 2, 2, 2, 2]
    assert whole.backlog.waiting == 2
    assert {one.name: one.value for one in whole.backlog.by_age} == {
        "1": 0, "3": 0, "7": 1, "30": 1, "more": 0,
    }  # fmt: skip
    assert whole.backlog.oldest_at == after(-200)


def test_days_and_weeks_hold_what_fell_into_them(state: Database) -> None:
    """Quiet days too; a week begins on Monday, where the organization is."""
    monday, tuesday, *rest = make_report(state).periods
    assert (monday.begins, monday.received, monday.answered) == (date(2026, 3, 2), 2, 1)
    assert (tuesday.received, tuesday.stopped, tuesday.answered, tuesday.by_itself) == (5, 2, 2, 1)
    assert (monday.cost, tuesday.cost) == (0.5, 0.25)
    assert monday.first_answer == 4 * 3600
    assert {one.received for one in rest} == {0}
    (week,) = make_report(state, by="week").periods
    assert (week.begins, week.received, week.answered, week.waiting) == (date(2026, 3, 2), 7, 3, 2)
    weeks = make_report(state, by="week", since=WEEK.since - timedelta(days=9)).periods
    assert [one.begins for one in weeks] == [date(2026, 2, 16), date(2026, 2, 23), week.begins]
    assert [one.received for one in weeks] == [1, 0, 7]
    far = make_report(state, timezone="Pacific/Kiritimati")
    assert [one.received for one in far.periods[:2]] == [1, 2]  # midnight there is 10:00 UTC
    assert sum(one.received for one in far.periods) == 7


def test_categories_and_people_are_told_apart(state: Database) -> None:
    """What was about what, and who decided; a reply without approval is nobody's."""
    whole = make_report(state)
    sales, billing = whole.categories[:2]
    assert (billing.category, billing.received, billing.answered) == ("billing", 2, 1)
    assert (sales.category, sales.judged) == (
        "sales",
        DecisionFigures(unchanged=1, edited=1, rejected=1),
    )
    assert sales.first_answer.count == 1
    assert {one.person: (one.answered, one.judged.closed) for one in whole.people} == {
        "Ida": (1, 0), "Bo": (1, 1),
    }  # fmt: skip
    assert whole.deciders == ("Bo", "Ida")
    own = make_report(state, person="Bo")
    assert ([one.person for one in own.people], own.deciders) == (["Bo"], ("Bo",))


def test_a_report_is_narrowed_to_a_category_or_a_person(state: Database) -> None:
    """A person's filter leaves what came in; a category's does not."""
    sales = make_report(state, category="sales")
    assert (sales.received, sales.answered, sales.backlog.waiting) == (3, 2, 0)
    bo = report(*_halves(state, WEEK._replace(person="Bo"), None))
    assert (bo.received, bo.answered, bo.judged) == (7, 1, DecisionFigures(edited=1, closed=1))
    assert bo.first_answer.count == 0


def test_topics_attacks_and_costs(state: Database) -> None:
    """Open questions in the sender's words; kinds of attack; agents and models by cost."""
    whole = make_report(state)
    sales, support = whole.topics
    assert (sales.category, sales.questions, sales.cases, sales.owners) == ("sales", 2, 1, 0)
    assert sales.examples == ("Do you ship?", "In red?")
    assert (support.questions, support.owners) == (1, 1)
    stopped = whole.stopped
    assert (stopped.stopped, stopped.confirmed, stopped.released) == (2, 1, 1)
    assert {one.name for one in stopped.by_kind} == {"persona", "phishing"}
    assert (whole.cost, whole.unpriced) == (0.75, 1)
    assert [(one.name, one.calls, one.tokens, one.cost) for one in whole.agents] == [
        ("drafter", 1, 120, 0.5), ("rolodex", 2, 240, 0.25),
    ]  # fmt: skip
    assert [(one.begins.day, one.agent) for one in whole.costs] == [(2, "drafter"), (3, "rolodex")]


def test_an_empty_state_has_a_report() -> None:
    """Nothing is nothing, and no error."""
    whole = make_report(Database.in_memory("organization"), hours=WorkingHours())
    assert (whole.received, whole.first_answer.median, whole.backlog.oldest_at) == (0, None, None)
    assert len(whole.periods) == 7
