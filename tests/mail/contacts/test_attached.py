"""Files of our own and letters that answer nothing, in what is exported and erased."""

import io
import zipfile
from hashlib import sha256

from data.records.mail.contacts import EraseContact
from data.records.mail.new_mail import WriteMail
from data.records.mail.orders import Approve
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from flows.mail.people import attaching, reviewing, writing_new_mail
from flows.mail.people.contact_export import export_contact
from flows.mail.people.erasing import erase
from tests.core.small import CUSTOMER, Line
from tests.mail.contacts.held import OTHER, holding
from tests.people import person

OWN, SHARED = b"a price for the quixotword alone", b"a price list for everybody"
NEW = "nora@alder.example"


async def attach(line: Line, case: str, name: str, content: bytes) -> None:
    """Attach a file to the letter of a case."""
    view = await case_view(line.house, line.workspace, case)
    await attaching.attach_file(
        line.house, line.workspace, case, view.version, name, content, person("ida")
    )


async def approve(line: Line, case: str) -> None:
    """Approve the letter of a case, and let it leave."""
    view = await case_view(line.house, line.workspace, case)
    given = Approve(version=view.version, approval_hash=view.approval_hash, confirmed=True)
    await reviewing.approve(line.house, line.workspace, case, given, person("ida"))
    assert await delivery_batch(line.house, line.workspace) == 1


async def test_files_are_exported_and_go_with_the_contact(line: Line) -> None:
    """What somebody else's letter carries too stays; every other byte of them is gone."""
    line.send("When is the workshop open?")
    line.send("When is the workshop open?", sender=OTHER)
    await line.run()
    rows = await line.rows("SELECT id, contact_email FROM cases")
    case = {str(row["contact_email"]): str(row["id"]) for row in rows}
    await attach(line, case[CUSTOMER], "own.bin", OWN)
    await attach(line, case[CUSTOMER], "Liste für alle.bin", SHARED)
    await attach(line, case[OTHER], "list.bin", SHARED)
    await approve(line, case[CUSTOMER])
    exported = await export_contact(line.house, line.workspace, [CUSTOMER])
    with zipfile.ZipFile(io.BytesIO(exported)) as packed:
        names = {name for name in packed.namelist() if name.startswith("attached/")}
        assert {packed.read(name) for name in names} == {OWN, SHARED}
        assert {name.partition("-")[2] for name in names} == {"own.bin", "Liste für alle.bin"}
        assert {"attached_files.jsonl", "delivery_files.jsonl"} <= set(packed.namelist())

    await erase(line.house, line.workspace, EraseContact(address=CUSTOMER), person("ida"))
    archive = line.workspace.archive
    assert not archive.path(sha256(OWN).hexdigest()).exists()
    assert archive.path(sha256(SHARED).hexdigest()).exists()
    assert holding(line.house.settings.home, b"own.bin") == []
    left = await line.rows("SELECT filename FROM attached_files")
    assert [row["filename"] for row in left] == ["list.bin"]
    assert await line.rows("SELECT * FROM delivery_files") == []
    await approve(line, case[OTHER])


async def test_a_letter_that_answers_nothing_goes_with_its_contact(line: Line) -> None:
    """Contact, conversation, case and what has left."""
    given = WriteMail(to=NEW, subject="Quixotword", body="Hello,\n\nthe loom is ready.\n")
    case = await writing_new_mail.write_mail(line.house, line.workspace, given, person("ida"))
    await approve(line, case)
    await erase(line.house, line.workspace, EraseContact(address=NEW), person("ida"))
    left = await line.rows(
        "SELECT id FROM cases UNION ALL SELECT id FROM threads UNION ALL SELECT id FROM deliveries "
        "UNION ALL SELECT case_id FROM drafts UNION ALL SELECT message_id FROM own_message_ids"
    )
    assert left == []
    assert await line.rows("SELECT * FROM contacts WHERE email = ?", NEW) == []
    assert holding(line.house.settings.home, b"Quixotword") == []
