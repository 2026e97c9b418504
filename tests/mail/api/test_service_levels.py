"""Service levels over HTTP: what is near or late comes first, and reports say what was kept."""

from datetime import datetime

import pytest

from data.records.core.organization import ServiceLevel
from data.records.core.understanding import Priority
from flows.delivery import delivery_batch
from flows.mail.people.targeting import set_targets
from flows.mail.people.warning import warn_of_targets
from tests.core.api.fixtures import Api

HOUR = 3600


def set_levels(api: Api, *levels: ServiceLevel) -> None:
    """Let the policy have these service levels, in hours of the clock."""
    workspace = api.line.workspace
    update = {"service_levels": levels, "working_hours": None}
    workspace.policy = workspace.policy.model_copy(update=update)


async def ask(api: Api, sender: str) -> str:
    """Let somebody ask, and return the case."""
    api.line.send("When is the workshop open?", sender=sender)
    await api.line.run()
    (row,) = await api.line.rows("SELECT case_id FROM messages WHERE sender_email = ?", sender)
    return str(row["case_id"])


async def relabel(api: Api, case_id: str, priority: Priority) -> None:
    """Say that a case is more or less urgent."""
    case = (await api.get(f"/cases/{case_id}")).json()
    body = {"version": case["version"], "category": case["item"]["category"], "priority": priority}
    assert (await api.post(f"/cases/{case_id}/relabel", body)).status_code == 200


async def test_nothing_is_late_where_nothing_is_set(api: Api) -> None:
    """Without service levels no case has a target, and those there were are forgotten."""
    case = await ask(api, "a@heron.example")
    assert not await set_targets(api.line.workspace)
    assert (await api.get(f"/cases/{case}")).json()["item"]["target"] is None
    set_levels(api, ServiceLevel(first_answer_hours=1))
    assert await set_targets(api.line.workspace)
    set_levels(api)
    await set_targets(api.line.workspace)
    assert await api.line.rows("SELECT * FROM service_targets") == []


async def test_what_is_nearest_comes_first(api: Api) -> None:
    """A shorter target puts a later case before an earlier one; a changed label counts."""
    urgent = ServiceLevel(priority=Priority.URGENT, first_answer_hours=1)
    set_levels(api, urgent, ServiceLevel(first_answer_hours=8))
    first, second = await ask(api, "a@heron.example"), await ask(api, "b@heron.example")
    await set_targets(api.line.workspace)
    items = (await api.get("/queue")).json()["items"]
    assert [item["case_id"] for item in items] == [first, second]
    assert {item["target"]["kind"] for item in items} == {"first_answer"}
    await relabel(api, second, Priority.URGENT)
    assert await set_targets(api.line.workspace)
    assert not await set_targets(api.line.workspace)
    items = (await api.get("/queue")).json()["items"]
    assert [item["case_id"] for item in items] == [second, first]


@pytest.mark.parametrize("late", [False, True])
async def test_a_report_says_what_was_kept(api: Api, late: bool) -> None:
    """A reply that left by its target is kept, one that left later is not; what waits is broken."""
    set_levels(api, ServiceLevel(first_answer_hours=2))
    case_id = await ask(api, "a@heron.example")
    await ask(api, "b@heron.example")
    await set_targets(api.line.workspace)
    if late:
        api.line.clock.forward(3 * HOUR)
    case = (await api.get(f"/cases/{case_id}")).json()
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    assert (await api.post(f"/cases/{case_id}/approve", given)).status_code == 200
    assert await delivery_batch(api.line.house, api.line.workspace)
    figures = (await api.get("/report")).json()["service"]
    assert figures == {"kept": 0 if late else 1, "missed": 1 if late else 0, "broken": int(late)}


@pytest.mark.parametrize("late", [False, True])
async def test_what_waits_for_them_since_before_its_target_is_not_broken(
    api: Api, late: bool
) -> None:
    """Whoever put it off in time has kept the target so far; putting it off later mends nothing."""
    set_levels(api, ServiceLevel(first_answer_hours=2))
    case_id = await ask(api, "a@heron.example")
    await set_targets(api.line.workspace)
    if late:
        api.line.clock.forward(3 * HOUR)
    case = (await api.get(f"/cases/{case_id}")).json()
    given = {"version": case["version"], "until": "answer"}
    assert (await api.post(f"/cases/{case_id}/snooze", given)).status_code == 200
    api.line.clock.forward(9 * HOUR)
    figures = (await api.get("/report")).json()["service"]
    assert figures["broken"] == int(late)


async def test_after_a_reply_the_resolution_counts(api: Api) -> None:
    """Who writes again has a target for the whole, less the time that we took before."""
    set_levels(api, ServiceLevel(first_answer_hours=2, resolution_hours=10))
    case_id = await ask(api, "a@heron.example")
    api.line.clock.forward(HOUR)
    case = (await api.get(f"/cases/{case_id}")).json()
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    await api.post(f"/cases/{case_id}/approve", given)
    assert await delivery_batch(api.line.house, api.line.workspace)
    (sent,) = await api.line.rows("SELECT message_id FROM deliveries")
    api.line.clock.forward(24 * HOUR)
    answer = {"In-Reply-To": str(sent["message_id"])}
    api.line.send("And on Saturdays?", sender="a@heron.example", headers=answer)
    await api.line.run()
    await set_targets(api.line.workspace)
    (item,) = (await api.get("/queue")).json()["items"]
    assert item["target"]["kind"] == "resolution"
    due, came = (
        datetime.fromisoformat(moment) for moment in (item["target"]["due_at"], item["received_at"])
    )
    assert 8.9 < (due - came).total_seconds() / HOUR < 9.1


