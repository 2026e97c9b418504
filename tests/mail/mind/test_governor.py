"""How much may leave by itself: every limit, at its edge, and what is counted for it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from data.records.core.organization import Caps
from data.records.core.parsed_mail import Automated, AutomatedKind, FailedRecipient
from data.records.core.screening import Screening, Verdict
from data.records.mail.stage_outputs import Screened
from data.store.core.database import Connection, Database
from data.store.core.statements import insert
from data.store.mail import governing
from data.store.mail.cases import CaseRow
from flows.mail.line.earlier_departures import EarlierDepartures
from tasks.mail.route.governor import (
    SentBefore,
    compute_usual_hour,
    count_automatic,
    explain_refusal,
)
from tests.copies import empty_state

NOW = datetime(2026, 3, 4, 11, 0, tzinfo=UTC)
ADA = "ada@quill.example"


def ago(**given: float) -> datetime:
    """Return a time before now."""
    return NOW - timedelta(**given)


@pytest.mark.parametrize(
    ("counted", "most", "said"),
    [
        ("in_thread", 10, "in this thread within 10 minutes"),
        ("to_contact", 10, "to this contact within 180 minutes"),
        ("overall", 30, "30 replies left within 10 minutes"),
        ("consecutive", 5, "in a row"),
        ("in_hour", 3, "to this contact within an hour"),
        ("in_day", 10, "to this contact within a day"),
        ("same_subject", 2, "under this subject within a day"),
        ("last_hour", 10, "something is different today"),
    ],
)
def test_each_limit_holds_at_its_number_and_not_before(counted: str, most: int, said: str) -> None:
    """One less than the limit lets a reply leave; the limit itself does not, and says which."""
    assert explain_refusal(SentBefore.model_validate({counted: most - 1}), Caps()) == ""
    assert said in explain_refusal(SentBefore.model_validate({counted: most}), Caps())


def test_an_address_that_bounced_gets_nothing() -> None:
    """A bounce of the last sixty days is enough, whatever else was counted."""
    assert "bounce" in explain_refusal(SentBefore(unreachable=True), Caps())


def test_the_first_three_limits_are_the_policys() -> None:
    """Caps of the policy take the place of the usual numbers."""
    caps = Caps(replies_per_thread=1, replies_per_contact=2, replies_overall=3)
    for counted, most in (("in_thread", 1), ("to_contact", 2), ("overall", 3)):
        assert explain_refusal(SentBefore.model_validate({counted: most}), caps)
        assert not explain_refusal(SentBefore.model_validate({counted: most - 1}), caps)


def test_three_times_what_is_usual_trips_the_breaker() -> None:
    """The median of the busy hours of a week decides; quiet hours and the last one do not."""
    assert compute_usual_hour({}) == 0
    usual = compute_usual_hour({0: 500, 3: 6, 30: 8, 31: 0, 100: 90})
    assert usual == 8
    assert explain_refusal(SentBefore(last_hour=23, usual_hour=usual), Caps()) == ""
    assert "where 8 are usual" in explain_refusal(
        SentBefore(last_hour=24, usual_hour=usual), Caps()
    )


def test_hours_days_and_subjects_are_counted_apart() -> None:
    """Within an hour, within a day, and under the same subject whatever prefixes it has."""
    sent = [
        ("Re: Looms", ago(minutes=59)),
        ("AW: Re: looms", ago(hours=2)),
        ("Invoice", ago(hours=23)),
        ("Looms", ago(hours=25)),
    ]
    assert count_automatic(sent, "Looms", NOW) == (1, 3, 2)


def test_what_leaves_in_one_batch_counts_for_the_rest_of_it() -> None:
    """Cases that are decided together cannot pass the limits together."""
    departures = EarlierDepartures(
        NOW, 0, 28, {1: 4}, {}, {}, {}, frozenset(), frozenset(), frozenset()
    )
    blank = CaseRow._make(None for _ in CaseRow._fields)
    case = blank._replace(id="c0", thread_id="t", contact_id="k", contact_email=ADA, subject="A")
    assert departures.count_sent(case, []) == SentBefore(overall=28, usual_hour=4)
    same = case._replace(id="c1", subject="Re: A")
    other = case._replace(id="c2", thread_id="u", contact_id="l", contact_email="b@c.example")
    counted = departures.count_sent(case, [same, other])
    assert counted == SentBefore(
        in_thread=1, to_contact=1, consecutive=1, overall=30, in_hour=1, in_day=1,
        same_subject=1, last_hour=2, usual_hour=4,
    )  # fmt: skip
    assert explain_refusal(counted, Caps())


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Connection]:
    """Return an empty state."""
    database = Database(empty_state(tmp_path / "state.duckdb"), "organization")
    yield database.connection
    database.close()


def left(cursor: Connection, at: datetime, email: str = ADA, /, **given: object) -> None:
    """Put a reply that left into the outbox, with its case."""
    name = f"{email}-{at.isoformat()}-{given.get('state', '')}"
    case = {
        "id": f"case-{name}",
        "state": "approved",
        "contact_id": f"contact-{email}",
        "contact_email": email,
        "thread_id": "thread",
        "message_ids": [],
        "subject": "Looms",
    }
    insert(
        cursor,
        "cases",
        [case | dict.fromkeys(("received_at", "created_at", "due_at", "changed_at"), at)],
    )
    row: Mapping[str, Any] = {
        "id": f"d-{name}",
        "case_id": case["id"],
        "state": "sent",
        "mail_from": "desk@teasel.example",
        "rcpt_to": [email],
        "message_id": f"<{name}@teasel.example>",
        "subject": "Re: Looms",
        "body": "b",
        "sha256": "0",
        "due_at": at,
        "approval_id": f"a-{name}",
        "automatic": True,
        "created_at": at,
    }
    insert(cursor, "deliveries", [{**row, **given}])


def test_what_was_taken_back_counts_nowhere(state: Connection) -> None:
    """Counted is what left or will: by hour, in all, and to the contact; a person's only in all."""
    left(state, ago(minutes=5))
    left(state, ago(minutes=6), state="cancelled")
    left(state, ago(minutes=9), automatic=False)
    left(state, ago(minutes=61), "bea@quill.example")
    left(state, ago(days=6, hours=23.5))
    left(state, ago(days=8))
    assert governing.count_left_since(state, ago(minutes=10)) == 2
    assert governing.count_automatic_by_hour(state, ago(days=7), NOW) == {0: 1, 1: 1, 167: 1}
    found = governing.list_automatic_to(state, [ADA], ago(hours=24))
    assert [row.created_at for row in found] == [ago(minutes=5)]


