"""`postern knowledge`: written from files, changed and brought back while no engine runs."""

from pathlib import Path

import pytest

from tests.core.commands.fixtures import Run
from tests.core.reading.documents import WORDS, pdf


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


def test_many_files_are_written_each_with_its_outcome(
    run: Run, organization: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be read holds up no other, and the status says that there was one."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")
    names = ("prices.md", "torn.txt", "hire.txt")
    prices, torn, hire = (tmp_path / name for name in names)
    prices.write_text("# Prices\n\nA reed costs 12 euros.\n", encoding="utf-8")
    torn.write_bytes(b"\xff\xfe\xff")
    hire.write_text("A loom is hired from 20 euros a week.\n", encoding="utf-8")
    written = run("knowledge", "write", prices, torn, hire)
    assert written.exit_code == 1
    assert "'torn.txt' is not knowledge yet" in written.output
    assert "2 of 3 files are knowledge now." in written.output
    assert "12 euros" in run("knowledge", "show", "prices").output
    refused = run("knowledge", "write", prices, hire, "--replace", "prices")
    assert (refused.exit_code, "one entry can take one file" in refused.output) == (1, True)
