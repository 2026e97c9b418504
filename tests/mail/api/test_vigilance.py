"""Planted faults over HTTP: shown in a letter, ended by the decision, and never sent."""

import pytest

from flows.mail.people.vigilance import plant_due_fault
from tests.core.api.fixtures import Api

DAY = 86_400


@pytest.fixture
def watched(api: Api) -> Api:
    """An API whose organization plants seven faults a week, and lets what is approved leave."""
    policy = api.line.workspace.policy
    api.line.workspace.policy = policy.model_copy(update={"planted_a_week": 7})
    return api


async def ask(api: Api, sender: str = "mara@heron.example") -> dict[str, object]:
    """Let somebody ask, and return the case as it is shown."""
    api.line.send("How long does the repair of a table loom take?", subject="Loom", sender=sender)
    await api.line.run()
    (row,) = await api.line.rows("SELECT case_id FROM messages WHERE sender_email = ?", sender)
    case: dict[str, object] = (await api.get(f"/cases/{row['case_id']}")).json()
    return case


async def plant(api: Api, sender: str = "mara@heron.example") -> tuple[str, dict[str, object]]:
    """Let somebody ask, plant a fault; return the letter as written, and the case as shown then."""
    case = await ask(api, sender)
    assert await plant_due_fault(api.line.house, api.line.workspace)
    shown = (await api.get(f"/cases/{case['id']}")).json()
    return body_of(case), shown


def body_of(case: dict[str, object]) -> str:
    """Return the letter that a case is shown with."""
    return str(case["revisions"][-1]["draft"]["body"])  # type: ignore[index]


def shown_as(case: dict[str, object], **more: object) -> dict[str, object]:
    """Return what a decision is bound to."""
    return {name: case[name] for name in ("version", "approval_hash")} | more


async def outbox(api: Api) -> int:
    """Return how many letters lie in the outbox."""
    return int((await api.get("/outbox")).json()["total"])


async def test_nothing_is_planted_where_nobody_switched_it_on(api: Api) -> None:
    """Without the policy's key every letter is shown as it was written."""
    await ask(api)
    assert not await plant_due_fault(api.line.house, api.line.workspace)
    assert await api.line.rows("SELECT * FROM planted_faults") == []


async def test_a_fault_that_is_approved_leaves_nothing(watched: Api) -> None:
    """It is missed; the letter as it was written is there again, and leaves when approved."""
    written, shown = await plant(watched)
    assert body_of(shown) != written
    assert written.splitlines()[0] == body_of(shown).splitlines()[0]
    answer = await watched.post(f"/cases/{shown['id']}/approve", shown_as(shown))
    assert answer.status_code == 409
    assert answer.json()["error"]["kind"] == "PlantedFaultError"
    assert "planted" in answer.json()["error"]["message"]
    assert await outbox(watched) == 0
    again = (await watched.get(f"/cases/{shown['id']}")).json()
    assert body_of(again) == written
    assert (await watched.get("/vigilance")).json()["missed"] == 1
    answer = await watched.post(f"/cases/{shown['id']}/approve", shown_as(again))
    assert answer.status_code == 200
    kept = await watched.line.rows("SELECT body FROM deliveries")
    assert str(kept[0]["body"]).startswith(written.splitlines()[0])
    assert "planted" not in str(kept)


async def test_what_was_shown_before_cannot_be_approved(watched: Api) -> None:
    """Who opened the letter before the fault was planted is asked to look again."""
    case = await ask(watched)
    assert await plant_due_fault(watched.line.house, watched.line.workspace)
    answer = await watched.post(f"/cases/{case['id']}/approve", shown_as(case))
    assert answer.json()["error"]["kind"] == "ConflictError"
    standing = (await watched.get("/vigilance")).json()
    assert (standing["seen"], standing["missed"]) == (0, 0)


