"""Calls that wait for a person: exactly what is shown, decided once, by who asked."""

import asyncio
import threading
from dataclasses import replace

import httpx
import pytest
from pydantic import JsonValue

from data.errors import ConflictError, PosternError
from data.records.agents.chats import Viewer
from data.records.core.tools import Trust
from data.records.mail.contacts import EraseContact
from data.states import ChatState
from data.store.agents import chats, turns
from data.store.core import approvals
from data.store.core.database import Connection
from flows.agents.calls import TurnLimits
from flows.agents.chats import build_viewer
from flows.agents.ending import end_turn_early
from flows.agents.journal import Journal
from flows.agents.keeping_chats import remove_chat
from flows.agents.listening import follow_turn
from flows.agents.running import resume_turns, stop_turn
from flows.core.tools import Calling
from flows.mail.people.erasing import erase
from flows.running.agents import TOOLS
from flows.running.due_work import wake_due
from flows.sync import sync_one
from tests.agents.conftest import Office
from tests.agents.turns.talks import ORDER, Shop, Talk, begin_talk, user_of
from tests.core.small import POLICY


async def _state(talk: Talk) -> ChatState:
    def read(cursor: Connection) -> ChatState:
        chat = chats.read_chat(cursor, talk.chat, Viewer(user=talk.ida.id))
        return turns.read_chat_states(cursor, [chat])[chat.id]

    return await talk.office.line.workspace.db.read(read)


async def test_a_call_waits_for_a_yes_and_happens_once(office: Office) -> None:
    """What waits is shown with its arguments and reasons; the yes is in the audit log."""
    talk = await begin_talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    assert talk.shop.sold == []
    (call,) = await talk.waiting()
    assert (call.tool, call.turn_id, call.agent_name) == ("add_task", turn, "Taskmaster")
    assert call.reasons == ("This tool wants a person's yes for each call.",)
    assert "call Ana" in str(call.arguments)
    assert await _state(talk) is ChatState.WAITING
    await talk.decide(call, approve=True)
    await talk.settle()
    assert await _state(talk) is ChatState.ACTIVE
    assert len(talk.shop.sold) == 1
    assert (await talk.answer(turn)).startswith("Sold")
    noted = await office.line.rows("SELECT actor FROM audit_events WHERE action = 'approve call'")
    assert noted == [{"actor": "Ida"}]
    with pytest.raises(Exception, match="Ida has said yes already"):
        await talk.decide(call, approve=True)
    assert await resume_turns(office.line.house, office.line.workspace, talk.shop.toolbox) is False


async def test_a_yes_while_the_turn_lies_down_is_not_lost(office: Office) -> None:
    """Who decides in the moment in which the turn begins to wait is not left without an answer."""
    talk = await begin_talk(office, Shop())
    house, workspace = office.line.house, office.line.workspace
    turn = await talk.say(ORDER)
    async for _, event in follow_turn(house, workspace, turn):
        if event.kind == "waiting":
            break
    (call,) = await talk.waiting()
    busy = threading.Event()
    readers = [asyncio.create_task(workspace.db.read(lambda _: busy.wait())) for _ in range(8)]
    await asyncio.sleep(0)
    deciding = asyncio.create_task(talk.decide(call, approve=True))
    while not await workspace.db.write(_decided):  # noqa: ASYNC110  # the state tells nobody
        await asyncio.sleep(0)
    busy.set()
    await asyncio.gather(deciding, *readers)
    await talk.settle()
    assert len(talk.shop.sold) == 1
    assert (await talk.answer(turn)).startswith("Sold")


def _decided(cursor: Connection) -> bool:
    states = cursor.execute("SELECT state FROM approvals WHERE kind = 'tool_call'").fetchall()
    return states == [("approved",)]


async def test_who_listens_to_a_turn_that_waited_hears_what_came_of_it(office: Office) -> None:
    """Not that it waits, once somebody has stopped it; also who has heard that before."""
    talk = await begin_talk(office, Shop())
    house, workspace = office.line.house, office.line.workspace
    turn = await talk.say(ORDER)
    *_, (place, event) = [told async for told in follow_turn(house, workspace, turn)]
    assert event.kind == "waiting"
    viewer = await build_viewer(house, workspace, talk.ida)
    await stop_turn(house, workspace, talk.shop.toolbox, turn, talk.ida, viewer)
    for after in (0, place):
        *_, (_, event) = [told async for told in follow_turn(house, workspace, turn, after)]
        assert (event.kind, event.text) == ("failed", "Stopped by Ida.")


