"""What an agent does by itself is what its role and who set it going may both do, and no more."""

import httpx
import pytest
import yaml

from data.records.agents.turns import Turn
from data.records.core.principals import Permission, Role
from data.store.agents import agents, turns
from data.store.core import users
from flows.agents.own_role import read_acting_principal
from tests.agents.conftest import Office, Talking

ROLES = {
    "watcher": (Permission.SEE,),
    "idle": (),
    "decider": (Permission.SEE, Permission.DECIDE),
}


async def _with_role(office: Office, role: str | None) -> Talking:
    """Give Desk a role, in the name of who manages users."""
    for slug, permissions in ROLES.items():
        await office.line.house.control.write(
            users.set_role, Role(slug=slug, name=slug, permissions=permissions)
        )
    ida = await office.sign_in("Ida")
    manifest = yaml.safe_load((await ida.get("/agents/desk/manifest")).text)
    manifest["governance"]["role"] = role
    body = {"manifest": yaml.safe_dump(manifest), "reason": "to work by itself"}
    changed = await ida.put("/agents/desk", body)
    assert changed.is_success, changed.text
    return ida


async def _run(somebody: Talking, text: str = "What waits for a person?") -> tuple[str, str, str]:
    """Set Desk going; return its answer, the chat and the turn."""
    begun = (await somebody.post("/agents/desk/run", {"text": text})).json()
    await somebody.ended(begun["turn_id"])
    chat = begun["message"]["chat_id"]
    shown = (await somebody.get(f"/chats/{chat}")).json()["messages"]
    return shown[-1]["text"], chat, begun["turn_id"]


@pytest.mark.parametrize(("role", "looks"), [("watcher", True), ("decider", True), ("idle", False)])
async def test_it_has_the_tools_that_its_role_permits(
    office: Office, role: str, *, looks: bool
) -> None:
    """No permissions, no tools: what is not permitted is not there at all."""
    ida = await _with_role(office, role)
    answer, _, turn = await _run(ida)
    assert ("the queue is empty" in answer) is looks
    moves = (await ida.get(f"/turns/{turn}")).json()["moves"]
    acts = [move for move in moves if move["kind"] == "act"]
    assert bool(acts) is looks
    gates = {gate["gate"]: gate["reason"] for move in acts for gate in move["gates"]}
    assert "The agent's role" in gates.get("permission", "The agent's role")


@pytest.mark.parametrize(
    ("role", "permission", "allowed"),
    [
        ("watcher", Permission.SEE, True),
        ("watcher", Permission.DECIDE, False),
        ("decider", Permission.DECIDE, True),
        ("decider", Permission.TEACH, False),
        ("idle", Permission.SEE, False),
    ],
)
async def test_of_two_the_smaller_counts(
    office: Office, role: str, permission: Permission, *, allowed: bool
) -> None:
    """An administrator lends it nothing; who may only look takes away what the role has more."""
    await _with_role(office, role)
    line = office.line
    workspace = line.workspace
    ida, vera = await office.sign_in("Ada"), await office.sign_in("Vera", "viewer")
    by_itself = await _own_turn(ida)
    supervised = by_itself.model_copy(update={"by_itself": False})
    desk = await workspace.db.read(agents.read_agent, "desk")
    admin = await line.house.control.read(users.read_principal, ida.user_id)
    viewer = await line.house.control.read(users.read_principal, vera.user_id)
    own = await read_acting_principal(line.house, workspace, by_itself, desk, role, admin)
    assert own.may(permission, workspace.slug) is allowed
    assert not own.may(permission, "another-organization")
    lent = await read_acting_principal(line.house, workspace, by_itself, desk, role, viewer)
    assert lent.may(permission, workspace.slug) is (allowed and permission is Permission.SEE)
    asked = await read_acting_principal(line.house, workspace, supervised, desk, role, admin)
    assert asked.may(permission, workspace.slug)


async def _own_turn(somebody: Talking) -> Turn:
    _, _, turn = await _run(somebody)
    return await somebody.line.workspace.db.read(turns.read_turn, turn)


async def test_without_a_role_it_does_nothing_by_itself(office: Office) -> None:
    """Nor with one that is gone; one that there never was is not saved."""
    ida = await office.sign_in("Ida")
    none = await ida.post("/agents/desk/run", {"text": "What waits?"})
    assert (none.status_code, "governance.role" in none.text) == (httpx.codes.CONFLICT, True)
    await _with_role(office, "watcher")
    await office.line.house.control.write(users.remove_role, "watcher")
    gone = await ida.post("/agents/desk/run", {"text": "What waits?"})
    assert "no role 'watcher' any more" in gone.text
    manifest = yaml.safe_load((await ida.get("/agents/desk/manifest")).text)
    body = {"manifest": yaml.safe_dump(manifest), "reason": "again"}
    refused = await ida.put("/agents/desk", body)
    assert "there is no role 'watcher'" in refused.text
    again = await ida.post("/agents/desk/restore", {"version": 2, "reason": "again"})
    assert "there is no role 'watcher'" in again.text
    await _with_role(office, "watcher")
    await ida.post("/agents/desk/pause")
    paused = await ida.post("/agents/desk/run", {"text": "What waits?"})
    assert "postern agent resume desk" in paused.text
    assert (await ida.get("/chats")).json()["total"] == 0, "what it cannot do leaves no chat"


async def test_only_who_manages_users_sets_it_going(office: Office) -> None:
    """Everybody who works here reads what it said, and nobody's own memory was before it."""
    ida = await _with_role(office, "watcher")
    await ida.ask(await ida.begin("desk"), "Remember that my desk is on the third floor")
    vera = await office.sign_in("Vera", "reviewer")
    refused = await vera.post("/agents/desk/run", {"text": "What waits?"})
    assert refused.status_code == httpx.codes.FORBIDDEN
    answer, chat, turn = await _run(ida, "Where is my desk?")
    assert "third floor" not in answer
    assert (await vera.get(f"/chats/{chat}")).json()["messages"][-1]["text"] == answer
    view = (await ida.get(f"/turns/{turn}")).json()["turn"]
    assert (view["by_itself"], view["asked_by"]) == (True, ida.user_id)
