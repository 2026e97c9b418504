"""Setting an agent going: it works by itself, in a chat that the whole organization sees."""

from data.errors import ConflictError
from data.records.agents.agents import OwnWork
from data.records.agents.chats import ChatKind, NewChat, Said, Say
from data.records.core.principals import Principal
from flows.agents.available import read_existing, read_manifest
from flows.agents.chats import begin_chat, must_work, say_in_chat
from flows.agents.own_role import find_permissions
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace


async def begin_own_work(
    house: House,
    workspace: Workspace,
    tools: Toolbox,
    slug: str,
    order: OwnWork,
    principal: Principal,
) -> Said:
    """Have an agent work on something by itself, in a chat that the whole organization sees.

    Raises:
        NotFoundError: there is no such agent.
        ConflictError: it has no role, or none that is there, or begins no turns now.

    """
    agent = await workspace.db.read(read_existing, slug)
    must_work(agent)
    role = (await workspace.db.read(read_manifest, agent)).agent.governance.role
    if not role:
        raise ConflictError(
            f"{agent.name} does nothing by itself: its manifest gives it no governance.role"
        )
    permissions = await house.control.read_once(find_permissions, role)
    if permissions is None:
        raise ConflictError(f"there is no role {role!r} any more; give {agent.name} another one")
    new_chat = NewChat(agent=slug, kind=ChatKind.ORGANIZATION, title=order.text[:80])
    chat = await begin_chat(house, workspace, new_chat, principal)
    words = Say(text=f"@{slug} {order.text}")
    return await say_in_chat(house, workspace, tools, chat.id, words, principal, by_itself=True)
