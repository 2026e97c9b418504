"""Hearing of an answered case again where no answer comes, and writing once more."""

from datetime import datetime, timedelta

import pytest

from data.errors import NotFoundError
from data.store.mail import follow_ups
from flows.mail.leaving.sending import deliver_due
from flows.running.due_work import wake_due
from tests.core.api.fixtures import Api, Case, case_of
from tests.core.small import CUSTOMER

DAY = 86_400.0


async def answer(api: Api, case: dict[str, object], days: int | None = None) -> dict[str, object]:
    """Approve a case's reply, let it leave, and return the case as it is then."""
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    approved = await api.post(f"/cases/{case['id']}/approve", given | {"follow_up_days": days})
    assert approved.status_code == 200, approved.text
    await deliver_due(api.line.house, api.line.workspace, 10)
    after: dict[str, object] = (await api.get(f"/cases/{case['id']}")).json()
    assert after["state"] == "sent"
    return after


async def queue(api: Api) -> list[dict[str, object]]:
    """Return what waits for a person."""
    items: list[dict[str, object]] = (await api.get("/queue")).json()["items"]
    return items


async def wait_out(api: Api, case: dict[str, object]) -> None:
    """Let the time of a case's follow-up come."""
    follow_up = (await api.get(f"/cases/{case['id']}")).json()["follow_up"]
    due = datetime.fromisoformat(follow_up["due_at"])
    api.line.clock.forward((due - api.line.clock()).total_seconds() + 60)
    await wake_due(api.line.house)


async def test_a_case_comes_back_as_a_letter_where_no_answer_comes(api: Api, case: Case) -> None:
    """It counts from when the reply left; the letter reminds, waits for a person, and leaves."""
    case = await answer(api, case, days=3)
    due = datetime.fromisoformat(case["follow_up"]["due_at"])  # type: ignore[index]
    assert timedelta(days=2.9) < due - api.line.clock() < timedelta(days=6)
    await wake_due(api.line.house)
    assert await queue(api) == []
    await wait_out(api, case)
    await wake_due(api.line.house)
    (item,) = await queue(api)
    assert (item["again"], item["reason"]) == (True, "They have not answered for 3 working days.")
    letter = (await api.get(f"/cases/{item['case_id']}")).json()
    assert (letter["again_of"], letter["recipients"]) == (case["id"], [CUSTOMER])
    assert "have not heard from you" in letter["reply_preview"]
    told = await api.line.rows("SELECT subject_id FROM notifications WHERE kind = 'follow_up'")
    assert [row["subject_id"] for row in told] == [letter["id"]]
    after = await answer(api, letter)
    assert after["state"] == "sent"
    assert (await api.get(f"/cases/{case['id']}")).json()["state"] == "sent"
    assert len((await api.get("/outbox")).json()["items"]) == 2
    assert len(await api.line.rows("SELECT id FROM reviews")) == 1


async def test_any_mail_of_the_contact_ends_it(api: Api, case: Case) -> None:
    """Also about something else; a machine's answer does not."""
    case = await answer(api, case, days=2)
    headers = {"Auto-Submitted": "auto-replied"}
    api.line.send("I am away.", subject="Out of office", headers=headers)
    await api.line.intake()
    assert (await api.get(f"/cases/{case['id']}")).json()["follow_up"]["ended_at"] is None
    api.line.send("Something else: how long does a repair take?", subject="Repair")
    await api.line.run()
    ended = (await api.get(f"/cases/{case['id']}")).json()["follow_up"]
    assert ended["ended_because"] == "message"
    api.line.clock.forward(10 * DAY)
    await wake_due(api.line.house)
    assert [item["again"] for item in await queue(api)] == [False]


async def test_newer_mail_takes_a_begun_letter_over_without_answering_twice(
    api: Api, case: Case
) -> None:
    """What was answered is not answered again; the letter is gone."""
    case = await answer(api, case, days=1)
    await wait_out(api, case)
    (item,) = await queue(api)
    (sent,) = await api.line.rows("SELECT message_id FROM messages")
    headers = {"In-Reply-To": str(sent["message_id"])}
    api.line.send("Sorry, I was ill. Are you open on Sundays?", headers=headers)
    await api.line.run()
    (fresh,) = await queue(api)
    assert (fresh["again"], fresh["messages"]) == (False, 1)
    before = (await api.get(f"/cases/{item['case_id']}")).json()
    assert (before["state"], before["taken_over_by"]) == ("superseded", fresh["case_id"])
    assert (await api.get(f"/cases/{fresh['case_id']}")).json()["taken_over_by"] is None
    assert (await api.get(f"/cases/{case['id']}")).json()["state"] == "sent"


async def test_it_is_asked_for_and_given_up_on_an_answered_case(api: Api, case: Case) -> None:
    """A case that is not answered has none; taking the reply back ends it."""
    path = f"/cases/{case['id']}/follow-up"
    assert (await api.post(path, {"version": case["version"], "days": 3})).status_code == 409
    case = await answer(api, case)
    assert case["follow_up"] is None
    asked = (await api.post(path, {"version": case["version"], "days": 5})).json()
    assert asked["follow_up"]["days"] == 5
    ended = (await api.post(path, {"version": asked["version"], "days": None})).json()
    assert ended["follow_up"]["ended_because"] == "person"
    assert (await api.post(path, {"version": 1, "days": 0})).status_code == 422


