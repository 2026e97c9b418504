"""A turn that was cut off goes on behind its last committed move, and does nothing twice."""

import asyncio
from dataclasses import dataclass, field

import pytest

from data.records.agents.chats import NewChat, Say
from data.records.core.record import Record
from data.records.core.tools import Effect, Item, ToolResult
from data.store.agents import chats, turns
from data.store.core import users
from flows.agents.chats import begin_chat, say_in_chat
from flows.agents.listening import follow_turn
from flows.agents.running import resume_turns
from flows.core.tools import Calling, Tool, Toolbox
from tests.agents.conftest import Office
from tests.agents.tools.declared import declared
from tests.core.small import settle


class Anything(Record):
    """Takes what the real tool takes."""

    priority: str = ""


@dataclass
class Counting:
    """A tool in the place of the queue's, which can be cut off in the middle of a call."""

    effect: Effect = Effect.NONE
    calls: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    let: asyncio.Event = field(default_factory=asyncio.Event)

    def toolbox(self) -> Toolbox:
        """Return it as the only tool."""
        declaration = declared("waiting_cases", group="queue", effect=self.effect)
        return Toolbox([Tool(declaration, Anything, self._work)])

    async def _work(self, calling: Calling, given: Anything) -> ToolResult:
        self.calls += 1
        self.begun.set()
        await self.let.wait()
        return ToolResult(items=(Item(title=f"call {self.calls}"),), total=1)


async def _cut_off(office: Office, tool: Counting) -> str:
    """Let a turn be cut off while its tool works; return its id."""
    house, workspace = office.line.house, office.line.workspace
    ida = await house.control.read(users.read_principal, (await office.sign_in("Ida")).user_id)
    chat = await begin_chat(house, workspace, NewChat(agent="desk"), ida)
    said = await say_in_chat(
        house, workspace, tool.toolbox(), chat.id, Say(text="What is urgent?"), ida
    )
    await tool.begun.wait()
    (errand,) = house.errands
    errand.cancel()
    await asyncio.gather(errand, return_exceptions=True)
    return said.turn_id


@pytest.mark.parametrize(("effect", "calls"), [(Effect.NONE, 2), (Effect.INSIDE, 1)])
async def test_what_only_reads_is_done_again_and_what_writes_is_not(
    office: Office, effect: Effect, calls: int
) -> None:
    """Of an effect that nobody knows about the turn says so."""
    tool = Counting(effect)
    turn = await _cut_off(office, tool)
    db = office.line.workspace.db
    assert (await db.read(turns.read_turn, turn)).state == "active"
    house, workspace = office.line.house, office.line.workspace
    (heard_before,) = [place async for place, _ in follow_turn(house, workspace, turn)]
    house.streams.forget(turn)
    tool.let.set()
    assert await resume_turns(office.line.house, office.line.workspace, tool.toolbox())
    await settle(office.line.house)
    assert tool.calls == calls
    assert (await db.read(turns.read_turn, turn)).state == "completed"
    answer = await db.read(chats.find_answer, turn)
    assert answer is not None
    assert ("Nobody knows" in answer.text) == (effect is Effect.INSIDE)
    for last in (heard_before, heard_before + 6):  # of the engine before; the latter had said more
        for _ in ("stream", "state"):
            events = [event async for event in follow_turn(house, workspace, turn, last)]
            assert events[0][1].kind == "retract"
            said = "".join(event.text for _, event in events if event.kind == "text")
            assert (said, events[-1][1].kind) == (answer.text, "done")
            places = [last, *(place for place, _ in events[1:])]
            assert places == sorted(set(places))
            house.streams.forget(turn)
