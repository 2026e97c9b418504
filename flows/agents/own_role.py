"""An agent's own permissions: its role's, and never more than those of who set it going.

Asked in a chat an agent works with what the person may do, by itself with what the role of its
manifest permits. Where both are there the smaller counts (docs/agents.md#by-itself).
"""

from data.records.agents.agents import Agent
from data.records.agents.turns import Turn
from data.records.core.principals import EffectiveGrant, Permission, Principal
from data.store.core import users
from data.store.core.database import Connection
from flows.core.house import House
from flows.core.workspace import Workspace


def find_permissions(cursor: Connection, role: str) -> frozenset[Permission] | None:
    """Return what a role permits now; None where it is not there."""
    for there in users.list_roles(cursor):
        if there.slug == role:
            return frozenset(there.permissions)
    return None


async def read_acting_principal(
    house: House, workspace: Workspace, turn: Turn, agent: Agent, role: str, principal: Principal
) -> Principal:
    """Return in whose name a turn works, with what may be done in it.

    A person's turn has the person's permissions. What an agent does by itself has those of its
    role, as far as who set it going has them; without a role it has none.
    """
    if not turn.by_itself:
        return principal
    permissions = await house.control.read_once(find_permissions, role) or frozenset()
    both = frozenset(each for each in permissions if principal.may(each, workspace.slug))
    return principal.model_copy(
        update={
            "kind": "agent",
            "name": f"{agent.name}, by itself",
            "role": role,
            "grants": (EffectiveGrant(organization=workspace.slug, permissions=both),),
        }
    )