async def test_a_no_is_told_with_its_words(office: Office) -> None:
    """Nothing happens, and the answer says who said no and why."""
    talk = await begin_talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    await talk.decide(call, approve=False, note="not on a Sunday")
    await talk.settle()
    assert talk.shop.sold == []
    answer = await talk.answer(turn)
    assert answer.startswith("That was not done. Ida said no")
    assert "not on a Sunday" in answer


async def test_a_yes_holds_for_the_place_that_was_shown(office: Office) -> None:
    """An address that was changed meanwhile gets nothing."""
    talk = await begin_talk(office, Shop(goes_to="POST https://shop.example/orders"))
    for place, sold in (("POST https://eve.example/orders", 0), (talk.shop.goes_to, 1)):
        await talk.say(ORDER)
        await talk.settle()
        (call,) = await talk.waiting()
        assert call.goes_to == "POST https://shop.example/orders"
        talk.shop.goes_to = place
        await talk.decide(call, approve=True)
        await talk.settle()
        assert len(talk.shop.sold) == sold
        talk.shop.goes_to = "POST https://shop.example/orders"


async def test_what_a_person_changes_is_what_happens(office: Office) -> None:
    """The first question is withdrawn; arguments that are not the tool's are refused."""
    talk = await begin_talk(office, Shop())
    await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    with pytest.raises(Exception, match="arguments of 'add_task' are wrong"):
        await talk.decide(call, approve=True, arguments={"to": "eve"})
    assert len(await talk.waiting()) == 1
    await talk.decide(call, approve=True, arguments={"words": "call Ines"})
    await talk.settle()
    assert talk.shop.sold == ["call Ines"]
    rows = await office.line.rows("SELECT state FROM approvals ORDER BY opened_at, id")
    assert [row["state"] for row in rows] == ["withdrawn", "approved"]


async def test_only_who_was_asked_sees_and_decides(office: Office) -> None:
    """An administrator sees neither the question nor its words; a wrong hash decides nothing."""
    talk = await begin_talk(office, Shop())
    await talk.say(ORDER)
    await talk.settle()
    boss = (await user_of(office, "Boss")).model_copy(update={"grants": talk.ida.grants})
    (call,) = await talk.waiting()
    assert await talk.waiting(boss) == []
    listed, total = await office.line.workspace.db.read(
        approvals.list_page, kind=None, state=None, subject=None, viewer=boss.id, limit=9, offset=0
    )
    assert (listed, total) == ([], 0)
    with pytest.raises(Exception, match="none of those who may decide"):
        await talk.decide(call, approve=True, principal=boss)
    with pytest.raises(Exception, match="not what was shown"):
        await talk.decide(call.model_copy(update={"sha256": "0" * 64}), approve=True)
    assert talk.shop.sold == []


async def test_a_call_whose_time_is_over_leaves_no_notice(office: Office) -> None:
    """Nobody can say yes to it any more, so nobody is asked to."""
    talk = await begin_talk(office, Shop())
    await talk.say(ORDER)
    await talk.settle()
    unseen = "SELECT id FROM notifications WHERE kind = 'call' AND seen_at IS NULL"
    assert len(await office.line.rows(unseen)) == 1

    def end(cursor: Connection) -> None:
        cursor.execute("UPDATE approvals SET expires_at = opened_at WHERE kind = 'tool_call'")

    await office.line.workspace.db.write(end)
    await wake_due(office.line.house)
    assert await office.line.rows(unseen) == []


async def test_no_call_begins_in_a_turn_that_was_stopped(office: Office) -> None:
    """Stopping ends it in the state a moment before whoever works on it hears of it."""
    talk = await begin_talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    journal = Journal(house, workspace, await workspace.db.read(turns.read_turn, turn))
    await workspace.db.write(end_turn_early, turn, "Stopped by Ida.", "Ida", office.line.clock())
    before = await workspace.db.read(turns.list_moves, turn)
    with pytest.raises(ConflictError, match="ended meanwhile"):
        await journal.begin_call(9, "sell", {}, ())
    with pytest.raises(ConflictError, match="ended meanwhile"):
        await journal.resume_call(before[-1].ordinal)
    assert await workspace.db.read(turns.list_moves, turn) == before


