"""dlt on the engine's connection: it changes nothing but the tables, and phones nobody."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from connectors.sources import load_sources
from data.errors import StoreError
from data.store.core.connecting import Connection, connect
from data.store.core.loaded import read_knowledge
from tests.core.roster.conftest import entry


def test_the_connection_is_left_as_it_was(connection: Connection, folder: Path, work: Path) -> None:
    """It stays open, in its schema, with its settings; no working file stays behind."""
    asked = (
        "SELECT current_schema(), current_setting('search_path'), "
        "current_setting('checkpoint_threshold')"
    )
    before = connection.execute(asked).fetchone()
    connection.execute("CREATE TABLE ours (a INTEGER)")
    load_sources(connection, folder, work)
    assert connection.execute(asked).fetchone() == before
    assert connection.execute("SELECT count(*) FROM ours").fetchone() == (0,)
    assert list(work.iterdir()) == []


def test_what_a_killed_load_left_is_thrown_away(
    connection: Connection, folder: Path, work: Path
) -> None:
    """Leftovers of any kind in the working folder do not reach the tables."""
    leftover = work / "organization_files" / "load" / "normalized" / "17.5"
    leftover.mkdir(parents=True)
    (leftover / "knowledge.1.insert_values").write_text("garbage")
    (work / "organization_files" / "state.json").write_text("{")
    assert load_sources(connection, folder, work).tables["knowledge"] == 2
    assert len(read_knowledge(connection)) == 2


def test_two_organizations_load_from_two_threads(tmp_path: Path, folder: Path) -> None:
    """Loads at the same time, away from the main thread, do not mix."""
    found: dict[str, list[str]] = {}

    def load(name: str) -> None:
        root = tmp_path / name
        root.mkdir()
        entry(root, name, f"About {name}.")
        with connect(str(tmp_path / f"{name}.duckdb")) as own:
            load_sources(own, root, tmp_path / f"work-{name}")
            found[name] = [known.body for known in read_knowledge(own)]

    threads = [threading.Thread(target=load, args=(name,)) for name in ("rye", "barley")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"rye": ["About rye."], "barley": ["About barley."]}


def test_a_database_that_takes_nothing_is_an_error_with_a_sentence(
    folder: Path, tmp_path: Path, work: Path
) -> None:
    """A failed load says so, may be tried again, and leaves nothing behind."""
    connect(str(tmp_path / "shut.duckdb")).close()
    with connect(str(tmp_path / "shut.duckdb"), read_only=True) as shut:
        with pytest.raises(StoreError, match="next load tries again") as caught:
            load_sources(shut, folder, work)
        assert caught.value.retryable
        assert "\n" not in str(caught.value)
        assert read_knowledge(shut) == []
    assert list(work.iterdir()) == []


@pytest.mark.slow
def test_nothing_phones_home_and_nothing_is_written_elsewhere(folder: Path, tmp_path: Path) -> None:
    """In a fresh process: telemetry is off, no output, no file in home or working folder.

    No settings or secrets of another program are looked for, Streamlit's least of all. dlt is
    imported for the first load alone; a process that finds nothing to do never loads it.
    """
    script = """
import sys
from pathlib import Path
from data.store.core.connecting import connect
from connectors.sources import load_sources
root, state, work = map(Path, sys.argv[1:])
with connect(str(state)) as connection:
    changed = load_sources(connection, root, work).changed
    assert ("dlt" in sys.modules) is changed
    assert "streamlit" not in sys.modules
    if changed:
        from dlt.common.runtime import anon_tracker
        from dlt.common.configuration.container import Container
        from dlt.common.configuration.specs.pluggable_run_context import PluggableRunContext
        config = Container()[PluggableRunContext].context.runtime_config
        assert config.dlthub_telemetry is False
        assert config.sentry_dsn is None
        assert anon_tracker._ANON_TRACKER_ENDPOINT is None
"""
    home, cwd = tmp_path / "home", tmp_path / "cwd"
    home.mkdir()
    (cwd / ".dlt").mkdir(parents=True)
    (cwd / ".dlt" / "config.toml").write_text("[runtime]\ndlthub_telemetry = true\n")
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    arguments = [str(folder), str(tmp_path / "state.duckdb"), str(tmp_path / "work")]
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert list(home.rglob("*")) == []
    assert [path.name for path in cwd.rglob("*")] == [".dlt", "config.toml"]