async def list_told(api: Api) -> list[tuple[str, str, str, bool]]:
    """Return what people were told of targets: kind, case, for whom, and whether it is read."""
    rows = await api.line.rows(
        "SELECT kind, subject_id, addressee, seen_at IS NOT NULL AS seen FROM notifications "
        "WHERE kind IN ('service_near', 'service_late') ORDER BY kind DESC, addressee DESC"
    )
    return [tuple(row.values()) for row in rows]


async def look_by_clock(api: Api) -> None:
    """Do what the loop does by the clock."""
    await set_targets(api.line.workspace)
    await warn_of_targets(api.line.workspace, api.line.clock())


async def test_people_are_told_once_that_a_target_is_near_and_once_that_it_is_broken(
    api: Api,
) -> None:
    """Who has the case is told, all are where nobody has it; the later news ends the earlier."""
    set_levels(api, ServiceLevel(first_answer_hours=4))
    mine, nobodys = await ask(api, "a@heron.example"), await ask(api, "b@heron.example")
    case = (await api.get(f"/cases/{mine}")).json()
    given = {"version": case["version"], "assignee": "ida@teasel.example"}
    assert (await api.post(f"/cases/{mine}/reassign", given)).status_code == 200
    await look_by_clock(api)
    assert await list_told(api) == []
    api.line.clock.forward(2.5 * HOUR)
    for _ in range(3):
        await look_by_clock(api)
    near = [("service_near", mine, "ida@teasel.example"), ("service_near", nobodys, "")]
    assert [one[:3] for one in await list_told(api)] == near
    api.line.clock.forward(2 * HOUR)
    for _ in range(3):
        await look_by_clock(api)
    assert await list_told(api) == [
        (*near[0], True), (*near[1], True),
        ("service_late", mine, "ida@teasel.example", False), ("service_late", nobodys, "", False),
    ]  # fmt: skip
    page = (await api.get("/notifications", unseen=True)).json()["items"]
    assert all("was due on" in one["sentence"] for one in page if one["kind"] == "service_late")
    assert {one["subject_kind"] for one in page if one["kind"] == "service_late"} == {"case"}


async def test_what_was_answered_is_told_no_more(api: Api) -> None:
    """The news of a case that waits no more is read; a short target is not near at once."""
    set_levels(api, ServiceLevel(first_answer_hours=1))
    case_id = await ask(api, "a@heron.example")
    await look_by_clock(api)
    assert await list_told(api) == []
    api.line.clock.forward(0.6 * HOUR)
    await look_by_clock(api)
    assert [one[0] for one in await list_told(api)] == ["service_near"]
    case = (await api.get(f"/cases/{case_id}")).json()
    closing = {"version": case["version"]}
    assert (await api.post(f"/cases/{case_id}/archive", closing)).status_code == 200
    api.line.clock.forward(2 * HOUR)
    await look_by_clock(api)
    assert await list_told(api) == [("service_near", case_id, "", True)]


async def test_the_clock_stands_still_while_they_owe_an_answer(api: Api) -> None:
    """Nobody is told meanwhile, and whatever comes back has that time besides, also twice over."""
    set_levels(api, ServiceLevel(first_answer_hours=4))
    case_id = await ask(api, "a@heron.example")
    await look_by_clock(api)

    async def put_off(until: str, hours: float) -> None:
        """Put the case off, and let so many hours pass."""
        case = (await api.get(f"/cases/{case_id}")).json()
        given = {"version": case["version"], "until": until}
        assert (await api.post(f"/cases/{case_id}/snooze", given)).status_code == 200
        api.line.clock.forward(hours * HOUR)
        await look_by_clock(api)

    async def hours_allowed() -> float:
        """Return how long after the first message the case is due."""
        (item,) = (await api.get("/queue")).json()["items"]
        assert item["target"]["paused"] is False
        due = datetime.fromisoformat(item["target"]["due_at"])
        return (due - came).total_seconds() / HOUR

    came = datetime.fromisoformat((await api.get("/queue")).json()["items"][0]["received_at"])
    assert await hours_allowed() == 4
    await put_off("answer", 30)
    assert await list_told(api) == []
    (item,) = (await api.get("/queue", snoozed=True)).json()["items"]
    assert item["target"]["paused"] is True
    case = (await api.get(f"/cases/{case_id}")).json()
    back = {"version": case["version"]}
    assert (await api.post(f"/cases/{case_id}/unsnooze", back)).status_code == 200
    await look_by_clock(api)
    assert 34 <= await hours_allowed() < 34.1
    await put_off("answer", 6)
    (sent,) = await api.line.rows("SELECT message_id FROM messages")
    headers = {"In-Reply-To": str(sent["message_id"])}
    api.line.send("And on Saturdays?", sender="a@heron.example", headers=headers)
    await api.line.run()
    await look_by_clock(api)
    assert 40 <= await hours_allowed() < 40.1
    assert await list_told(api) == []


async def test_many_at_once_are_one_piece_of_news(api: Api) -> None:
    """Where levels are set over a full queue the bell does not drown."""
    for number in range(7):
        api.line.send("When is the workshop open?", sender=f"guest{number}@heron.example")
    await api.line.run()
    set_levels(api, ServiceLevel(first_answer_hours=1))
    api.line.clock.forward(3 * HOUR)
    await look_by_clock(api)
    await look_by_clock(api)
    (one,) = (await api.get("/notifications", unseen=True)).json()["items"][:1]
    assert len(await list_told(api)) == 1
    assert one["sentence"].startswith("6 more cases are late. The first answer was due")