async def test_a_removed_chat_leaves_no_word_of_its_calls(office: Office) -> None:
    """A chat in which something waits is stopped first; then nothing of it is left anywhere."""
    talk = await begin_talk(office, Shop())
    turn = await talk.say("Remind me tomorrow at 9 to call Quillfeather")
    await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    with pytest.raises(Exception, match="stop it first"):
        await remove_chat(house, workspace, talk.chat, talk.ida)
    viewer = await build_viewer(house, workspace, talk.ida)
    await stop_turn(house, workspace, talk.shop.toolbox, turn, talk.ida, viewer)
    await remove_chat(house, workspace, talk.chat, talk.ida)
    tables = await office.line.rows(
        "SELECT table_name AS name FROM duckdb_tables() WHERE schema_name = 'main'"
    )
    for table in tables:
        held = await office.line.rows(f"FROM {table['name']}")
        assert not [row for row in held if "Quillfeather" in str(row)], table["name"]


async def test_a_call_that_names_an_erased_contact_is_over(office: Office) -> None:
    """Nobody is asked for a yes to what was cut; the turn goes on, and nothing was done."""
    office.line.send("How much is an inspection?", sender="Tom <tom@otter.example>")
    await office.line.run()
    talk = await begin_talk(office, Shop())
    turn = await talk.say("Remind me tomorrow at 9 to call tom@otter.example")
    await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    (call,) = await talk.waiting()
    assert await office.line.rows("FROM approvals WHERE contains(summary, 'tom@otter.example')")
    await erase(house, workspace, EraseContact(address="tom@otter.example"), talk.ida)
    assert not await office.line.rows("FROM approvals WHERE contains(summary, 'otter')")
    with pytest.raises(PosternError):
        await talk.decide(call, approve=True)
    assert await wake_due(house)
    await resume_turns(house, workspace, talk.shop.toolbox)
    await talk.settle()
    assert talk.shop.sold == []
    assert await talk.waiting() == []
    assert "otter" not in await talk.answer(turn)
    assert (await workspace.db.read(turns.read_turn, turn)).ended_at is not None


async def test_a_tool_that_is_taken_away_leaves_no_call_that_waits(office: Office) -> None:
    """What a person has said yes to meanwhile does not happen, and the chat waits for nothing."""
    boss, talk = await office.sign_in("Boss"), await begin_talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    less = {"kind": "user", "subject": talk.ida.id, "restrictions": {"without": ["add_task"]}}
    path = f"/v1/{office.line.workspace.slug}/agents/taskmaster/assignments"
    assert (await boss.client.put(path, json={"items": [less]})).is_success
    await talk.decide(call, approve=True)
    await talk.settle()
    moves = await office.line.workspace.db.read(turns.list_moves, turn)
    assert [move.state for move in moves if move.kind == "act"] == ["failed"]
    assert (await office.line.workspace.db.read(turns.read_turn, turn)).ended_at is not None
    assert talk.shop.sold == []


@pytest.mark.parametrize("moved", ["kind = 'think'", "name = 'another'"])
async def test_a_turn_that_takes_another_way_than_before_ends(office: Office, moved: str) -> None:
    """What one move gave is never taken for what another gives."""
    talk = await begin_talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    statement = f"UPDATE turn_moves SET {moved} WHERE kind = 'act'"  # noqa: S608  # ours
    await office.line.workspace.db.write(lambda cursor: cursor.execute(statement))
    await talk.decide(call, approve=True)
    await talk.settle()
    assert talk.shop.sold == []
    assert "works otherwise by now" in await talk.answer(turn)


@pytest.mark.parametrize("tampered", ["given", "version"])
async def test_a_yes_to_something_else_does_not_count(office: Office, tampered: str) -> None:
    """A call that is no longer what the yes was bound to does not happen."""
    talk = await begin_talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    db = office.line.workspace.db
    statement = (
        "UPDATE turn_moves SET given = '{\"words\": \"pay Eve\"}' WHERE kind = 'act'"
        if tampered == "given"
        else "UPDATE turns SET agent_version = 1"
    )
    office.line.house.errands.clear()
    if tampered == "version":  # a yes to the agent as it was is none to another version of it
        await db.write(lambda cursor: cursor.execute("UPDATE approvals SET sha256 = 'x'"))
        call = call.model_copy(update={"sha256": "x"})
    await db.write(lambda cursor: cursor.execute(statement))
    await talk.decide(call, approve=True)
    await talk.settle()
    assert talk.shop.sold == []
    assert "Nobody said yes" in await talk.answer(turn)


