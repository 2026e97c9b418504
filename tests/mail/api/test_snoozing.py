"""Putting a case off over HTTP, and what brings it back."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from data.records.core.organization import WorkingHours
from data.records.mail.snoozing import Snooze
from data.store.mail import snoozes
from flows.mail.people import snoozing
from flows.opening import open_house
from flows.running.due_work import wake_due
from tests.core.api.fixtures import Api, Case, case_of
from tests.core.small import SLUG, Clock, open_line, settings_in
from tests.people import person

ZONE = "Europe/Lisbon"


async def put_off(api: Api, until: str, case: dict[str, object]) -> dict[str, object]:
    """Put a case off as it was shown; return it as it is then."""
    given = {"version": case["version"], "until": until}
    answer = await api.post(f"/cases/{case['id']}/snooze", given)
    assert answer.status_code == 200, answer.text
    after: dict[str, object] = answer.json()
    return after


async def waiting(api: Api, *, snoozed: bool = False) -> list[str]:
    """Return the cases in the list of what waits, or of what is put off."""
    items = (await api.get("/queue", snoozed=snoozed)).json()["items"]
    return [item["case_id"] for item in items]


async def test_a_case_leaves_the_list_and_comes_back_by_the_clock(api: Api, case: Case) -> None:
    """It is found among what is put off, and who put it off is told why it is back, once."""
    at = api.line.clock() + timedelta(hours=3)
    after = await put_off(api, at.isoformat(), case)
    assert after["state"] == "in_review"
    assert datetime.fromisoformat(after["snooze"]["until"]) == at  # type: ignore[index]
    assert (await waiting(api), await waiting(api, snoozed=True)) == ([], [case["id"]])
    overview = (await api.get("/overview")).json()
    assert (overview["in_review"], overview["snoozed"]) == (0, 1)
    api.line.clock.forward(3 * 3600 - 60)
    await wake_due(api.line.house)
    assert await waiting(api) == []
    api.line.clock.forward(120)
    assert await wake_due(api.line.house)
    await wake_due(api.line.house)
    assert (await waiting(api), await waiting(api, snoozed=True)) == ([case["id"]], [])
    back = (await api.get(f"/cases/{case['id']}")).json()
    assert back["snooze"]["ended_because"] == "time"
    assert back["version"] > after["version"]  # type: ignore[operator]
    told = [
        one for one in (await api.get("/notifications")).json()["items"] if one["kind"] == "back"
    ]
    assert [one["subject_id"] for one in told] == [case["id"]]
    given = {"version": back["version"], "approval_hash": case["approval_hash"]}
    assert (await api.post(f"/cases/{case['id']}/approve", given)).json()["state"] == "approved"


async def test_a_message_of_the_conversation_brings_it_back(api: Api, case: Case) -> None:
    """The case that takes it over is in the list and says why, though the time has not come."""
    await put_off(api, "answer", case)
    (sent,) = await api.line.rows("SELECT message_id FROM messages")
    api.line.send("I forgot: on Sundays too?", headers={"In-Reply-To": str(sent["message_id"])})
    await api.line.intake()
    (row,) = await api.line.rows("SELECT ended_because FROM snoozes")
    assert row["ended_because"] == "message"
    await api.line.work()
    (now_waiting,) = await waiting(api)
    back = (await api.get(f"/cases/{now_waiting}")).json()
    assert (len(back["messages"]), back["snooze"]["ended_because"]) == (2, "message")
    assert await waiting(api, snoozed=True) == []


async def test_other_mail_brings_nothing_back(api: Api, case: Case) -> None:
    """What somebody writes elsewhere leaves a case where it was put."""
    await put_off(api, "answer", case)
    api.line.send("How long does a repair take?", subject="Repair", sender="otto@finch.example")
    await api.line.run()
    assert await waiting(api, snoozed=True) == [case["id"]]


async def test_it_is_brought_back_by_hand_and_by_a_decision(api: Api, case: Case) -> None:
    """Undo brings it back as it was; what is decided on it does so too."""
    path = f"/cases/{case['id']}"
    after = await put_off(api, "tomorrow", case)
    back = (await api.post(f"{path}/unsnooze", {"version": after["version"]})).json()
    assert back["approval_hash"] == case["approval_hash"]
    assert await waiting(api) == [case["id"]]
    refused = await api.post(f"{path}/unsnooze", {"version": back["version"]})
    assert refused.status_code == 409
    after = await put_off(api, "monday", back)
    given = {"version": after["version"], "assignee": "ida@teasel.example"}
    assert (await api.post(f"{path}/reassign", given)).status_code == 200
    assert await waiting(api) == [case["id"]]
    assert [one["action"] for one in (await api.get("/audit")).json()["items"]][:4] == [
        "reassign", "snooze", "unsnooze", "snooze",
    ]  # fmt: skip


async def test_what_was_decided_on_meanwhile_is_refused(api: Api, case: Case) -> None:
    """A stale version, a settled case, a time that is over and nonsense put nothing off."""
    path = f"/cases/{case['id']}/snooze"
    version = int(str(case["version"]))
    past = (api.line.clock() - timedelta(minutes=1)).isoformat()
    refused = {"version": version, "until": past}
    assert (await api.post(path, refused)).status_code == 409
    for nonsense in ("someday", "2026-12-24T14:00:00", ""):
        answer = await api.post(path, {"version": version, "until": nonsense})
        assert answer.status_code == 422, nonsense
    assert (await api.post(path, {"version": version - 1, "until": "answer"})).status_code == 409
    await api.post(f"/cases/{case['id']}/archive", {"version": version})
    closed = (await api.get(f"/cases/{case['id']}")).json()
    answer = await api.post(path, {"version": closed["version"], "until": "answer"})
    assert answer.status_code == 409
    assert await api.line.rows("SELECT id FROM snoozes") == []


async def test_a_draft_that_is_taken_back_is_not_put_off_any_more(api: Api, case: Case) -> None:
    """Once a case has left its reviewer, its return is no snooze's."""
    api.line.workspace.policy = api.line.workspace.policy.model_copy(update={"undo_seconds": 60})
    after = await put_off(api, "answer", case)
    given = {"version": after["version"], "approval_hash": case["approval_hash"]}
    approved = (await api.post(f"/cases/{case['id']}/approve", given)).json()
    assert approved["state"] == "approved"
    taken = await api.post(f"/deliveries/{approved['delivery_id']}/cancel")
    assert taken.status_code == 200
    assert await waiting(api) == [case["id"]]


