"""`postern contact`, `postern backup` and `postern restore`, without an engine."""

import zipfile
from pathlib import Path

import pytest

from tests.core.commands.fixtures import Run

MARA = "mara@heron.example"
LINES = f"email,name\n{MARA},Mara\nbo@wren.example,Bo\n"


@pytest.fixture
def contacts(home: Path, organization: str) -> Path:
    """A file of contacts that no engine has loaded yet."""
    file = home / "organizations" / organization / "sources" / "contacts.csv"
    file.write_text(LINES)
    return file


def test_what_is_held_is_exported_then_erased_after_a_yes(
    run: Run, contacts: Path, tmp_path: Path
) -> None:
    """The zip has the contact's lines alone; after no they stay; after yes others' lines stay."""
    exported = run("contact", "export", MARA, "-o", tmp_path / "mara.zip")
    assert exported.exit_code == 0, exported.output
    with zipfile.ZipFile(tmp_path / "mara.zip") as archive:
        assert archive.namelist() == ["contact.json", "sources/contacts.csv"]
        assert archive.read("sources/contacts.csv") == f"email,name\n{MARA},Mara\n".encode()
    refused = run("contact", "erase", MARA, given=b"n\n")
    assert (refused.exit_code, "lines of contacts.csv" in refused.output) == (1, True)
    assert contacts.read_text() == LINES
    done = run("contact", "erase", MARA, "--yes")
    assert done.exit_code == 0, done.output
    assert contacts.read_text() == "email,name\nbo@wren.example,Bo\n"
    again = run("contact", "erase", MARA, "--yes")
    assert (again.exit_code, "it was erased on" in again.output) == (1, True)


@pytest.mark.usefixtures("contacts")
def test_a_backup_is_checked_and_put_back(run: Run, home: Path, tmp_path: Path) -> None:
    """Nothing is written over without --replace; what was there is set aside, sending stops."""
    copy = tmp_path / "copy"
    assert run("backup", "--to", copy).exit_code == 0
    assert run("restore", copy, "--check").exit_code == 0
    refused = run("restore", copy)
    assert (refused.exit_code, "--replace" in refused.output) == (1, True)
    run("organization", "edit", "--set", "name=Later", "--yes")
    assert run("restore", copy, "--replace").exit_code == 0
    assert '"name":"Harbor"' in run("organization", "list", "--json").stdout
    assert (home / "STOP").exists()
    (aside,) = home.glob("before-*")
    assert (aside / "control.duckdb").exists()
