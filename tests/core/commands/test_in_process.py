"""Commands without an engine: the same routes, in the command's own process."""

import asyncio
import contextlib
import hashlib
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

import flows.api
import flows.cli
from data.store.core.database import Database
from data.store.core.statements import rows
from flows.operating.in_process import SERVED_BY, served_by
from tests.core.commands.fixtures import Run, start

_OF_ORGANIZATION = re.compile(r"/v1/\{\w+\}/([a-z.-]+)")
"""The paths of an organization, as commands write them."""
READS = [
    ("organization", "list"),
    ("organization", "show"),
    ("token", "list"),
    ("user", "list"),
    ("role", "list"),
    ("team", "list"),
    ("route", "list"),
    ("rule", "list"),
    ("sender", "list"),
    ("models",),
    ("export", "messages"),
]


def contents(home: Path) -> dict[str, str]:
    """Return every file below the home with the hash of its bytes."""
    files = (path for path in home.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.usefixtures("organization")
def test_a_command_that_reads_writes_nothing(run: Run, home: Path) -> None:
    """No byte of the home is another one after a look, and no file is new."""
    before = contents(home)
    assert before
    for words in READS:
        seen = run(*words)
        assert seen.exit_code == 0, seen.output
        assert contents(home) == before, words


@pytest.mark.parametrize("words", [("organization", "list"), ("token", "list"), ("user", "list")])
def test_a_look_at_no_home_makes_none(run: Run, home: Path, words: tuple[str, ...]) -> None:
    """Who looks before anything is made hears that nothing is there, and makes nothing."""
    seen = run(*words)
    assert seen.exit_code == 0
    assert not home.exists()


def test_what_is_changed_is_in_the_name_of_the_operator(
    run: Run, home: Path, organization: str
) -> None:
    """The audit log says that this machine's operator did it, on the command line."""
    assert run("sender", "allow", "spam_words", "mara@heron.example").exit_code == 0
    database = Database(home / "organizations" / organization / "state.duckdb", "organization")
    events = asyncio.run(database.read(rows, "SELECT action, actor FROM audit_events"))
    database.close()
    assert [one["action"] for one in events] == ["add-organization", "allow"]
    assert all(one["actor"].endswith(" on the command line") for one in events)


def test_each_path_is_served_by_the_modules_that_are_named() -> None:
    """A path that the table knows has all the routes there that an engine has."""
    seen: set[str] = set()
    for module in walk_packages(flows.api.__path__, "flows.api."):
        router = getattr(import_module(module.name), "router", None)
        name = module.name.removeprefix("flows.api.")
        if not isinstance(router, APIRouter) or name.endswith("admin_sync"):
            continue  # loading files is for a running engine alone
        for path in (route.path for route in router.routes if isinstance(route, APIRoute)):
            with contextlib.suppress(LookupError):
                assert name in served_by(path), path
                seen.add(name)
    assert seen == {name for names in SERVED_BY.values() for name in names}


def test_each_path_that_a_command_asks_for_is_served() -> None:
    """Of an organization; without it the command ends in a LookupError where no engine runs."""
    files = Path(flows.cli.__file__).parent.rglob("*.py")
    asked = {name for file in files for name in _OF_ORGANIZATION.findall(file.read_text())}
    assert "memories" in asked
    for name in asked:
        assert served_by(f"/v1/harbor/{name}"), name


@pytest.mark.usefixtures("organization")
def test_no_command_loads_what_only_an_engine_needs(home: Path) -> None:
    """Neither Prefect, nor LanceDB, nor a model is loaded to list tokens or allowances."""
    for words in (("token", "list"), ("sender", "list")):
        program = (
            "import sys\n"
            "from flows.cli.application import app\n"
            f"app(['--home', {str(home)!r}, *{words!r}], standalone_mode=False)\n"
            "heavy = ('prefect', 'lancedb', 'dlt', 'pydantic_ai', 'streamlit')\n"
            "assert not [name for name in heavy if name in sys.modules]\n"
        )
        ended = subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr.decode()


@pytest.mark.usefixtures("organization")
def test_a_command_ends_without_a_word_about_its_own_memory(home: Path) -> None:
    """What DuckDB's binding lists at the end of a process does not come onto the terminal."""
    sentences = {
        ("list",): "No agent is installed yet; `postern up` installs those of the catalogue.\n",
        ("show", "nobody"): "postern: there is no agent 'nobody'; `postern agent list` names those "
        "here\n",
    }
    for words, sentence in sentences.items():
        _, errors = start("agent", *words, home=home).communicate(timeout=120)
        assert errors.decode() == sentence