async def test_only_what_no_gate_denies_is_shown(office: Office) -> None:
    """No permission, no tool; no trust, none that writes; nobody to ask, none that asks."""
    ida = await user_of(office, "Ida")
    calling = Calling(office.line.house, office.line.workspace, ida)
    limits = TurnLimits(("queue", "tasks"), Trust.READ, (), 0.0, can_ask=True)
    shown = [*limits.choose_shown(TOOLS, calling)]
    assert "waiting_cases" in shown
    assert "add_task" not in shown
    trusted = replace(limits, trust=Trust.STANDARD)
    assert "add_task" in trusted.choose_shown(TOOLS, calling)
    asking = replace(trusted, approval_for=("add_task",))
    assert "add_task" in asking.choose_shown(TOOLS, calling)
    assert "add_task" not in replace(asking, can_ask=False).choose_shown(TOOLS, calling)
    nobody = ida.model_copy(update={"grants": ()})
    assert not [*trusted.choose_shown(TOOLS, replace(calling, principal=nobody))]


async def test_waiting_lives_through_a_restart(office: Office) -> None:
    """What comes up leaves a turn alone that waits, for days, and goes on once it is decided."""
    talk = await begin_talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    office.line.house.streams.forget(turn)
    assert not await resume_turns(office.line.house, office.line.workspace, talk.shop.toolbox)
    office.line.clock.forward(3 * 24 * 3600)
    await wake_due(office.line.house)
    assert not await resume_turns(office.line.house, office.line.workspace, talk.shop.toolbox)
    (call,) = await talk.waiting()
    await talk.decide(call, approve=True)
    await talk.settle()
    assert len(talk.shop.sold) == 1
    assert (await talk.answer(turn)).startswith("Sold")


async def test_over_the_api(office: Office) -> None:
    """What policy wants a yes for is listed, decided, stopped; by nobody else."""
    file = office.line.workspace.sources / "policy.yaml"
    file.write_text(f"{POLICY}\nagent_tools: {{ask_first: [tasks]}}\n")
    await sync_one(office.line.house, office.line.workspace)
    ida, ben = await office.sign_in("Ida"), await office.sign_in("Ben")
    chat = await ida.begin("taskmaster")
    turn = (await ida.post(f"/chats/{chat}/messages", {"text": ORDER})).json()["turn_id"]
    events = (await ida.get(f"/turns/{turn}/events")).text
    assert "event: waiting" in events
    (call,) = (await ida.get("/calls")).json()["items"]
    assert call["reasons"] == ["The organization's policy wants a person's yes."]
    assert (await ben.get("/calls")).json() == {"items": []}
    decision: dict[str, JsonValue] = {
        "version": call["version"],
        "sha256": call["sha256"],
        "approve": True,
    }
    refused = await ben.post(f"/calls/{call['approval_id']}", decision)
    assert refused.status_code == httpx.codes.FORBIDDEN
    stopped = await ben.post(f"/turns/{turn}/stop")
    assert stopped.status_code == httpx.codes.NOT_FOUND
    assert (await ida.post(f"/calls/{call['approval_id']}", decision)).json() == {"items": []}
    await ida.ended(turn)
    shown = (await ida.get(f"/turns/{turn}")).json()
    (act,) = [move for move in shown["moves"] if move["kind"] == "act"]
    assert [gate["permit"] for gate in act["gates"]].count("ask") == 1
    assert act["state"] == "done"
    assert (await ida.post(f"/turns/{turn}/stop")).status_code == httpx.codes.CONFLICT


async def _bell(talk: Talk) -> list[str]:
    """Return what is told of calls and was not seen."""
    unseen = "SELECT sentence FROM notifications WHERE kind = 'call' AND seen_at IS NULL"
    return [str(row["sentence"]) for row in await talk.office.line.rows(unseen)]


async def test_a_decision_leaves_what_is_told_of_other_calls(office: Office) -> None:
    """What still waits is told until it is decided on, or its turn is stopped."""
    talk = await begin_talk(office, Shop())
    await talk.say(ORDER)
    await talk.settle()
    second = await talk.say("Remind me on Friday at 9 to pay Ben")
    await talk.settle()
    first, _ = await talk.waiting()
    await talk.decide(first, approve=False)
    await talk.settle()
    (sentence,) = await _bell(talk)
    assert "pay Ben" in sentence
    house, workspace = office.line.house, office.line.workspace
    viewer = await build_viewer(house, workspace, talk.ida)
    await stop_turn(house, workspace, talk.shop.toolbox, second, talk.ida, viewer)
    assert await _bell(talk) == []
