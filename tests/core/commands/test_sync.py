"""`postern organization sync` beside an engine that runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.commands.fixtures import start
from tests.core.window.real_engine import Engine


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """Run the engine of the tiny organization, where the command finds it."""
    monkeypatch.chdir(tmp_path)
    running = Engine(tmp_path)
    monkeypatch.setenv("POSTERN_API_PORT", str(running.port))
    yield running
    running.close()


def sync(engine: Engine) -> tuple[int, str]:
    """Run the command in the engine's home; return how it ended and what it said."""
    command = start("organization", "sync", home=engine.line.house.settings.home)
    said, complained = command.communicate(timeout=150)
    return command.returncode, (said + complained).decode()


def test_what_cannot_be_used_is_told(engine: Engine) -> None:
    """The command names the file and fails; mended, it is loaded, and then nothing has changed."""
    contacts = engine.line.workspace.sources / "contacts.csv"
    assert sync(engine)[0] == 0
    contacts.write_text("name,telephone\nMara,12\n", encoding="utf-8")
    status, said = sync(engine)
    assert (status, "Not loaded: 'contacts.csv' has no column 'email'" in said) == (1, True)
    assert "stays in use" in said
    contacts.write_text("email,name\nmara@heron.example,Mara\n", encoding="utf-8")
    status, said = sync(engine)
    assert (status, "what changed is carried on" in said) == (0, True)
    status, said = sync(engine)
    assert (status, "nothing has changed" in said) == (0, True)
