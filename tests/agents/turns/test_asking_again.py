"""What an agent failed to answer is asked again by who asked, once, without being said again."""

import asyncio

import httpx

from data.records.agents.turns import AgentCaller, Caller, PersonCaller, RunCaller, Turn, TurnEvent
from data.store.agents import turns
from data.store.core.database import Connection
from data.store.core.statements import rows
from flows.agents.ending import end_turn_early
from flows.agents.turn_triggers import begin_turn
from tests.agents.conftest import Office, Talking
from tests.occupied import go_as_far_as_they_can, occupied_writer


async def failed(office: Office, who: Talking, chat: str, text: str) -> str:
    """Say something that the agent has no time to answer; return its turn."""
    house, settings = office.line.house, office.line.house.settings
    house.settings = settings.model_copy(update={"turn_seconds": 1e-9})
    try:
        said = (await who.post(f"/chats/{chat}/messages", {"text": text})).json()
        await who.ended(said["turn_id"])
    finally:
        house.settings = settings
    return str(said["turn_id"])


async def test_a_failed_turn_is_shown_and_asked_again_once(office: Office) -> None:
    """The answer belongs to the message that was there; a second try is none any more."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    turn = await failed(office, ida, chat, "Hello")
    (shown,) = (await ida.get(f"/chats/{chat}")).json()["failed"]
    assert (shown["turn_id"], shown["agent"], shown["may_ask_again"]) == (turn, "Assistant", True)
    assert "took longer" in shown["note"]

    again = (await ida.post(f"/turns/{turn}/again")).json()
    await ida.ended(again["id"])
    view = (await ida.get(f"/chats/{chat}")).json()
    assert view["failed"] == []
    assert [one["author"] for one in view["messages"]] == ["person", "agent"]
    assert view["messages"][1]["reply_to"] == view["messages"][0]["id"]
    for done in (turn, again["id"]):
        assert (await ida.post(f"/turns/{done}/again")).status_code == httpx.codes.CONFLICT


async def test_nothing_is_asked_again_of_an_agent_that_is_paused_meanwhile(office: Office) -> None:
    """Who pauses it is sure of it, also where somebody has just looked whether it works."""
    boss, ida = await office.sign_in("Boss"), await office.sign_in("Ida")
    turn = await failed(office, ida, await ida.begin("assistant"), "Hello")
    db, control = office.line.workspace.db, office.line.house.control
    async with occupied_writer(db):
        pausing = asyncio.create_task(boss.post("/agents/assistant/pause"))
        await go_as_far_as_they_can(db, control)
        asking = asyncio.create_task(ida.post(f"/turns/{turn}/again"))
        await go_as_far_as_they_can(db, control)
    assert (await pausing).is_success
    assert (await asking).status_code == httpx.codes.CONFLICT
    assert await db.read(turns.list_active) == []

    slug = office.line.workspace.slug
    assert (await boss.client.delete(f"/v1/{slug}/agents/assistant")).is_success
    assert (await boss.post("/agents/install", {"template": "assistant"})).is_success
    refused = await ida.post(f"/turns/{turn}/again")
    assert (refused.status_code, "another agent than the one" in refused.text) == (409, True)


async def test_every_turn_says_who_called(office: Office) -> None:
    """In one shape, asked again too; one of before, when that was not kept, by who asked."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    caller = {"kind": "person", "user": ida.user_id}
    first = await failed(office, ida, chat, "What is urgent?")
    again = (await ida.post(f"/turns/{first}/again")).json()
    await ida.ended(again["id"])
    for turn in (first, again["id"]):
        assert (await ida.get(f"/turns/{turn}")).json()["turn"]["caller"] == caller

    def before(cursor: Connection) -> Caller:
        (told,) = rows(cursor, "SELECT DISTINCT caller FROM turns")
        cursor.execute("UPDATE turns SET caller = NULL")
        read = turns.read_turn(cursor, first).caller
        cursor.execute("UPDATE turns SET caller = ?", [told["caller"]])
        return read

    assert await office.line.workspace.db.write(before) == PersonCaller(user=ida.user_id)
    for other in (AgentCaller(agent="desk", turn=first), RunCaller(run="r-1")):

        def call(cursor: Connection, other: Caller = other) -> Turn:
            event = TurnEvent(
                caller=other,
                on_behalf_of=ida.user_id,
                agent="librarian",
                agent_version=1,
                chat_id=chat,
                message_id="m",
            )
            turn = begin_turn(cursor, event, office.line.clock())
            return turns.read_turn(cursor, turn.id)

        begun = await office.line.workspace.db.write(call)
        assert (begun.caller, begun.asked_by) == (other, ida.user_id)
        await office.line.workspace.db.write(
            end_turn_early, begun.id, "Nobody works on it.", "Ida", office.line.clock()
        )


async def test_another_does_not_ask_again_in_a_persons_name(office: Office) -> None:
    """Who is in the chat sees that it failed; who is not finds nothing."""
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    eve = await office.sign_in("Eve")
    wanted = {"agent": "assistant", "kind": "group", "people": [tom.user_id]}
    chat = (await ida.post("/chats", wanted)).json()["id"]
    turn = await failed(office, ida, chat, "@assistant Hello")
    (shown,) = (await tom.get(f"/chats/{chat}")).json()["failed"]
    assert not shown["may_ask_again"]
    assert (await tom.post(f"/turns/{turn}/again")).status_code == httpx.codes.FORBIDDEN
    assert (await eve.post(f"/turns/{turn}/again")).status_code == httpx.codes.NOT_FOUND


async def test_a_paused_agent_is_not_asked_again(office: Office) -> None:
    """Who asks is told, and the turn stays one that can be asked again later."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    turn = await failed(office, ida, chat, "Hello")
    await ida.post("/agents/assistant/pause")
    refused = await ida.post(f"/turns/{turn}/again")
    assert refused.status_code == httpx.codes.CONFLICT
    assert "is paused" in refused.json()["error"]["message"]
    await ida.post("/agents/assistant/resume")
    assert (await ida.post(f"/turns/{turn}/again")).status_code == httpx.codes.OK
