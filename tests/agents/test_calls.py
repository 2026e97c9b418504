"""Calls that wait for a person: exactly what is shown, decided once, by who asked."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import JsonValue

from data.errors import PosternError
from data.records.agents.chats import NewChat, Say, Viewer
from data.records.agents.turns import CallDecision
from data.records.core.principals import Principal
from data.records.core.record import Record
from data.records.core.tools import Effect, ToolResult, Trust
from data.records.mail.contacts import EraseContact
from data.states import ChatState
from data.store.agents import chats, turns
from data.store.core import approvals, users
from data.store.core.database import Connection
from flows.agents.calls import TurnLimits
from flows.agents.chats import begin_chat, say, viewer_of
from flows.agents.deciding_calls import decide_call, waiting_calls
from flows.agents.keeping_chats import remove_chat
from flows.agents.lifecycle import install_catalogue
from flows.agents.running import resume_turns, stop_turn
from flows.agents.turn import MOST_TRIES
from flows.core.tools import Calling, Tool, Toolbox
from flows.mail.people.erasing import erase
from flows.running.agents import TOOLS
from flows.running.waiting import wake_due
from flows.sync import sync_one
from tests.agents.conftest import Office
from tests.agents.declared import declared
from tests.line.small import POLICY, api_over, open_line


class Words(Record):
    """Takes what the real tool takes."""

    words: str = ""
    language: str = "en"


@dataclass
class Shop:
    """A tool in the place of the one that adds tasks, which somebody outside would notice."""

    effect: Effect = Effect.INSIDE
    approval: bool = True
    sold: list[str] = field(default_factory=list)
    wait: asyncio.Event | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def toolbox(self) -> Toolbox:
        """It as the only tool."""
        declaration = declared(
            "add_task", group="tasks", effect=self.effect, approval=self.approval
        )
        return Toolbox([Tool(declaration, Words, self._sell)])

    async def _sell(self, calling: Calling, given: Words) -> ToolResult:
        self.begun.set()
        if self.wait is not None:
            await self.wait.wait()
        self.sold.append(given.words)
        return ToolResult(sentence=f"Sold: {given.words}.")


@dataclass
class Talk:
    """A chat of Ida with the Taskmaster."""

    office: Office
    shop: Shop
    ida: Principal
    chat: str

    async def say(self, text: str) -> str:
        """Say something; return the turn that answers it."""
        line = self.office.line
        said = await say(
            line.house, line.workspace, self.shop.toolbox, self.chat, Say(text=text), self.ida
        )
        return said.turn_id

    async def settle(self) -> None:
        """Wait until nothing runs any more."""
        while self.office.line.house.errands:
            await asyncio.gather(*self.office.line.house.errands, return_exceptions=True)

    async def answer(self, turn: str) -> str:
        """Return what the agent said in a turn, or why it said nothing."""
        db = self.office.line.workspace.db
        answer = await db.read(chats.answer_of, turn)
        return answer.text if answer is not None else (await db.read(turns.turn, turn)).note

    async def waiting(self, principal: Principal | None = None) -> list[Any]:
        """Return the calls that wait for somebody."""
        db = self.office.line.workspace.db
        return list(await db.read(waiting_calls, self.shop.toolbox, principal or self.ida))

    async def decide(
        self,
        call: Any,  # noqa: ANN401
        *,
        approve: bool,
        principal: Principal | None = None,
        **more: Any,  # noqa: ANN401
    ) -> None:
        """Say yes or no."""
        line = self.office.line
        given = {"version": call.version, "sha256": call.sha256, "approve": approve} | more
        await decide_call(
            line.house,
            line.workspace,
            self.shop.toolbox,
            call.approval_id,
            CallDecision.model_validate(given),
            principal or self.ida,
        )


async def _user(office: Office, name: str) -> Principal:
    signed_in = await office.sign_in(name)
    return await office.line.house.control.read(users.principal, signed_in.user_id)


async def _talk(office: Office, shop: Shop) -> Talk:
    ida = await _user(office, "Ida")
    chat = await begin_chat(
        office.line.house, office.line.workspace, NewChat(agent="taskmaster"), ida
    )
    return Talk(office, shop, ida, chat.id)


async def _state(talk: Talk) -> ChatState:
    def read(cursor: Connection) -> ChatState:
        chat = chats.chat_of(cursor, talk.chat, Viewer(user=talk.ida.id))
        return turns.states_of_chats(cursor, [chat])[chat.id]

    return await talk.office.line.workspace.db.read(read)


ORDER = "Remind me tomorrow at 9 to call Ana"


async def test_a_call_waits_for_a_yes_and_happens_once(office: Office) -> None:
    """What waits is shown with its arguments and reasons; the yes is in the audit log."""
    talk = await _talk(office, Shop())
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
    with pytest.raises(Exception, match=r"decided on this|not what was shown"):
        await talk.decide(call, approve=True)
    assert await resume_turns(office.line.house, office.line.workspace, talk.shop.toolbox) is False


async def test_a_no_is_told_with_its_words(office: Office) -> None:
    """Nothing happens, and the answer says who said no and why."""
    talk = await _talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    (call,) = await talk.waiting()
    await talk.decide(call, approve=False, note="not on a Sunday")
    await talk.settle()
    assert talk.shop.sold == []
    answer = await talk.answer(turn)
    assert answer.startswith("That was not done. Ida said no")
    assert "not on a Sunday" in answer


async def test_what_a_person_changes_is_what_happens(office: Office) -> None:
    """The first question is withdrawn; arguments that are not the tool's are refused."""
    talk = await _talk(office, Shop())
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
    talk = await _talk(office, Shop())
    await talk.say(ORDER)
    await talk.settle()
    boss = (await _user(office, "Boss")).model_copy(update={"grants": talk.ida.grants})
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