@pytest.mark.parametrize("way", ["reject", "correct"])
async def test_a_fault_that_is_seen_is_counted(watched: Api, way: str) -> None:
    """Rejecting the letter sees it, and so does writing it without the wrong words."""
    written, shown = await plant(watched)
    path = f"/cases/{shown['id']}"
    if way == "reject":
        answer = await watched.post(
            f"{path}/reject", {"version": shown["version"], "reason": "wrong_fact"}
        )
    else:
        subject = shown["revisions"][-1]["draft"]["subject"]  # type: ignore[index]
        edited = {"subject": subject, "body": written}
        preview = (await watched.post(f"{path}/preview", edited)).json()
        signed = {"approval_hash": preview["approval_hash"]}
        answer = await watched.post(f"{path}/approve", shown_as(shown, **edited) | signed)
    assert answer.json()["error"]["kind"] == "PlantedFaultError", answer.text
    assert "Well seen" in answer.json()["error"]["message"]
    standing = (await watched.get("/vigilance")).json()
    assert (standing["seen"], standing["missed"]) == (1, 0)
    assert body_of((await watched.get(path)).json()) == written
    report = (await watched.get("/report")).json()["vigilance"]
    assert (report["seen"], report["missed"]) == (1, 0)
    events = (await watched.get("/audit", action="see-fault")).json()["items"]
    assert len(events) == 1


async def test_faults_come_one_after_the_other(watched: Api) -> None:
    """With seven a week the next one comes a day later, in another case."""
    await plant(watched)
    await ask(watched, "other@heron.example")
    assert not await plant_due_fault(watched.line.house, watched.line.workspace)
    watched.line.clock.forward(DAY)
    assert await plant_due_fault(watched.line.house, watched.line.workspace)
    planted = await watched.line.rows("SELECT case_id FROM planted_faults")
    assert len({row["case_id"] for row in planted}) == len(planted) == 2


async def test_fewer_are_approved_at_once_where_faults_are_missed(watched: Api) -> None:
    """After four missed faults of four, six letters at once are too many, and five are not."""
    for number in range(4):
        _, shown = await plant(watched, f"guest{number}@heron.example")
        await watched.post(f"/cases/{shown['id']}/approve", shown_as(shown))
        watched.line.clock.forward(DAY)
    assert (await watched.get("/vigilance")).json()["most_at_once"] == 5
    for number in range(4, 6):
        await ask(watched, f"guest{number}@heron.example")
    items = (await watched.get("/queue")).json()["items"]
    cases = [(await watched.get(f"/cases/{item['case_id']}")).json() for item in items]
    order = [shown_as(case, id=case["id"]) for case in cases]
    answer = await watched.post("/cases/decide", {"action": "approve", "cases": order})
    assert answer.status_code == 422
    assert "at most 5 letters" in answer.json()["error"]["message"]
    few = {"action": "approve", "cases": order[:5], "looked_seconds": 50}
    outcomes = (await watched.post("/cases/decide", few)).json()["outcomes"]
    assert [one["done"] for one in outcomes] == [True] * 5
    kept = await watched.line.rows("SELECT looked_seconds, letter_words FROM reviews")
    assert {row["looked_seconds"] for row in kept} == {10.0}
    assert all(int(str(row["letter_words"])) > 5 for row in kept)


async def test_a_letter_approved_faster_than_it_can_be_read_is_counted(api: Api) -> None:
    """What was on the screen for a moment is unread; what nobody timed is not counted at all."""
    for sender, seconds in (
        ("a@heron.example", 0.2),
        ("b@heron.example", 60),
        ("c@heron.example", None),
    ):
        case = await ask(api, sender)
        given = shown_as(case) | ({} if seconds is None else {"looked_seconds": seconds})
        assert (await api.post(f"/cases/{case['id']}/approve", given)).status_code == 200
    figures = (await api.get("/report")).json()["vigilance"]
    assert (figures["timed"], figures["unread"]) == (2, 1)
