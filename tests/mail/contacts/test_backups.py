"""A backup taken while mail comes and goes, and what a home is after it was put back."""

import asyncio
import shutil
from pathlib import Path

import pytest

from data.errors import ConflictError, OutsidePermanentError, StoreBusyError
from data.store.core.backups import verify_backup
from flows.cli.core.restoring import put_back
from flows.core.administration.backing_up import back_up
from flows.delivery import delivery_batch
from flows.mail.line.take import take_in_waiting
from flows.opening import open_house
from flows.sync import sync_one
from tests.core.small import SLUG, Line, open_line, settings_in
from tests.mail.contacts.held import answer, fill

MAILS = 40


async def keep_coming(line: Line, sent: list[str]) -> None:
    """Send mail and take it in, a message at a time, without ever resting for long."""
    for number in range(MAILS):
        sent.append(line.send(f"Question {number}", sender=f"c{number}@wren.example"))
        if number % 3:
            await take_in_waiting(line.house, 5)
        await asyncio.sleep(0)


async def test_nothing_that_was_accepted_before_is_missing_afterwards(tmp_path: Path) -> None:
    """Each message is in the restored state or spool once, and can be read."""
    sent: list[str] = []
    async with open_line(tmp_path / "var") as line:
        await fill(line)
        before = [line.send("Before", sender=f"b{n}@wren.example") for n in range(8)]
        coming = asyncio.create_task(keep_coming(line, sent))
        made = await back_up(line.house, tmp_path / "copy")
        await coming
    assert (made.missing, made.organizations[SLUG] >= 3) == (0, True)
    assert verify_backup(tmp_path / "copy") == made
    settings = settings_in(tmp_path / "new")
    shutil.rmtree(settings.spool)
    put_back(settings, tmp_path / "copy", replace=False)
    house = await open_house(settings)
    try:
        while await take_in_waiting(house, 100):
            pass
        workspace = await house.get_workspace(SLUG)
        found = await workspace.db.read(
            lambda c: c.execute("SELECT id, raw_sha256 FROM messages").fetchall()
        )
        ids = [row[0] for row in found]
        assert len(ids) == len(set(ids))
        assert set(before) <= set(ids)
        assert all(workspace.archive.read(sha256) for _, sha256 in found)
        await sync_one(house, workspace)
        assert await workspace.knowledge.count() == 3
    finally:
        await house.close()


async def test_a_restored_home_sends_nothing_by_itself(tmp_path: Path) -> None:
    """The kill switch is on: a reply that waited may have left since."""
    async with open_line(tmp_path / "var") as line:
        await fill(line)
        await answer(line)
        waiting = "UPDATE deliveries SET state = 'queued'"
        await line.workspace.db.write(lambda c: c.execute(waiting))
        await back_up(line.house, tmp_path / "copy")
    settings = settings_in(tmp_path / "new")
    aside = put_back(settings, tmp_path / "copy", replace=True)
    assert aside is not None
    assert (aside / "spool").is_dir()
    house = await open_house(settings)
    try:
        workspace = await house.get_workspace(SLUG)
        await delivery_batch(house, workspace)
        states = await workspace.db.read(
            lambda c: c.execute("SELECT state FROM deliveries").fetchall()
        )
        assert states == [("queued",)]
    finally:
        await house.close()


@pytest.mark.parametrize(
    ("name", "harm", "said"),
    [
        ("backup.json", "remove", "was not finished"),
        ("backup.json", "{", "cannot be understood"),
        ("control.duckdb", "remove", "is missing"),
        ("secrets/key", "other", "is not what was backed up"),
    ],
)
async def test_a_damaged_backup_is_refused(
    line: Line, tmp_path: Path, name: str, harm: str, said: str
) -> None:
    """A missing, changed or unfinished part is named, before anything is put anywhere."""
    (line.house.settings.secrets / "key").write_text("secret")
    await back_up(line.house, tmp_path / "copy")
    path = tmp_path / "copy" / name
    if harm == "remove":
        path.unlink()
    else:
        path.write_text(harm)
    with pytest.raises(OutsidePermanentError, match=said):
        verify_backup(tmp_path / "copy")


async def test_neither_a_backup_nor_a_home_is_written_over(line: Line, tmp_path: Path) -> None:
    """A folder that exists, one inside of what is copied, a home in use: each is refused."""
    home = line.house.settings.home
    await back_up(line.house, tmp_path / "copy")
    with pytest.raises(ConflictError, match="is there already"):
        await back_up(line.house, tmp_path / "copy")
    with pytest.raises(ConflictError, match="would be part of itself"):
        await back_up(line.house, home / "organizations" / "copy")
    with pytest.raises(OutsidePermanentError, match="cannot be written"):
        await back_up(line.house, Path("/proc/nowhere/copy"))
    with pytest.raises(ConflictError, match="--replace sets that aside"):
        put_back(line.house.settings, tmp_path / "copy", replace=False)


def test_a_home_that_a_process_holds_is_not_replaced(tmp_path: Path) -> None:
    """While another process has the state open, nothing is moved."""
    import subprocess
    import sys

    settings = settings_in(tmp_path / "var")
    path = settings.home / "control.duckdb"
    hold = f"import duckdb, sys; c = duckdb.connect({str(path)!r}); print(1, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(StoreBusyError):
            put_back(settings, tmp_path / "copy", replace=True)
        other.kill()
    assert path.exists()
