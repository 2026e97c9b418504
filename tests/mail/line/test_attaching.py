"""Files of our own outlive an engine that ends between attaching and approving."""

from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from hashlib import sha256
from pathlib import Path

from data.records.mail.orders import Approve, ArchiveCase
from data.store.mail import attached_files
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from flows.mail.people import attaching, reviewing
from flows.upkeep import tidy
from tests.core.small import Line, open_line
from tests.mail.line.dying_parts import reopen
from tests.people import person

CONTENT = bytes(range(256)) * 10


async def waiting_case(line: Line) -> str:
    """Let a letter of a customer come in; return its case."""
    line.send("When is the workshop open?")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases")
    return str(row["id"])


async def attach(line: Line, case: str, name: str = "loom.bin") -> None:
    """Attach the file to the letter of a case."""
    view = await case_view(line.house, line.workspace, case)
    await attaching.attach_file(
        line.house, line.workspace, case, view.version, name, CONTENT, person("ida")
    )


async def test_what_was_attached_leaves_after_a_new_start(tmp_path: Path) -> None:
    """The bytes are in the archive before the letter has them, and are those that leave."""
    home = tmp_path / "var"
    async with open_line(home) as line:
        case = await waiting_case(line)
        await attach(line, case)
    house, workspace = await reopen(home)
    view = await case_view(house, workspace, case)
    assert [file.filename for file in view.attachments] == ["loom.bin"]
    given = Approve(version=view.version, approval_hash=view.approval_hash)
    await reviewing.approve(house, workspace, case, given, person("ida"))
    await house.close()
    house, workspace = await reopen(home)
    assert await delivery_batch(house, workspace) == 1
    await house.close()
    (written,) = (home / "outgoing" / "new").iterdir()
    sent = message_from_bytes(written.read_bytes(), policy=default)
    (file,) = sent.iter_attachments()  # type: ignore[attr-defined]
    assert (file.get_filename(), file.get_content()) == ("loom.bin", CONTENT)


async def test_what_was_cut_off_is_no_part_of_the_letter_and_goes(tmp_path: Path) -> None:
    """The engine ended with the row noted and perhaps the bytes kept; a day later both are gone."""
    async with open_line(tmp_path / "var") as line:
        case, archive = await waiting_case(line), line.workspace.archive
        (name,) = archive.keep([CONTENT])
        row = {
            "id": "cut-off",
            "case_id": case,
            "filename": "loom.bin",
            "content_type": "application/octet-stream",
            "size_bytes": len(CONTENT),
            "sha256": name,
            "warnings": [],
            "added_by": "ida",
            "added_at": line.clock(),
            "left_out_at": line.clock(),
        }
        await line.workspace.db.write(attached_files.add, row)
        assert (await case_view(line.house, line.workspace, case)).attachments == ()
        line.clock.forward(timedelta(days=2).total_seconds())
        await tidy(line.house, line.workspace)
        assert not archive.path(name).exists()
        assert await line.rows("SELECT * FROM attached_files") == []


async def test_files_of_a_letter_that_never_left_go_with_raw_mail(tmp_path: Path) -> None:
    """Once its case is closed and `archive_days` are over; before, it can be opened again."""
    async with open_line(tmp_path / "var") as line:
        line.house.settings = line.house.settings.model_copy(update={"archive_days": 5})
        case, archive = await waiting_case(line), line.workspace.archive
        await attach(line, case)
        view = await case_view(line.house, line.workspace, case)
        closing = ArchiveCase(version=view.version, note="")
        await reviewing.archive(line.house, line.workspace, case, closing, person("ida"))
        path = archive.path(sha256(CONTENT).hexdigest())
        for days, there in ((3, True), (3, False)):
            line.clock.forward(timedelta(days=days).total_seconds())
            await tidy(line.house, line.workspace)
            assert path.exists() is there
        assert (await case_view(line.house, line.workspace, case)).attachments == ()


async def test_retention_of_mail_leaves_a_file_that_is_the_same(tmp_path: Path) -> None:
    """Who attaches a mail as it came has it on the letter after the mail itself has gone."""
    async with open_line(tmp_path / "var") as line:
        line.house.settings = line.house.settings.model_copy(update={"archive_days": 5})
        case = await waiting_case(line)
        (row,) = await line.rows("SELECT raw_sha256 FROM messages")
        raw = line.workspace.archive.read(str(row["raw_sha256"]))
        view = await case_view(line.house, line.workspace, case)
        await attaching.attach_file(
            line.house, line.workspace, case, view.version, "mail.eml", raw, person("ida")
        )
        line.clock.forward(timedelta(days=9).total_seconds())
        await tidy(line.house, line.workspace)
        assert line.workspace.archive.read(str(row["raw_sha256"])) == raw
