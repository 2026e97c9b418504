"""What is erased, or too old, is in no file of the index."""

from pathlib import Path

from data.records.mail.contacts import EraseContact
from data.settings import load_settings
from data.store.core.database import Connection
from flows.mail.knowing.mail_search import index_documents, index_round
from flows.mail.line.mail_line import mail_line_of
from flows.mail.people.erasing import erase
from flows.upkeep import tidy
from tests.core.small import CUSTOMER, Line, open_line
from tests.mail.contacts.held import holding
from tests.people import person

BO = "bo@wren.example"
CANARY = b"quixotword"


async def filled(line: Line) -> str:
    """Take mail of two into the index; return the id of the other's."""
    line.send("The quixotword is broken.", subject="Loom")
    other = line.send("Do you sell bobbins?", subject="Bobbins", sender=BO)
    await line.run()
    while await index_round(line.house):
        pass
    await index_documents(line.workspace)
    assert any("mail.lance" in path for path in holding(line.house.settings.home, CANARY))
    return other


async def test_an_erased_contact_is_in_no_file_of_the_index(tmp_path: Path) -> None:
    """The erased one's words are gone from every file, and the others' mail is still found."""
    async with open_line(tmp_path / "var") as line:
        other = await filled(line)
        done = await erase(
            line.house, line.workspace, EraseContact(address=CUSTOMER), person("ida")
        )
        assert (done.finished, done.note) == (True, "")
        assert holding(line.house.settings.home, CANARY) == []
        assert holding(line.house.settings.home, CUSTOMER.encode()) == []
        assert await mail_line_of(line.workspace).mail_index.ids() == {other}


async def test_mail_that_waits_for_the_index_is_erased_too(tmp_path: Path) -> None:
    """A document that the index has not got yet goes with the contact."""
    async with open_line(tmp_path / "var") as line:
        line.send("The quixotword is broken.", subject="Loom")
        await line.run()
        while await index_round(line.house):
            pass
        await erase(line.house, line.workspace, EraseContact(address=CUSTOMER), person("ida"))
        assert holding(line.house.settings.home, CANARY) == []
        assert await line.rows("SELECT * FROM mail_to_index") == []


async def test_retention_takes_mail_out_of_the_index(tmp_path: Path) -> None:
    """Words of mail whose raw form has been removed by age are in no file of the index."""
    async with open_line(tmp_path / "var") as line:
        await filled(line)
        line.house.settings = load_settings(home=tmp_path / "var", archive_days=30)
        await line.workspace.db.write(_age)
        late = line.send("Do you sell reeds?", subject="Reeds", sender=BO)
        await line.run()
        await tidy(line.house, line.workspace)
        left = [path for path in holding(line.house.settings.home, CANARY) if "mail.lance" in path]
        assert left == []
        assert await mail_line_of(line.workspace).mail_index.ids() == {late}
        await tidy(line.house, line.workspace)
        assert await mail_line_of(line.workspace).mail_index.ids() == {late}


def _age(cursor: Connection) -> None:
    """Let what has come have come a month earlier."""
    cursor.execute("UPDATE messages SET received_at = received_at - INTERVAL 31 DAY")
