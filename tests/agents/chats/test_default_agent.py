"""Which agent a chat begins with where nobody named one, with the reason that is kept."""

from collections.abc import Sequence

import pytest

from data.records.agents.agents import Agent
from data.states import AgentState
from tasks.agents.default_agent import choose_default_agent
from tests.agents.conftest import Office
from tests.core.small import Clock


def agent(slug: str, template: str = "", **changed: object) -> Agent:
    """Return an agent that works."""
    fields = {
        "slug": slug, "name": slug.title(), "description": "Works.", "accent_colour": "#445566",
        "state": AgentState.ACTIVE, "version": 1, "template": template or slug,
        "template_version": "1", "installed_by": "Postern", "installed_at": Clock()(),
    }  # fmt: skip
    return Agent.model_validate(fields | changed)


DESK, ASSISTANT, LIBRARIAN = agent("desk"), agent("assistant"), agent("librarian")
PAUSED = agent("assistant", state=AgentState.PAUSED)
OPEN = agent("assistant", unanswered=("team",))


@pytest.mark.parametrize(
    ("there", "able", "slug", "why"),
    [
        ([ASSISTANT, DESK], {"desk"}, "desk", "look into"),
        ([ASSISTANT, DESK], {"desk", "assistant"}, "assistant", "look into"),
        ([ASSISTANT, DESK], set(), "", ""),
        ([ASSISTANT, DESK], None, "assistant", "general"),
        ([DESK, agent("helper", "assistant")], None, "helper", "general"),
        ([PAUSED, DESK, LIBRARIAN], None, "desk", "first by name"),
        ([OPEN, LIBRARIAN], None, "librarian", "first by name"),
        ([PAUSED], None, "", ""),
    ],
)
def test_the_agent_follows_from_what_is_there(
    there: Sequence[Agent], able: set[str] | None, slug: str, why: str
) -> None:
    """Who can look into it, the general one, the first that works; nobody is one too."""
    chosen = choose_default_agent(there, able)
    assert (chosen[0].slug if chosen else "") == slug
    assert why in (chosen[1] if chosen else "")


async def test_a_chat_keeps_why_it_has_its_agent(office: Office) -> None:
    """Where nobody named one."""
    ida = await office.sign_in("Ida")
    chosen = (await ida.post("/chats", {})).json()
    assert (chosen["agent"], chosen["agent_why"]) == ("assistant", "It is the general one.")
    chat = (await ida.get(f"/chats/{chosen['id']}")).json()["chat"]
    assert chat["agent_why"] == chosen["agent_why"]
    assert (await ida.post("/chats", {"agent": "desk"})).json()["agent_why"] == ""
