"""A home of its own for each test, and a way to be the command line in it."""

import functools
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from flows.cli.application import app
from tests.copies import folder_of_process
from tests.ports import free_port

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home, in a folder without settings; nobody listens on its ports."""
    monkeypatch.chdir(tmp_path)
    for name in ("SMTP", "API", "UI", "PREFECT"):
        monkeypatch.setenv(f"POSTERN_{name}_PORT", str(free_port()))
    monkeypatch.delenv("POSTERN_HOME", raising=False)
    return tmp_path / "house"


@pytest.fixture
def run(home: Path) -> Run:
    """Run `postern --home … ARGS` in this process."""

    def command(*arguments: str | Path, given: bytes | None = None) -> Result:
        words = ["--home", str(home), *(str(one) for one in arguments)]
        return CliRunner().invoke(app, words, input=given)

    return command


@pytest.fixture
def organization(home: Path) -> str:
    """Put an organization into the home, made by the command; return its slug."""
    shutil.copytree(_harbor(), home)
    return "harbor"


@functools.cache
def _harbor() -> Path:
    home = folder_of_process() / "house"
    words = ["--home", str(home), "organization", "add", "harbor"]
    given = ["--name", "Harbor", "--address", "help@harbor.example"]
    made = CliRunner().invoke(app, [*words, *given])
    assert made.exit_code == 0, made.output
    return home


def start(*arguments: str, home: Path) -> subprocess.Popen[bytes]:
    """Start the command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "--home", str(home), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