async def test_a_removed_chat_leaves_no_word_of_its_calls(office: Office) -> None:
    """A chat in which something waits is stopped first; then nothing of it is left anywhere."""
    talk = await _talk(office, Shop())
    turn = await talk.say("Remind me tomorrow at 9 to call Quillfeather")
    await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    with pytest.raises(Exception, match="stop it first"):
        await remove_chat(house, workspace, talk.chat, talk.ida)
    viewer = await viewer_of(house, workspace, talk.ida)
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
    talk = await _talk(office, Shop())
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
    assert (await workspace.db.read(turns.turn, turn)).ended_at is not None


@pytest.mark.parametrize("tampered", ["given", "version"])
async def test_a_yes_to_something_else_does_not_count(office: Office, tampered: str) -> None:
    """A call that is no longer what the yes was bound to does not happen."""
    talk = await _talk(office, Shop())
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
    ida = await _user(office, "Ida")
    calling = Calling(office.line.house, office.line.workspace, ida)
    limits = TurnLimits(("queue", "tasks"), Trust.READ, (), 0.0, can_ask=True)
    shown = [*limits.shown(TOOLS, calling)]
    assert "waiting_cases" in shown
    assert "add_task" not in shown
    trusted = replace(limits, trust=Trust.STANDARD)
    assert "add_task" in trusted.shown(TOOLS, calling)
    asking = replace(trusted, approval_for=("add_task",))
    assert "add_task" in asking.shown(TOOLS, calling)
    assert "add_task" not in replace(asking, can_ask=False).shown(TOOLS, calling)
    nobody = ida.model_copy(update={"grants": ()})
    assert not [*trusted.shown(TOOLS, replace(calling, principal=nobody))]


async def test_waiting_lives_through_a_restart(office: Office) -> None:
    """An engine that comes up leaves a turn alone that waits, and goes on once it is decided."""
    talk = await _talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    office.line.house.streams.forget(turn)
    assert not await resume_turns(office.line.house, office.line.workspace, talk.shop.toolbox)
    (call,) = await talk.waiting()
    await talk.decide(call, approve=True)
    await talk.settle()
    assert len(talk.shop.sold) == 1
    assert (await talk.answer(turn)).startswith("Sold")