async def test_tomorrow_is_when_people_work(api: Api) -> None:
    """It begins with the working hours of the organization, in their zone."""
    hours = WorkingHours(timezone=ZONE, days=(1, 2, 3, 4, 5), start="08:30")
    line = api.line
    line.workspace.policy = line.workspace.policy.model_copy(update={"working_hours": hours})
    case = await case_of(api)
    after = await put_off(api, "tomorrow", case)
    until = datetime.fromisoformat(str(after["snooze"]["until"]))  # type: ignore[index]
    local = until.astimezone(ZoneInfo(ZONE))
    assert (local.hour, local.minute) == (8, 30)
    assert local.isoweekday() <= 5
    assert timedelta() < until - line.clock() < timedelta(days=4)


async def test_an_engine_that_was_away_brings_it_back(tmp_path: Path) -> None:
    """A house that opens again knows what was put off, and that its time came meanwhile."""
    async with open_line(tmp_path / "var") as line:
        line.send("When is the workshop open?")
        await line.run()
        (row,) = await line.rows("SELECT id, version FROM cases")
        until = line.clock() + timedelta(hours=1)
        order = Snooze(version=int(str(row["version"])), until=until)
        await snoozing.snooze(line.house, line.workspace, str(row["id"]), order, person("ida"))
    later = Clock(timedelta(hours=2))
    house = await open_house(settings_in(tmp_path / "var"), later)
    try:
        workspace = await house.get_workspace(SLUG)
        assert (await workspace.db.read(snoozes.list_due, until)) == [row["id"]]
        assert await wake_due(house)
        assert await workspace.db.read(snoozes.count) == 0
    finally:
        await house.close()
