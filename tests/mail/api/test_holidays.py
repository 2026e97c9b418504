"""Holidays over HTTP: set, read out of a calendar file, and counted wherever work is."""

from datetime import UTC, date, datetime, timedelta

from data.records.core.organization import Holiday, ServiceLevel, WorkingHours
from flows.core.administration.holidays import parse_holidays
from flows.mail.leaving.following_up import due_after
from flows.mail.people.moments import moment_of
from flows.mail.people.targeting import set_targets
from tests.core.api.fixtures import Api
from tests.core.api.test_tokens import make
from tests.mail.api.test_service_levels import ask

NINE_TO_FIVE = WorkingHours(start="09:00", end="17:00", days=(1, 2, 3, 4, 5, 6, 7))
CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Almanac//EN
BEGIN:VEVENT
UID:yule@almanac.example
SUMMARY:Christmas
DTSTART;VALUE=DATE:{year}1225
DTEND;VALUE=DATE:{year}1227
END:VEVENT
BEGIN:VEVENT
UID:new-year@almanac.example
SUMMARY:New Year's Day
DTSTART;VALUE=DATE:20200101
RRULE:FREQ=YEARLY
END:VEVENT
BEGIN:VEVENT
UID:party@almanac.example
SUMMARY:Party
DTSTART:{year}0601T180000Z
DTEND:{year}0601T230000Z
END:VEVENT
END:VCALENDAR
"""


async def keep(api: Api, *days: date) -> None:
    """Say that nobody works on these days."""
    items = [{"day": day.isoformat(), "name": "Fair"} for day in days]
    kept = await api.client.put("/v1/teasel/holidays", json={"items": items})
    assert kept.status_code == 200, kept.text


async def test_they_are_set_in_order_by_administrators_alone(api: Api) -> None:
    """A day is there once; a change is an event; an order over an older list is refused."""
    was = (await api.get("/holidays")).json()["was"]
    items = [
        {"day": "2026-12-26", "name": "Boxing Day"},
        {"day": "2026-12-25", "name": "Christmas"},
        {"day": "2026-12-26", "name": "Second day"},
    ]
    order = {"items": items, "was": was}
    kept = (await api.client.put("/v1/teasel/holidays", json=order)).json()
    assert [(one["day"], one["name"]) for one in kept["items"]] == [
        ("2026-12-25", "Christmas"), ("2026-12-26", "Second day"),
    ]  # fmt: skip
    assert (await api.client.put("/v1/teasel/holidays", json=order)).status_code == 409
    wrong = {"items": [{"day": "25 December", "name": ""}]}
    assert (await api.client.put("/v1/teasel/holidays", json=wrong)).status_code == 422
    events = (await api.get("/audit")).json()["items"]
    assert [one["action"] for one in events] == ["edit-organization"]
    assert "2026-12-25" in events[0]["detail"]
    headers = {"Authorization": f"Bearer {await make(api, 'bo')}"}
    denied = await api.client.put("/v1/teasel/holidays", json={"items": []}, headers=headers)
    assert denied.status_code == 403


async def test_a_calendar_file_is_read_and_nothing_kept(api: Api) -> None:
    """Each day of a long event, each year of a rule; what takes no whole day is left out."""
    year = datetime.now(UTC).year
    given = {"ics": CALENDAR.format(year=year)}
    read = (await api.post("/holidays/read", given)).json()
    days = [one["day"] for one in read["items"]]
    assert days == [
        f"{year}-01-01", f"{year}-12-25", f"{year}-12-26",
        f"{year + 1}-01-01", f"{year + 2}-01-01", f"{year + 3}-01-01",
    ]  # fmt: skip
    assert read["left_out"] == ["Party: it does not take a whole day"]
    assert (await api.get("/holidays")).json()["items"] == []
    daily = "".join(
        f"BEGIN:VEVENT\nUID:{number}\nSUMMARY:Day\nDTSTART;VALUE=DATE:20200101\n"
        "RRULE:FREQ=DAILY\nEND:VEVENT\n"
        for number in range(20)
    )
    endless = {"ics": f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n{daily}END:VCALENDAR\n"}
    refused = await api.post("/holidays/read", endless)
    assert (refused.status_code, "more than 5,000 days" in refused.text) == (422, True)
    assert (await api.post("/holidays/read", {"ics": "hello"})).status_code == 422


async def test_the_days_of_a_file_are_those_of_the_organizations_zone(api: Api) -> None:
    """East and west of Greenwich a day stays the day that the file names."""
    for zone in ("Pacific/Auckland", "America/Los_Angeles"):
        own = api.line.workspace.organization.model_copy(update={"timezone": zone})
        now = datetime(2026, 5, 5, tzinfo=UTC)
        read = parse_holidays(CALENDAR.format(year=2026), own, now)
        assert [one.day for one in read.items if one.name == "Christmas"] == [
            date(2026, 12, 25), date(2026, 12, 26),
        ]  # fmt: skip


DAILY = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Almanac//EN
BEGIN:VEVENT
UID:works@almanac.example
SUMMARY:Works
DTSTART;VALUE=DATE:20260101
RRULE:FREQ=DAILY;UNTIL=20291231
END:VEVENT
END:VCALENDAR
"""


async def test_days_that_repeat_often_are_read_for_all_of_the_four_years(api: Api) -> None:
    """None is left out unsaid."""
    own = api.line.workspace.organization
    read = parse_holidays(DAILY, own, datetime(2026, 5, 5, tzinfo=UTC))
    assert len(read.items) + sum(int(line.split()[0]) for line in read.left_out) == 4 * 365 + 1


async def test_a_service_target_stands_still_on_a_holiday(api: Api) -> None:
    """It moves when the holidays change, with working hours and without."""
    workspace = api.line.workspace
    update = {"service_levels": (ServiceLevel(first_answer_hours=8),)}
    workspace.policy = workspace.policy.model_copy(update=update | {"working_hours": NINE_TO_FIVE})
    case = await ask(api, "a@heron.example")

    async def due() -> datetime:
        await set_targets(workspace)
        told = (await api.get(f"/cases/{case}")).json()["item"]["target"]["due_at"]
        return datetime.fromisoformat(told)

    usual = await due()
    await keep(api, usual.date())
    assert await due() > usual
    assert (await due()).date() == usual.date() + timedelta(days=1)
    await keep(api)
    assert await due() == usual
    workspace.policy = workspace.policy.model_copy(update=update | {"working_hours": None})
    usual = await due()
    today = datetime.now(UTC).date()
    await keep(api, today, today + timedelta(days=1))
    assert await due() >= datetime.combine(
        today + timedelta(days=2), datetime.min.time(), tzinfo=UTC
    )


async def test_tomorrow_monday_and_working_days_leave_holidays_out(api: Api) -> None:
    """A case that is put off comes back on a day on which somebody works."""
    workspace = api.line.workspace
    workspace.policy = workspace.policy.model_copy(update={"working_hours": None})
    thursday = datetime(2026, 12, 24, 15, tzinfo=UTC)
    own = workspace.organization
    days = (Holiday(day=date(2026, 12, 25)), Holiday(day=date(2026, 12, 28)))
    assert moment_of(workspace, "tomorrow", thursday).date() == date(2026, 12, 25)
    assert due_after(workspace, 2, thursday).date() == date(2026, 12, 28)
    workspace.organization = own.model_copy(update={"holidays": days})
    assert moment_of(workspace, "tomorrow", thursday).date() == date(2026, 12, 26)
    assert moment_of(workspace, "monday", thursday).date() == date(2026, 12, 29)
    assert due_after(workspace, 2, thursday).date() == date(2026, 12, 30)
