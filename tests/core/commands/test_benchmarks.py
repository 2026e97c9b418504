"""`python -m benchmarks`: what it says before anything is measured."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent.parent


def _say(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )


def test_every_benchmark_is_listed_with_a_sentence_and_a_duration() -> None:
    """`--list` names all of them, says how long each takes and what it measures."""
    said = _say("--list")
    names = {path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py")}
    lines = {line.split()[0]: line for line in said.stdout.splitlines()}
    assert said.returncode == 0
    assert set(lines) == names
    assert all("minute" in line or "second" in line for line in lines.values())
    assert all(len(line.split()) > 6 for line in lines.values())


def test_an_unknown_benchmark_is_refused_with_the_names() -> None:
    """A name that is none, and an option without a name, run nothing."""
    unknown, option = _say("nothing"), _say("--mail", "x")
    assert unknown.returncode == 2
    assert "receive_sustained" in unknown.stdout
    assert option.returncode == 2
