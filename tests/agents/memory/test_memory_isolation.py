"""What is remembered of a person alone is shown to nobody else, administrators included."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.memory.leaking import leaks

ROOT = Path(__file__).resolve().parents[3]
STORE, INDEX = "data/store/agents/memories.py", "connectors/memory_index.py"
HOLDS = 'WITHIN = "layer IN (SELECT unnest(?::VARCHAR[]))"'
BROKEN = 'WITHIN = "(layer IN (SELECT unnest(?::VARCHAR[])) OR true)"'
INDEX_HOLDS = 'return f"layer IN ({_quote_names(layers)})"'
INDEX_BROKEN = 'return f"(layer IN ({_quote_names(layers)}) OR true)"'


@pytest.mark.timeout(500)  # a thousand facts asked for over every surface
async def test_nobody_is_shown_what_is_anothers(tmp_path: Path) -> None:
    """Twenty users with fifty facts each, over the API, the tools, the context and chats."""
    assert await leaks(tmp_path / "var") == []


@pytest.mark.timeout(500)  # another Python that loads everything, on a machine that others use
def test_a_broken_filter_is_noticed(tmp_path: Path) -> None:
    """Over a copy of Postern in which the filters of the store and of the index let all through.

    A few people are enough for that: what leaks, leaks at the first of them.
    """
    _copy(tmp_path, STORE, HOLDS, BROKEN)
    _copy(tmp_path, INDEX, INDEX_HOLDS, INDEX_BROKEN)
    _link_the_rest(ROOT, tmp_path)
    ended = subprocess.run(
        [sys.executable, "-m", "tests.agents.memory.leaking"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "LEAKING": "4 14"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) > 0


def _copy(tree: Path, name: str, holds: str, broken: str) -> None:
    """Write a changed copy of one file."""
    text = (ROOT / name).read_text("utf-8")
    assert text.count(holds) == 1
    target = tree / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text.replace(holds, broken), "utf-8")


def _link_the_rest(source: Path, target: Path) -> None:
    """Link what is not in the copy to what Postern has."""
    for path in source.iterdir():
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        copied = target / path.name
        if not copied.exists():
            copied.symlink_to(path)
        elif path.is_dir() and not copied.is_symlink():
            _link_the_rest(path, copied)
