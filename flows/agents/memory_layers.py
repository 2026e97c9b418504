"""The layers of memory that may be read and changed, by who is there and who somebody is.

They follow from people, never from how an agent is configured (docs/agents.md#memory).
"""

from data.records.agents.chats import AuthorKind, Chat, ChatKind, ChatMessage
from data.records.agents.memories import ORGANIZATION_LAYER, Layer, LayerKind
from data.records.core.occasions import Occasion
from data.records.core.principals import Permission, Principal
from data.store.agents import agents, chats
from data.store.agents import memories as store
from data.store.core import teams as team_store
from data.store.core.database import Connection
from flows.core.house import House
from flows.core.workspace import Workspace


def list_readable_layers(occasion: Occasion) -> tuple[Layer, ...]:
    """Return the layers that may be read on an occasion; the agent's own always."""
    layers = [ORGANIZATION_LAYER]
    if occasion.agent:
        layers.append(Layer(kind=LayerKind.AGENT, owner=occasion.agent))
    if occasion.kind in ("team", "group"):
        layers += [Layer(kind=LayerKind.TEAM, owner=team) for team in occasion.teams]
    if occasion.kind == "direct" and occasion.user:
        layers.append(Layer(kind=LayerKind.USER, owner=occasion.user))
    return tuple(layers)


async def read_occasion(
    house: House, workspace: Workspace, chat: Chat, asked: ChatMessage, agent: str
) -> Occasion:
    """Return on which occasion an agent is asked: who is there, and which words began it.

    A team is in a group when everybody of the group is in the team: else somebody could read what
    a team knows by inviting one of its members.
    """
    teams: tuple[str, ...] = (chat.team,) if chat.team else ()
    if chat.kind is ChatKind.GROUP:
        members = await workspace.db.read(chats.list_members, chat.id)
        people = {member.member_id for member in members if member.kind is AuthorKind.PERSON}
        every = await house.control.read(team_store.list_teams, workspace.slug)
        teams = tuple(team.id for team in every if people and people <= set(team.members))
    return Occasion(
        kind=chat.kind,
        user=chat.owner if chat.kind is ChatKind.DIRECT else "",
        teams=teams,
        agent=agent,
        about=chat.about,
        chat_id=chat.id,
        turn_id=asked.turn_id,
        message_id=asked.id,
        words=asked.text,
    )


async def list_layers_of_person(
    house: House, workspace: Workspace, principal: Principal
) -> tuple[Layer, ...]:
    """Return the layers that a person may look into: the own one, the teams', the organization's.

    Nobody's own layer is another's, whatever a role permits. Who may teach sees besides what agents
    have of their own, where they have anything; it holds what all who may ask them may know.
    """
    if not principal.may_see(workspace.slug):
        return ()
    mine = sorted(
        await house.control.read_once(team_store.list_teams_of, workspace.slug, principal.id)
    )
    own = [Layer(kind=LayerKind.USER, owner=principal.id)] if principal.kind == "person" else []
    of_agents: list[Layer] = []
    if principal.may(Permission.TEACH, workspace.slug):
        of_agents = await workspace.db.read(_list_agent_layers)
    return (
        *own,
        *(Layer(kind=LayerKind.TEAM, owner=team) for team in mine),
        ORGANIZATION_LAYER,
        *of_agents,
    )


def _list_agent_layers(cursor: Connection) -> list[Layer]:
    """Return the layers of agents in which something is current."""
    every = [Layer(kind=LayerKind.AGENT, owner=agent.slug) for agent in agents.list_agents(cursor)]
    sizes = store.count_by_layer(cursor, every)
    return [layer for layer in every if sizes.get(layer.key)]


def may_change_layer(workspace: Workspace, principal: Principal, layer: Layer) -> bool:
    """Return whether somebody who sees a layer may say what is true in it."""
    if layer.kind in (LayerKind.USER, LayerKind.TEAM):
        return True
    return principal.may(Permission.TEACH, workspace.slug)