async def test_a_turn_that_waits_for_somebody_who_is_gone_ends(office: Office) -> None:
    """With a sentence; nothing happens, and nobody is asked any more."""
    await office.sign_in("Boss")
    talk = await _talk(office, Shop())
    turn = await talk.say(ORDER)
    await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    assert not await resume_turns(house, workspace, talk.shop.toolbox)
    await house.control.write(users.end_user, talk.ida.id, house.clock())
    assert await resume_turns(house, workspace, talk.shop.toolbox)
    ended = await workspace.db.read(turns.turn, turn)
    assert (ended.state, ended.note) == ("failed", "who asked is no user any more")
    assert await talk.waiting() == []
    assert talk.shop.sold == []


async def test_what_is_said_meanwhile_is_one_next_turn(office: Office) -> None:
    """Three messages while the agent works are two turns: the one at work and one for the rest."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await _talk(office, shop)
    first = await talk.say(ORDER)
    await shop.begun.wait()
    second, third = await talk.say("Hello"), await talk.say("Remind me on Friday at 9 to pay Ben")
    assert second == third != first
    assert shop.wait is not None
    shop.wait.set()
    await talk.settle()
    turn = await office.line.workspace.db.read(turns.turn, second)
    assert (turn.state, len(turn.also)) == ("completed", 1)
    assert await talk.answer(second)


async def test_a_turn_that_waits_for_a_person_holds_nobody(office: Office) -> None:
    """Who has not decided yet can go on talking."""
    talk = await _talk(office, Shop())
    await talk.say(ORDER)
    await talk.settle()
    second = await talk.say("What can you do?")
    await talk.settle()
    assert await talk.answer(second)
    assert len(await talk.waiting()) == 1


@pytest.mark.parametrize("held", ["at work", "waiting for a yes"])
async def test_a_turn_is_stopped(office: Office, held: str) -> None:
    """By who asked; what it was at is unknown, what it asked is withdrawn, the next begins."""
    shop = Shop(approval=held != "at work", wait=asyncio.Event() if held == "at work" else None)
    talk = await _talk(office, shop)
    turn = await talk.say(ORDER)
    if held == "at work":
        await shop.begun.wait()
        queued = await talk.say("What can you do?")
    else:
        await talk.settle()
    house, workspace = office.line.house, office.line.workspace
    viewer = await viewer_of(house, workspace, talk.ida)
    stopped = await stop_turn(house, workspace, shop.toolbox, turn, talk.ida, viewer)
    assert (stopped.state, stopped.note) == ("failed", "Stopped by Ida.")
    await talk.settle()
    assert shop.sold == []
    assert await talk.waiting() == []
    acts = [one.state for one in await workspace.db.read(turns.moves, turn) if one.kind == "act"]
    assert acts == ["unknown" if held == "at work" else "failed"]
    if held == "at work":
        assert await talk.answer(queued)
    with pytest.raises(Exception, match="ended already"):
        await stop_turn(house, workspace, shop.toolbox, turn, talk.ida, viewer)


async def test_a_turn_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """With a sentence; the chat goes on."""
    async with open_line(tmp_path / "var", turn_seconds=0.5) as line:
        await install_catalogue(line.house, line.workspace)
        shop = Shop(approval=False, wait=asyncio.Event())
        talk = await _talk(Office(line, api_over(line.house)), shop)
        turn = await talk.say(ORDER)
        await talk.settle()
        assert "longer than 0.5 seconds" in await talk.answer(turn)
        assert await talk.answer(await _after(talk))


async def _after(talk: Talk) -> str:
    turn = await talk.say("Hello")
    await talk.settle()
    return turn


async def test_a_turn_over_which_engines_die_is_given_up(office: Office) -> None:
    """It is begun three times, and not again and again with every start."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await _talk(office, shop)
    turn = await talk.say(ORDER)
    house, workspace = office.line.house, office.line.workspace
    for _ in range(MOST_TRIES):
        await shop.begun.wait()
        shop.begun.clear()
        for errand in list(house.errands):
            errand.cancel()
        await asyncio.gather(*house.errands, return_exceptions=True)
        await workspace.db.write(
            lambda cursor: cursor.execute("DELETE FROM turn_moves WHERE kind = 'act'")
        )
        assert await resume_turns(house, workspace, shop.toolbox)
    await talk.settle()
    assert "never came to its end" in await talk.answer(turn)


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
