"""What an agent stored at somebody's word is taken back by who said it, with one press, once."""

import httpx

from tests.agents.conftest import Office, Talking


async def order(who: Talking, chat: str, text: str) -> str:
    """Say something; return the turn that has answered it."""
    answer = (await who.post(f"/chats/{chat}/messages", {"text": text})).json()
    await who.ended(answer["turn_id"])
    return str(answer["turn_id"])


async def stored(who: Talking, chat: str) -> dict[str, list[tuple[str, bool]]]:
    """Return what the chat shows as stored, by turn: the kind, and whether it is there."""
    shown = (await who.get(f"/chats/{chat}")).json()["stored"]
    return {turn: [(one["kind"], one["there"]) for one in those] for turn, those in shown.items()}


async def test_what_is_remembered_is_taken_back_and_what_held_before_holds_again(
    office: Office,
) -> None:
    """The second press is refused; what was only asked for stores nothing."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    third = await order(ida, chat, "Remember that my desk is on the third floor")
    fourth = await order(ida, chat, "Remember that my desk is on the fourth floor")
    await order(ida, chat, "Where is my desk?")
    assert await stored(ida, chat) == {third: [("memory", False)], fourth: [("memory", True)]}
    undone = await ida.post(f"/turns/{fourth}/undo")
    assert [one["title"] for one in undone.json()["items"]] == ["My desk is on the fourth floor"]
    assert await stored(ida, chat) == {third: [("memory", True)], fourth: [("memory", False)]}
    for _press in range(2):
        assert (await ida.post(f"/turns/{fourth}/undo")).status_code == httpx.codes.CONFLICT
    rows = await office.line.rows("SELECT text, state FROM memories ORDER BY id")
    assert [tuple(row.values()) for row in rows] == [
        ("My desk is on the third floor", "current"),
        ("My desk is on the fourth floor", "retired"),
    ]


async def test_tasks_and_events_that_were_added_go_again(office: Office) -> None:
    """A task that was finished meanwhile stays as it is."""
    ida = await office.sign_in("Ida")
    tasks, days = await ida.begin("taskmaster"), await ida.begin("calendar")
    added = await order(ida, tasks, "Add a task: order batteries")
    done = await order(ida, tasks, "Add a task: sweep the yard")
    await order(ida, tasks, "I have done sweep the yard")
    event = await order(ida, days, "Add a meeting with Ines tomorrow at 14:00")
    assert await stored(ida, tasks) == {added: [("task", True)], done: [("task", False)]}
    assert await stored(ida, days) == {event: [("event", True)]}
    for turn in (added, event):
        assert (await ida.post(f"/turns/{turn}/undo")).is_success
    assert (await ida.post(f"/turns/{done}/undo")).status_code == httpx.codes.CONFLICT
    rows = await office.line.rows("SELECT title, state FROM tasks ORDER BY title")
    assert [tuple(row.values()) for row in rows] == [
        ("order batteries", "dropped"),
        ("sweep the yard", "done"),
    ]
    assert await office.line.rows("SELECT id FROM calendar_events") == []


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
