"""What an agent changed at somebody's word is taken back by who said it, with one press, once."""

import asyncio

import httpx

from tests.agents.conftest import Office, Talking
from tests.core.small import settle
from tests.occupied import go_as_far_as_they_can, occupied_writer


async def order(who: Talking, chat: str, text: str) -> str:
    """Say something; return the turn that has answered it."""
    answer = (await who.post(f"/chats/{chat}/messages", {"text": text})).json()
    await who.ended(answer["turn_id"])
    return str(answer["turn_id"])


async def stored(who: Talking, chat: str) -> dict[str, list[tuple[str, str]]]:
    """Return what the chat shows as changed, by turn: the kind with the deed, and how it stands."""
    shown = (await who.get(f"/chats/{chat}")).json()["stored"]
    return {
        turn: [(f"{one['kind']} {one['deed']}", one["stands"]) for one in those]
        for turn, those in shown.items()
    }


async def rows_of(office: Office, sql: str) -> list[tuple[object, ...]]:
    """Return rows of the organization's state."""
    return [tuple(row.values()) for row in await office.line.rows(sql)]


async def test_what_is_remembered_is_taken_back_and_what_held_before_holds_again(
    office: Office,
) -> None:
    """The second press is refused; what was only asked for stores nothing."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    third = await order(ida, chat, "Remember that my desk is on the third floor")
    fourth = await order(ida, chat, "Remember that my desk is on the fourth floor")
    await order(ida, chat, "Where is my desk?")
    assert await stored(ida, chat) == {
        third: [("memory added", "changed")],
        fourth: [("memory added", "left")],
    }
    undone = await ida.post(f"/turns/{fourth}/undo")
    assert [one["title"] for one in undone.json()["items"]] == ["My desk is on the fourth floor"]
    assert await stored(ida, chat) == {
        third: [("memory added", "left")],
        fourth: [("memory added", "back")],
    }
    for _press in range(2):
        again = await ida.post(f"/turns/{fourth}/undo")
        assert again.status_code == httpx.codes.CONFLICT
        assert "nothing left of it" in again.text
    assert await rows_of(office, "SELECT text, state FROM memories ORDER BY id") == [
        ("My desk is on the third floor", "current"),
        ("My desk is on the fourth floor", "retired"),
    ]


async def test_what_was_forgotten_is_known_again_unless_something_is_in_its_place(
    office: Office,
) -> None:
    """Forgetting keeps the item, so it can be taken back; a newer value would end with that."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    await order(ida, chat, "Remember that my desk is on the third floor")
    forgot = await order(ida, chat, "Forget that")
    assert (await stored(ida, chat))[forgot] == [("memory forgotten", "left")]
    assert (await ida.post(f"/turns/{forgot}/undo")).is_success
    again = await order(ida, chat, "Forget that")
    await order(ida, chat, "Remember that my desk is on the fifth floor")
    assert (await stored(ida, chat))[again] == [("memory forgotten", "changed")]
    refused = await ida.post(f"/turns/{again}/undo")
    assert (refused.status_code, "was changed since" in refused.text) == (409, True)
    assert await rows_of(office, "SELECT text FROM memories WHERE state = 'current'") == [
        ("My desk is on the fifth floor",)
    ]


async def test_what_was_picked_up_by_the_way_is_shown_and_taken_back(office: Office) -> None:
    """It is, whether the answer told of it or it was read only after the answer."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    told = await order(ida, chat, "My locker is number 14")
    beside = await order(ida, chat, "I work on Tuesdays. What is urgent?")
    await settle(office.line.house)
    picked_up = [("memory added", "left")]
    assert await stored(ida, chat) == {told: picked_up, beside: picked_up}
    for turn in (told, beside):
        assert (await ida.post(f"/turns/{turn}/undo")).is_success
    assert await rows_of(office, "SELECT text, state FROM memories ORDER BY id") == [
        ("My locker is number 14", "retired"),
        ("I work on Tuesdays.", "retired"),
    ]
    work = (await ida.get(f"/chats/{chat}")).json()["work"][beside]
    assert (work["remembering"], work["remembered"]) == ("done", "added")


async def test_tasks_that_were_added_moved_done_or_dropped_are_as_they_were(
    office: Office,
) -> None:
    """Each is taken back as long as the task stands as that turn left it, and is in the audit."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("taskmaster")
    added = await order(ida, chat, "Remind me on Friday at 9 to call Ana")
    moved = await order(ida, chat, "Put off call Ana to Monday at 10")
    done = await order(ida, chat, "I have done call Ana")
    assert list((await stored(ida, chat)).values()) == [
        [("task added", "changed")],
        [("task moved", "changed")],
        [("task finished", "left")],
    ]
    refused = await ida.post(f"/turns/{moved}/undo")
    assert (refused.status_code, "“call Ana” was changed since" in refused.text) == (
        409,
        True,
    )
    of_task = "SELECT state, due_at, ended_at FROM tasks"
    for turn in (done, moved):
        assert (await ida.post(f"/turns/{turn}/undo")).is_success
        ((state, _, ended),) = await rows_of(office, of_task)
        assert (state, ended) == ("open", None)
    dropped = await order(ida, chat, "Take call Ana off my list")
    for turn in (dropped, added):
        assert (await ida.post(f"/turns/{turn}/undo")).is_success
    assert [row[0] for row in await rows_of(office, of_task)] == ["dropped"]
    noted = "SELECT subject, detail FROM audit_events WHERE action = 'take back' ORDER BY sequence"
    (task_id,) = {row["id"] for row in await office.line.rows("SELECT id FROM tasks")}
    assert await rows_of(office, noted) == [
        (f"task:{task_id}", f"{deed} in turn {turn}")
        for deed, turn in (
            ("finished", done),
            ("moved", moved),
            ("removed", dropped),
            ("added", added),
        )
    ]


