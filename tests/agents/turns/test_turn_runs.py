"""Turns are shown in Prefect once they have ended, without a word of what was said."""

import json
from collections.abc import Iterator
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.sorting import ArtifactSort
from prefect.settings import PREFECT_API_URL, temporary_settings

from data.states import TurnState
from data.store.agents import turns as turn_rows
from flows.agents.ending import end_turn_early
from flows.core.current import set_house
from flows.running.loops import turns_round
from tests.agents.conftest import Office
from tests.core.running.prefect_server import Server
from tests.core.small import SLUG

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("prefect"),
    pytest.mark.timeout(1200),
    # Prefect's client leaves sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
SECRET = "the heron feather 4711"
ORDER = f"Remind me tomorrow at 9 to bring {SECRET}"


@pytest.fixture
def housed(office: Office, prefect_server: Server) -> Iterator[Office]:
    """The office as the one that flows of this process work in."""
    set_house(office.line.house)
    yield office
    set_house(None)


async def test_a_turn_that_changed_something_has_a_run_and_a_look_up_has_none(
    housed: Office, caplog: pytest.LogCaptureFixture
) -> None:
    """The run bears the agent's name, its log how it went, its table the moves and the chat."""
    ida = await housed.sign_in("Ida")
    chat = await ida.begin("taskmaster")
    await ida.ask(await ida.begin("desk"), "What is urgent?")
    answer = await ida.ask(chat, ORDER)
    assert await turns_round(housed.line.house)
    assert not await turns_round(housed.line.house)
    shown = (await ida.get(f"/turns/{answer['turn_id']}")).json()
    run_id = UUID(shown["turn"]["run_id"])
    assert shown["run_url"].endswith(f"/runs/flow-run/{run_id}")
    async with get_client() as client:
        run = await client.read_flow_run(run_id)
        tables = await client.read_artifacts(limit=10, sort=ArtifactSort.CREATED_DESC)
    assert run.name == f"turns {SLUG} taskmaster"
    lines = [one.getMessage() for one in caplog.records if one.name == "prefect.flow_runs"]
    assert any(
        line.startswith("taskmaster: completed in ") and line.endswith("; 0 requests, 1 call")
        for line in lines
    ), lines
    table = next(one for one in tables if one.key == f"turns-{SLUG}")
    rows = json.loads(str(table.data)) if isinstance(table.data, str) else table.data
    acts = [row for row in rows if row["move"] == "act"]
    assert [(row["name"], row["state"]) for row in acts] == [("add_task", "done")]
    assert {row["turn"] for row in rows} == {answer["turn_id"]}
    assert all(row["link"].endswith(f"/chats?chat={chat}") for row in rows)
    assert "4711" not in f"{table.data}{table.description}{lines}{run.name}{run.parameters}"


async def test_a_backlog_is_one_run(housed: Office) -> None:
    """Several turns share a run, those that failed among them, and their reason is not told."""
    ida = await housed.sign_in("Ida")
    for agent in ("taskmaster", "assistant"):
        await ida.ask(await ida.begin(agent), ORDER)
    db = housed.line.workspace.db
    (row,) = await housed.line.rows("SELECT turn_id FROM turns_to_show LIMIT 1")
    turn = await db.read(turn_rows.read_turn, str(row["turn_id"]))
    fresh = turn.model_copy(
        update={"id": f"{turn.id}x", "state": TurnState.ACTIVE, "ended_at": None}
    )
    await db.write(turn_rows.begin, fresh)
    await db.write(end_turn_early, fresh.id, SECRET, "Postern", housed.line.clock())
    assert await turns_round(housed.line.house)
    async with get_client() as client:
        (run_id,) = {
            UUID(str(row["run_id"])) for row in await housed.line.rows("SELECT run_id FROM turns")
        }
        assert (await client.read_flow_run(run_id)).name == f"turns {SLUG} × 3"
        tables = await client.read_artifacts(limit=10, sort=ArtifactSort.CREATED_DESC)
    assert '"ended": "failed"' in json.dumps(tables[0].data).replace('\\"', '"')
    assert "4711" not in str(tables[0].data)


async def test_turns_end_without_prefect_and_are_shown_later(housed: Office) -> None:
    """Where nobody listens, the answer comes as ever, and the turn waits to be shown."""
    ida = await housed.sign_in("Ida")
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}):
        answer = await ida.ask(await ida.begin("taskmaster"), ORDER)
        with pytest.raises(Exception, match="Failed to reach API"):
            await turns_round(housed.line.house)
    assert "4711" in answer["text"]
    assert await turns_round(housed.line.house)
    shown = (await ida.get(f"/turns/{answer['turn_id']}")).json()
    assert shown["turn"]["run_id"]