def bounce(state: Connection, number: int, at: datetime, address: str, action: str) -> None:
    """Put a bounce into the state, as the screen has journalled it."""
    report = (FailedRecipient(address=address, action=action),)
    found = Automated(
        automated=True,
        kind=AutomatedKind.BOUNCE,
        report=report,
        delayed=action == "delayed",
    )
    screening = Screening(verdict=Verdict.CLEAN, score=0.0)
    said = Screened(automated=found, screening=screening).model_dump_json()
    message = dict.fromkeys(("mode", "envelope", "content_key", "mail_from", "raw_sha256"), "")
    times = {"received_at": at, "due_at": at}
    more = {"status": "stored", "channel": "smtp", "rcpt_to": [], "size_bytes": 1}
    insert(
        state,
        "messages",
        [{**message, **times, **more, "id": f"m{number}", "automated_kind": "bounce"}],
    )
    step = {"item_id": f"m{number}", "stage": "screen", "attempt": 1, "status": "done"}
    insert(state, "steps", [{**step, "output": said, "started_at": at}])


def test_a_bounce_counts_for_sixty_days_unless_it_only_says_later(state: Connection) -> None:
    """The failed address is unreachable; a delay, another address, and an old bounce are not."""
    bounce(state, 1, ago(days=59), ADA.upper(), "failed")
    bounce(state, 2, ago(days=1), "bea@quill.example", "delayed")
    bounce(state, 3, ago(days=61), "cleo@quill.example", "failed")
    wanted = [ADA, "bea@quill.example", "cleo@quill.example", "da@quill.example"]
    assert governing.list_unreachable(state, wanted, ago(days=60)) == {ADA}