async def test_a_reply_that_is_taken_back_has_no_follow_up(api: Api) -> None:
    """The case is before a person again, and nothing comes back later."""
    api.line.workspace.policy = api.line.workspace.policy.model_copy(update={"undo_seconds": 60})
    case = await case_of(api)
    given = {"version": case["version"], "approval_hash": case["approval_hash"]}
    approved = await api.post(f"/cases/{case['id']}/approve", given | {"follow_up_days": 2})
    await api.post(f"/deliveries/{approved.json()['delivery_id']}/cancel")
    back = (await api.get(f"/cases/{case['id']}")).json()
    assert back["follow_up"]["ended_because"] == "moved"


async def test_a_person_writes_once_more(api: Api, case: Case) -> None:
    """The letter is with who began it; there is one at a time, and no machine drafts it."""
    case = await answer(api, case, days=3)
    path = f"/cases/{case['id']}/again"
    begun = await api.post(path, {"version": case["version"]})
    assert begun.status_code == 200, begun.text
    letter = begun.json()
    assert (letter["state"], letter["again_of"]) == ("in_review", case["id"])
    now = (await api.get(f"/cases/{case['id']}")).json()
    assert now["follow_up"]["ended_because"] == "person"
    assert (await api.post(path, {"version": now["version"]})).status_code == 409
    assert (await api.post(f"/cases/{letter['id']}/retry")).status_code == 409
    empty = {"version": letter["version"], "approval_hash": letter["approval_hash"]}
    refused = await api.post(f"/cases/{letter['id']}/approve", empty)
    assert (refused.status_code, "nothing is written" in refused.text) == (409, True)
    text = {"subject": "Re: Opening hours", "body": "Hello,\n\none more thing: we move in May."}
    preview = (await api.post(f"/cases/{letter['id']}/preview", text)).json()
    given = text | {"version": letter["version"], "approval_hash": preview["approval_hash"]}
    given |= {"confirmed": True}
    assert (await api.post(f"/cases/{letter['id']}/approve", given)).status_code == 200
    await deliver_due(api.line.house, api.line.workspace, 10)
    assert (await api.get(f"/cases/{letter['id']}")).json()["state"] == "sent"


async def test_that_software_helped_is_said_of_a_reminder_alone(api: Api) -> None:
    """A person writes the other letter, and the check finds nothing that is missing from it."""
    told = {"disclosure": {"en": "This was prepared with the help of software."}}
    api.line.workspace.policy = api.line.workspace.policy.model_copy(update=told)
    case = await answer(api, await case_of(api), days=1)
    await wait_out(api, case)
    (item,) = await queue(api)
    reminder = (await api.get(f"/cases/{item['case_id']}")).json()
    assert "help of software" in reminder["reply_preview"]
    closing = {"version": reminder["version"]}
    assert (await api.post(f"/cases/{reminder['id']}/archive", closing)).status_code == 200
    now = (await api.get(f"/cases/{case['id']}")).json()
    letter = await api.post(f"/cases/{case['id']}/again", {"version": now["version"]})
    (begun,) = letter.json()["revisions"]
    assert begun["draft"]["body"].startswith("Hello")
    assert "software" not in begun["draft"]["body"]


async def test_a_letter_that_is_not_wanted_is_closed(api: Api, case: Case) -> None:
    """The case that it is about stays answered."""
    case = await answer(api, case, days=1)
    await wait_out(api, case)
    (item,) = await queue(api)
    letter = (await api.get(f"/cases/{item['case_id']}")).json()
    closed = await api.post(f"/cases/{letter['id']}/archive", {"version": letter["version"]})
    assert closed.json()["state"] == "archived"
    assert await queue(api) == []
    (thread,) = (await api.get("/threads")).json()["items"]
    assert thread["status"] == "resolved"


async def test_a_conversation_and_a_customer_name_their_cases(api: Api, case: Case) -> None:
    """The conversation has its cases, newest first, and a case the customer's other open ones."""
    case = await answer(api, case)
    api.line.send("How long does a repair take?", subject="Repair of a loom")
    await api.line.run()
    (item,) = await queue(api)
    other = (await api.get(f"/cases/{item['case_id']}")).json()
    assert other["other_cases"] == []
    letter = (await api.post(f"/cases/{case['id']}/again", {"version": case["version"]})).json()
    assert [one["id"] for one in letter["other_cases"]] == [other["id"]]
    thread = (await api.get(f"/threads/{case['thread']['id']}")).json()  # type: ignore[index]
    assert [(one["id"], one["again"]) for one in thread["cases"]] == [
        (letter["id"], True), (case["id"], False),
    ]  # fmt: skip
    assert [one["contact"]["email"] for one in thread["cases"]] == [CUSTOMER, CUSTOMER]


async def test_one_thing_that_is_due_and_broken_holds_up_no_other(api: Api, case: Case) -> None:
    """What of a case that is gone cannot be followed up is told; the others come all the same."""
    case = await answer(api, case, days=3)
    database, now = api.line.workspace.db, api.line.clock()
    await database.write(follow_ups.add, "no-case", 3, now, "ida", "", now)
    with pytest.raises(NotFoundError, match="no-case"):
        await wait_out(api, case)
    (item,) = await queue(api)
    assert item["reason"] == "They have not answered for 3 working days."
