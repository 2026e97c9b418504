"""Events that repeat: which rules are known, when they take place, and that none runs away."""

from datetime import UTC, datetime, timedelta
from itertools import product
from zoneinfo import ZoneInfo

import httpx
import pytest

from data.errors import UnfitError
from data.records.core.calendar import CalendarEvent
from tasks.core.calendar.recurrence import fit_rule, occurrences
from tests.agents.conftest import Office
from tests.counting import calls_of

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 3, 2, 9, tzinfo=BERLIN)


def _event(rule: str, begin: datetime = MONDAY, hours: float = 1) -> CalendarEvent:
    return CalendarEvent(
        id="1", uid="1", title="t", starts_at=begin, ends_at=begin + timedelta(hours=hours),
        repeats=fit_rule(rule, begin, BERLIN), repeats_in="Europe/Berlin", added_by="Ida",
        added_at=begin,
    )  # fmt: skip


def _days(event: CalendarEvent, first: datetime, days: int) -> list[str]:
    found = occurrences(event, first, first + timedelta(days=days))
    return [f"{one.starts_at.astimezone(BERLIN):%m-%d %H}" for one in found]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY;COUNT=3", ["03-02 09", "03-03 09", "03-04 09"]),
        ("FREQ=DAILY;INTERVAL=30", ["03-02 09", "04-01 09"]),
        ("FREQ=WEEKLY;INTERVAL=3", ["03-02 09", "03-23 09"]),
        ("FREQ=WEEKLY;UNTIL=20260316", ["03-02 09", "03-09 09", "03-16 09"]),
        ("FREQ=WEEKLY;UNTIL=20260316T075959Z", ["03-02 09", "03-09 09"]),
        ("FREQ=MONTHLY;BYDAY=1MO", ["03-02 09", "04-06 09"]),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", ["03-31 09"]),
        ("freq=yearly", ["03-02 09"]),
    ],
)
def test_a_rule_takes_place_when_rfc_5545_says(rule: str, expected: list[str]) -> None:
    """Over the night in which clocks change."""
    assert _days(_event(rule), MONDAY - timedelta(hours=9), 41) == expected


def test_what_began_years_ago_is_as_if_counted_from_there() -> None:
    """Every second week stays on its weeks, and what is at nine at nine."""
    ago = datetime(1999, 1, 4, 9, tzinfo=BERLIN)
    event = _event("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", ago)
    whole = [ago + timedelta(weeks=2 * number, days=day) for number in range(730) for day in (0, 4)]
    first = datetime(2026, 3, 1, tzinfo=BERLIN)
    expected = [
        f"{day:%m-%d} 09" for day in whole if timedelta() <= day - first < timedelta(days=60)
    ]
    assert len(expected) > 6
    assert _days(event, first, 60) == expected


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "hello",
        "FREQ=SECONDLY",
        "FREQ=DAILY;BYHOUR=9,10",
        "FREQ=DAILY;COUNT=5;UNTIL=20260401",
        "FREQ=DAILY;COUNT=1001",
        "FREQ=DAILY;COUNT=-1",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=100000",
        "FREQ=DAILY;FREQ=DAILY",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYWEEKNO=53",
        "FREQ=DAILY;UNTIL=soon",
    ],
)
def test_what_is_no_rule_here_is_refused(rule: str) -> None:
    """With a sentence, not with a mistake."""
    with pytest.raises(UnfitError):
        fit_rule(rule, MONDAY, BERLIN)


PIECES = {
    "BYDAY": ("MO", "TU,FR", "2WE", "-1SU", "5MO"),
    "BYMONTHDAY": ("1", "-1", "30", "31"),
    "BYMONTH": ("2", "3,11"),
    "BYSETPOS": ("1", "-1", "6"),
    "INTERVAL": ("2", "12"),
}
MOST_CALLS = 100_000
"""Against a search until the year 9999, which takes millions; what takes most has 25,000."""


def test_every_rule_that_is_kept_is_followed_with_little_work() -> None:
    """Whatever its parts are: none is looked for until the year 9999."""
    kept, began = 0, datetime(1970, 1, 5, 9, tzinfo=UTC)
    for freq, *chosen in product(
        ("DAILY", "WEEKLY", "MONTHLY", "YEARLY"), *(("", *values) for values in PIECES.values())
    ):
        parts = [f"{name}={value}" for name, value in zip(PIECES, chosen, strict=True) if value]
        try:
            event = _event(";".join([f"FREQ={freq}", *parts]), began)
        except UnfitError:
            continue
        kept += 1
        calls = calls_of(lambda: occurrences(event, MONDAY, MONDAY + timedelta(days=7)))  # noqa: B023  # at once
        assert calls < MOST_CALLS, event.repeats
    assert kept > 100


async def test_a_series_is_put_in_changed_and_takes_free_time(office: Office) -> None:
    """Each Monday it is in the way; changed, it is on another day; removed, it is gone."""
    ida = await office.sign_in("Ida")
    body = {
        "title": "Loom class",
        "starts_at": "2099-03-02T09:00:00+00:00",
        "ends_at": "2099-03-02T17:00:00+00:00",
        "repeats": "FREQ=WEEKLY;COUNT=4",
    }
    event = (await ida.post("/calendar/events", body)).json()
    days = "/calendar/events?first=2099-03-01&last=2099-03-31"
    shown = (await ida.get(days)).json()["items"]
    assert [one["starts_at"][8:10] for one in shown] == ["02", "09", "16", "23"]
    assert {one["first_at"][8:10] for one in shown} == {"02"}
    answer = await ida.ask(await ida.begin("calendar"), "When am I free on 9 March 2099?")
    assert "not free" in answer["text"]
    slug = ida.line.workspace.slug
    changed = body | {
        "starts_at": "2099-03-03T09:00:00+00:00",
        "ends_at": "2099-03-03T10:00:00+00:00",
    }
    path = f"/v1/{slug}/calendar/events/{event['id']}"
    await ida.client.put(path, json=changed)
    shown = (await ida.get(days)).json()["items"]
    assert [one["starts_at"][8:10] for one in shown] == ["03", "10", "17", "24"]
    await ida.client.delete(path)
    assert (await ida.get(days)).json()["items"] == []
    noted = await office.line.rows(
        "SELECT action, detail FROM audit_events WHERE subject LIKE 'event:%' ORDER BY sequence"
    )
    assert [row["action"] for row in noted] == ["add event", "change event", "remove event"]
    assert "Loom class" not in str(noted)
    refused = await ida.post("/calendar/events", body | {"repeats": "FREQ=MINUTELY"})
    assert refused.status_code == httpx.codes.UNPROCESSABLE_ENTITY
