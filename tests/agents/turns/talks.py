"""A chat with an agent whose one tool is a shop: what it sells, somebody outside would notice."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from data.records.agents.chats import NewChat, Say
from data.records.agents.turns import CallDecision
from data.records.core.principals import Principal
from data.records.core.record import Record
from data.records.core.tools import Effect, ToolResult
from data.store.agents import chats, turns
from data.store.core import users
from flows.agents.chats import begin_chat, say_in_chat
from flows.agents.deciding_calls import decide_call, read_waiting_calls
from flows.core.tools import Calling, Tool, Toolbox
from tests.agents.conftest import Office
from tests.agents.tools.declared import declared
from tests.core.small import settle

ORDER = "Remind me tomorrow at 9 to call Ana"


class Words(Record):
    """Takes what the real tool takes."""

    words: str = ""
    language: str = "en"


@dataclass
class Shop:
    """A tool in the place of the one that adds tasks, which somebody outside would notice."""

    effect: Effect = Effect.INSIDE
    approval: bool = True
    goes_to: str = ""
    sold: list[str] = field(default_factory=list)
    wait: asyncio.Event | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def toolbox(self) -> Toolbox:
        """It as the only tool."""
        declaration = declared(
            "add_task", group="tasks", effect=self.effect, approval=self.approval
        ).model_copy(update={"goes_to": self.goes_to})
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
        said = await say_in_chat(
            line.house, line.workspace, self.shop.toolbox, self.chat, Say(text=text), self.ida
        )
        return said.turn_id

    async def settle(self) -> None:
        """Wait until nothing runs any more."""
        await settle(self.office.line.house)

    async def answer(self, turn: str) -> str:
        """Return what the agent said in a turn, or why it said nothing."""
        db = self.office.line.workspace.db
        answer = await db.read(chats.find_answer, turn)
        return answer.text if answer is not None else (await db.read(turns.read_turn, turn)).note

    async def waiting(self, principal: Principal | None = None) -> list[Any]:
        """Return the calls that wait for somebody."""
        db = self.office.line.workspace.db
        return list(await db.read(read_waiting_calls, self.shop.toolbox, principal or self.ida))

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


async def user_of(office: Office, name: str) -> Principal:
    """Sign somebody in; return who that is."""
    signed_in = await office.sign_in(name)
    return await office.line.house.control.read(users.read_principal, signed_in.user_id)


async def begin_talk(office: Office, shop: Shop) -> Talk:
    """Begin a chat of Ida with the Taskmaster, whose tool is this shop."""
    ida = await user_of(office, "Ida")
    chat = await begin_chat(
        office.line.house, office.line.workspace, NewChat(agent="taskmaster"), ida
    )
    return Talk(office, shop, ida, chat.id)
