"""Taking mail in from the spool, where one organization cannot store its own."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from data.errors import SpoolError, StoreError
from data.records.core.envelope import Channel
from data.store.core.backups import verify_backup
from flows.core.administration.backing_up import back_up
from flows.core.workspace import Workspace
from flows.engine import settle_opened
from flows.health.report import look_at_installation
from flows.mail.line.mailroom import has_mail_waiting
from flows.mail.line.take import take_in_waiting
from tests.core.small import TEASEL, Line, client_of, settle

DESK = "desk@reed.example"


async def add_reed(line: Line) -> Workspace:
    """Make another organization."""
    fields = {"slug": "reed", "name": "Reed Boats", "addresses": (DESK,)}
    await line.house.add_organization(TEASEL.model_copy(update=fields))
    return await line.house.get_workspace("reed")


async def test_one_organization_s_trouble_holds_up_nobody_else_s_mail(line: Line) -> None:
    """Mail of the one whose archive is broken waits, in however long a row; the other's goes by."""
    reed = await add_reed(line)
    archive, aside = reed.folder / "archive", reed.folder / "aside"
    archive.rename(aside)
    archive.write_text("no folder")
    theirs = [line.send(f"Question {n}", to=DESK, sender=f"{n}@heron.example") for n in range(3)]
    mine = line.send("How long does a repair take?")
    with pytest.raises(Exception, match="archive"):
        await take_in_waiting(line.house, 2)
    assert await line.status(mine) == "received"
    assert [entry.spool_id for entry in line.house.spool.list_waiting(10)] == theirs

    archive.unlink()
    aside.rename(archive)
    assert await take_in_waiting(line.house, 2) == {"reed": 2}
    assert await take_in_waiting(line.house, 2) == {"reed": 1}
    assert await take_in_waiting(line.house, 2) == {}


async def test_mail_for_two_of_which_one_cannot_store_it_comes_to_each_once(line: Line) -> None:
    """The organization that has it already gets no second one when the other's turn comes."""
    reed = await add_reed(line)
    archive, aside = reed.folder / "archive", reed.folder / "aside"
    archive.rename(aside)
    archive.write_text("no folder")
    address = TEASEL.addresses[0]
    raw = b"From: mara@heron.example\r\nSubject: Both\r\n\r\nWhen are you open?\r\n"
    line.house.spool.put(
        raw, channel=Channel.SMTP, mail_from="mara@heron.example", rcpt_to=(address, DESK)
    )
    with pytest.raises(Exception, match="archive"):
        await take_in_waiting(line.house, 10)
    archive.unlink()
    aside.rename(archive)
    assert await take_in_waiting(line.house, 10) == {"reed": 1, "teasel": 0}
    assert line.house.spool.list_waiting(10) == []
    assert len(await line.rows("SELECT id FROM messages")) == 1


async def test_a_file_that_cannot_be_read_holds_up_no_other(line: Line) -> None:
    """It waits in the spool, and is told; what came after it is taken in."""
    line.send("When are you open?")
    mine = line.send("How long does a repair take?")
    (broken, _) = line.house.spool.list_waiting(10)
    broken.path.unlink()
    broken.path.mkdir()
    with pytest.raises(SpoolError, match="check the disk"):
        await take_in_waiting(line.house, 100)
    assert await line.status(mine) == "received"
    assert [entry.spool_id for entry in line.house.spool.list_waiting(10)] == [broken.spool_id]


async def test_an_organization_that_cannot_be_opened_holds_up_nobody(
    line: Line, tmp_path: Path
) -> None:
    """The others start, its mail waits, it is told everywhere, and it is taken up again."""
    house, reed = line.house, await add_reed(line)
    await house.workspaces.pop("reed").close()
    state, whole = reed.db.path, reed.db.path.read_bytes()
    state.write_bytes(b"no state of ours")
    house.settle = partial(settle_opened, house)
    assert [workspace.slug for workspace in await house.list_workspaces()] == ["teasel"]
    with pytest.raises(StoreError, match=r"Reed Boats cannot be opened: .*state\.duckdb"):
        await house.get_workspace("reed")

    theirs = [line.send(f"Question {n}", to=DESK, sender=f"{n}@heron.example") for n in range(3)]
    mine = line.send("How long does a repair take?")
    assert has_mail_waiting(house)
    assert await take_in_waiting(house, 2) == {"teasel": 1}
    assert await line.status(mine) == "received"
    assert [entry.spool_id for entry in house.spool.list_waiting(10)] == theirs
    assert not has_mail_waiting(house)

    async with client_of(line) as client:
        assert (await client.get("/healthz")).json().items() >= {
            "status": "degraded",
            "unopened": 1,
        }.items()
        refused = await client.get("/v1/reed/queue")
        assert (refused.status_code, "Reed Boats" in refused.text) == (503, True)
        assert (await client.get("/v1/teasel/queue")).status_code == 200
    report = await look_at_installation(house, {}, machine=False)
    (told,) = [one for one in report.findings if (one.group, one.status) == ("reed", "fail")]
    assert "Its mail is accepted and waits" in told.sentence
    backup = await back_up(house, tmp_path / "backup")
    assert (list(backup.organizations), backup.unchecked) == (["teasel"], ("reed",))
    verify_backup(tmp_path / "backup")

    state.write_bytes(whole)
    house.unopened["reed"] = replace(house.unopened["reed"], again_at=0.0)
    assert len(await house.list_workspaces()) == 1
    await settle(house)
    assert len(await house.list_workspaces()) == 2
    assert has_mail_waiting(house)
    assert await take_in_waiting(house, 10) == {"reed": 3}
    assert house.spool.list_waiting(10) == []
