"""Guarded moves of agents: only along the edges."""

from itertools import product
from pathlib import Path

from data.states import EDGES, AgentState
from data.store.agents import agents
from data.store.core.database import Database
from flows.agents.lifecycle import Origin, build_agent, read_catalogue
from tests.copies import empty_state
from tests.mail.store.test_moves import NOW


def test_an_agent_goes_where_the_table_says(tmp_path: Path) -> None:
    """Every pair of its states: what is no edge changes nothing."""
    database = Database(empty_state(tmp_path / "state.duckdb"), "organization")
    cursor = database.connection
    desk = build_agent(read_catalogue()["desk"], None, Origin("desk", "1", "Ida"), NOW)
    agents.install(cursor, desk, "", "1", NOW)
    for source, target in product(AgentState, AgentState):
        cursor.execute("UPDATE agents SET state = ?", [source])
        moved = agents.set_state(cursor, "desk", target)
        assert moved is (target in EDGES[AgentState][source]), (source, target)
        assert agents.read_agent(cursor, "desk").state is (target if moved else source)
    database.close()
