"""`postern knowledge`: written from files, changed and brought back while no engine runs."""

from pathlib import Path

import pytest

from tests.commands.conftest import Run
from tests.reading.documents import WORDS, pdf


def test_a_file_is_written_changed_and_brought_back(
    run: Run, organization: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PDF becomes an entry; another file takes its place, and its first wording comes back."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")
    quote = tmp_path / "loom-quote.pdf"
    quote.write_bytes(pdf(WORDS))
    made = run("knowledge", "write", quote)
    assert "Kept loom-quote, version 1: Loom quote" in made.output, made.output
    assert "nine shafts" in run("knowledge", "show", "loom-quote").output
    newer = tmp_path / "newer.md"
    newer.write_text("---\ntitle: Loom quote\n---\nThe loom has ten shafts.\n", encoding="utf-8")
    changed = run("knowledge", "write", newer, "--replace", "loom-quote", "--why", "counted")
    assert "Kept loom-quote, version 2" in changed.output
    assert "+The loom has ten shafts." in run("knowledge", "versions", "loom-quote").output
    assert "is retired, version 3" in run("knowledge", "retire", "loom-quote").output
    assert "retired" in run("knowledge", "list", "--which", "retired").output
    assert "version 4" in run("knowledge", "restore", "loom-quote", "1").output
    assert "kept here" in run("knowledge", "list", "loom").output
    assert "Every question was answered." in run("knowledge", "unanswered").output
    refused = run("knowledge", "hand-back", "loom-quote")
    assert (refused.exit_code, "no file of the folder" in refused.output) == (1, True)
    picture = tmp_path / "photo.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    assert "is not knowledge yet" in run("knowledge", "write", picture).output
