"""The chats of the demo, held over the real engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from data.settings import load_settings
from flows.agents.lifecycle import install_catalogue
from flows.demo.demo_chats import PlayedChat, Remark, hold_chats, read_chats
from flows.operating.engine_api import Engine as Api
from tests.core.window.real_engine import Engine

MAUD = "maud@loom.example"
TEAM = PlayedChat(
    title="This morning",
    team="Workshop",
    agents=("desk", "taskmaster"),
    says=(
        Remark(by=MAUD, text="@desk What is urgent?"),
        Remark(text="Thank you, I take it."),
        Remark(by=MAUD, text="@taskmaster Remind me tomorrow at 9 to call Ana"),
    ),
)
ALONE = PlayedChat(agents=("assistant",), says=(Remark(text="Hello"),))


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Serve the tiny organization with its agents, and one urgent case."""
    engine = Engine(tmp_path / "var")
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))
    engine.receive(
        "There is smoke coming out of the loom and it smells of burning!", subject="Smoke"
    )
    yield engine
    engine.close()


def test_what_people_say_is_answered_and_no_token_of_theirs_stays(
    engine: Engine, tmp_path: Path
) -> None:
    """Each speaks in their own name; who opens the demo sees both chats."""
    settings = load_settings(home=tmp_path / "demo", api_port=engine.port)
    with Api(settings, engine.token) as api:
        _hold_and_look(engine, api)


def _hold_and_look(engine: Engine, api: Api) -> None:
    slug = engine.line.workspace.slug
    grant = {"role": "reviewer", "organization": slug}
    maud = api.post("/v1/users", {"name": "Maud", "email": MAUD, "grants": [grant]})["id"]

    assert hold_chats(api, slug, (TEAM, ALONE)) == 3
    chats = {chat["kind"]: chat for chat in api.get(f"/v1/{slug}/chats")["items"]}
    assert set(chats) == {"team", "direct"}
    said = api.get(f"/v1/{slug}/chats/{chats['team']['id']}")["messages"]
    assert [one["author_name"] for one in said] == ["Maud", "Desk", "admin", "Maud", "Taskmaster"]
    assert "One case is urgent" in said[1]["text"]
    assert "is on your list" in said[4]["text"]
    (task,) = engine.run(engine.line.rows("SELECT owner, title FROM tasks"))
    assert task == {"owner": maud, "title": "call Ana"}
    tokens = [one for one in api.get("/v1/tokens") if one["user_id"] == maud]
    assert [bool(one["revoked_at"]) for one in tokens] == [True]


def test_the_sample_has_a_chat_of_a_team_and_one_of_who_opens_the_demo() -> None:
    """A newcomer finds both; nothing that an agent says is written down."""
    team, alone = read_chats()
    assert {"desk", "taskmaster"} <= set(team.agents)
    assert all(remark.by for remark in team.says)
    assert not any(remark.by for remark in alone.says)
