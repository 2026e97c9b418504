"""A home of its own for each test, and a way to be the command line in it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from flows.cli.application import app

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, in a working folder without a settings file; ports nobody listens on."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(("SMTP", "API", "UI", "PREFECT")):
        monkeypatch.setenv(f"POSTERN_{name}_PORT", str(45_310 + number))
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
def organization(run: Run) -> str:
    """An organization in the home; returns its slug."""
    made = run("organization", "add", "harbor", "--name", "Harbor", "--address", "help@harbor.example")
    assert made.exit_code == 0, made.output
    return "harbor"


def start(*arguments: str, home: Path) -> subprocess.Popen[bytes]:
    """Start the command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "--home", str(home), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