async def test_events_that_were_added_moved_or_cancelled_are_as_they_were(office: Office) -> None:
    """One that somebody has changed since, or that a file brought again, stays as it is."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("calendar")
    added = await order(ida, chat, "Add a meeting with Ines tomorrow at 14:00")
    in_calendar = "SELECT * EXCLUDE changed_at FROM calendar_events"
    (as_added,) = await office.line.rows(in_calendar)
    moved = await order(ida, chat, "Move the meeting with Ines to 16:00")
    cancelled = await order(ida, chat, "Cancel the meeting with Ines")
    assert await office.line.rows(in_calendar) == []
    for turn in (cancelled, moved):
        assert (await ida.post(f"/turns/{turn}/undo")).is_success
    assert await office.line.rows(in_calendar) == [as_added]
    cancelled = await order(ida, chat, "Cancel the meeting with Ines")
    again = {"title": "Otherwise", "starts_at": "2027-01-01T10:00Z", "ends_at": "2027-01-01T11:00Z"}
    event = (await ida.post("/calendar/events", again)).json()
    await office.line.workspace.db.write(
        lambda cursor: cursor.execute("UPDATE calendar_events SET uid = ?", [as_added["uid"]])
    )
    assert (await ida.post(f"/turns/{cancelled}/undo")).status_code == httpx.codes.CONFLICT
    assert (await ida.post(f"/turns/{added}/undo")).status_code == httpx.codes.CONFLICT
    assert [row["id"] for row in await office.line.rows(in_calendar)] == [event["id"]]


async def test_of_two_who_take_back_at_once_one_does_and_a_turn_that_came_between_is_not_lost(
    office: Office,
) -> None:
    """All that is looked at and put back is one transaction, as is what an order does."""
    ida, db = await office.sign_in("Ida"), office.line.workspace.db
    chat = await ida.begin("taskmaster")
    await order(ida, chat, "Remind me on Friday at 9 to call Ana")
    moved = await order(ida, chat, "Put off call Ana to Monday at 10")
    async with occupied_writer(db):
        presses = [asyncio.create_task(ida.post(f"/turns/{moved}/undo")) for _ in range(2)]
        await go_as_far_as_they_can(db)
    assert sorted([(await press).status_code for press in presses]) == [200, 409]
    moved = await order(ida, chat, "Put off call Ana to Monday at 10")
    (task,) = (await ida.get("/tasks")).json()["items"]
    async with occupied_writer(db):
        later = {"title": task["title"], "due_at": "2027-03-01T09:00Z", "timed": True}
        path = f"/v1/{office.line.workspace.slug}/tasks/{task['id']}"
        change = asyncio.create_task(ida.client.put(path, json=later))
        await go_as_far_as_they_can(db)
        press = asyncio.create_task(ida.post(f"/turns/{moved}/undo"))
        await go_as_far_as_they_can(db)
    assert ((await change).status_code, (await press).status_code) == (200, 409)
    (task,) = (await ida.get("/tasks")).json()["items"]
    assert task["due_at"] == "2027-03-01T09:00:00Z"


async def test_only_who_said_it_takes_it_back_and_is_shown_the_way(office: Office) -> None:
    """Others of the chat are not told what stands in somebody's own memory."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    begun = await ida.post("/chats", {"agent": "assistant", "kind": "organization"})
    chat = begun.json()["id"]
    turn = await order(ida, chat, "@assistant remember that my desk is on the third floor")
    assert list(await stored(ida, chat)) == [turn]
    assert await stored(tom, chat) == {}
    assert (await tom.post(f"/turns/{turn}/undo")).status_code == httpx.codes.FORBIDDEN
    assert (await tom.post("/turns/none/undo")).status_code == httpx.codes.NOT_FOUND
    assert (await ida.post(f"/turns/{turn}/undo")).is_success
