"""Erasing a contact: not a byte stays, everybody else's stays whole."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.errors import ConflictError, ManifestError, NotFoundError
from data.records.mail.contacts import EraseContact
from data.store.core import audit
from flows.mail.people.erasing import erase
from flows.mail.people.holdings import holdings
from flows.sync import sync_one
from tests.core.small import CUSTOMER, Line, letter, open_line
from tests.mail.contacts.held import OTHER, PLUS, WORDS, answer, fill, holding
from tests.people import person

MARA = EraseContact(address="Mara@Heron.example")


async def make_filled(home: Path) -> None:
    """Make the tiny organization in that folder, with mail of two people worked on."""
    async with open_line(home) as line:
        await fill(line)


@pytest.fixture
async def line(tmp_path: Path) -> AsyncIterator[Line]:
    """The line of the organization that holds mail of two people."""
    async with open_line(tmp_path / "var", make_filled) as opened:
        yield opened


async def test_no_byte_of_the_contact_is_left(tmp_path: Path) -> None:
    """Words and addresses that could be read in the folder before are in no file of it after."""
    home = tmp_path / "var"
    async with open_line(home) as line:
        await fill(line)
        await answer(line)
        assert {word: bool(holding(home, word)) for word in WORDS} == dict.fromkeys(WORDS, True)
        assert len(list((home / "outgoing" / "new").iterdir())) == 1
        done = await erase(line.house, line.workspace, MARA, person("ida"))
        assert (done.finished, done.note) == (True, "")
        addresses = (CUSTOMER.encode(), PLUS.encode())
        assert [one for word in (*WORDS, *addresses) for one in holding(home, word)] == []
        assert list((home / "outgoing" / "new").iterdir()) == []
    assert [one for word in (*WORDS, *addresses) for one in holding(home, word)] == []


async def test_others_stay_whole_and_the_line_goes_on(line: Line) -> None:
    """The other contact's case can be answered, and the erased one's next mail is new mail."""
    await erase(line.house, line.workspace, MARA, person("ida"))
    await sync_one(line.house, line.workspace)
    assert await line.rows("SELECT email FROM contacts") == [{"email": OTHER}]
    await answer(line, OTHER)
    assert await line.rows("SELECT state, rcpt_to FROM deliveries") == [
        {"state": "sent", "rcpt_to": [OTHER]}
    ]
    again = line.send("When are you open on Fridays?")
    await line.run()
    assert await line.status(again) == "draft_ready"
    left = (line.workspace.sources / "history.jsonl").read_text()
    assert (left.count("\n"), "bobbins" in left) == (1, True)


async def test_a_sync_under_way_brings_nobody_back(line: Line) -> None:
    """Erasing waits for the end of a sync, and a sync for the end of an erasure."""
    async with line.workspace.sync_lock:
        erasing = asyncio.create_task(erase(line.house, line.workspace, MARA, person("ida")))
        syncing = asyncio.create_task(sync_one(line.house, line.workspace))
        await asyncio.wait((erasing,), timeout=3)
        assert (erasing.done(), syncing.done()) == (False, False)
        assert await line.rows("SELECT email FROM contacts WHERE email = ?", CUSTOMER)
    await asyncio.gather(erasing, syncing)
    assert await line.rows("SELECT email FROM contacts") == [{"email": OTHER}]


async def test_the_audit_log_says_who_and_when_and_still_holds(line: Line) -> None:
    """Events about the contact lose their words, the chain stays whole, and no address is told."""
    await answer(line)
    await answer(line, OTHER)
    await erase(line.house, line.workspace, MARA, person("ida"))
    events = await line.rows("SELECT * FROM audit_events ORDER BY sequence")
    assert [(one["actor"], one["action"], one["subject"] == "case:erased") for one in events] == [
        ("ida", "approve", True),
        ("ida", "approve", False),
        ("ida", "erase-contact", False),
    ]
    assert str(events[-1]["detail"]).endswith("without words: 1")
    assert await line.workspace.db.read(audit.find_break) is None
    told = await holdings(line.house, line.workspace, [CUSTOMER])
    assert (told.nothing, len(told.erased_before)) == (True, 1)


@pytest.mark.parametrize("sequence", [1, 2])
async def test_words_taken_away_by_anybody_else_break_the_chain(line: Line, sequence: int) -> None:
    """An event that no erasure names cannot be emptied, an emptied one cannot be filled."""
    await answer(line)
    await answer(line, OTHER)
    await erase(line.house, line.workspace, MARA, person("ida"))
    changed = "UPDATE audit_events SET detail = 'x', redacted_by = ? WHERE sequence = ?"
    by = 3 if sequence == 2 else None
    await line.workspace.db.write(lambda c: c.execute(changed, [by, sequence]))
    assert await line.workspace.db.read(audit.find_break) == sequence


async def test_what_is_held_back_is_not_erased(line: Line) -> None:
    """A legal hold, an unknown delivery and a name that is no address stop it, all data stays."""
    await answer(line)
    with pytest.raises(ManifestError, match="'mara' is no mail address"):
        await erase(line.house, line.workspace, EraseContact(address="mara"), person("ida"))
    with pytest.raises(NotFoundError, match=r"nothing is held on nobody@x\.example"):
        await erase(
            line.house, line.workspace, EraseContact(address="nobody@x.example"), person("ida")
        )
    hold = line.workspace.folder / "legal_hold.txt"
    hold.write_text("# until the case is closed\n@heron.example dispute 7\n")
    with pytest.raises(ConflictError, match=r"line 2 keeps '@heron.example' \(dispute 7\)"):
        await erase(line.house, line.workspace, MARA, person("ida"))
    hold.unlink()
    unknown = "UPDATE deliveries SET state = 'unknown'"
    await line.workspace.db.write(lambda c: c.execute(unknown))
    with pytest.raises(ConflictError, match="say in the outbox what became of it first"):
        await erase(line.house, line.workspace, MARA, person("ida"))
    assert len(await line.rows("SELECT * FROM messages WHERE sender_email = ?", CUSTOMER)) == 1


async def test_bytes_that_somebody_else_sent_too_stay(tmp_path: Path) -> None:
    """An archived file goes when the last message with that hash does."""
    async with open_line(tmp_path / "var") as line:
        raw = letter("The same words to all.", sender=CUSTOMER)
        line.send("", raw=raw)
        line.send("", raw=raw, sender=OTHER)  # handed on by another server: the envelope differs
        await line.run()
        found = await line.rows("SELECT DISTINCT raw_sha256 FROM messages")
        kept = line.workspace.archive.path(str(found[0]["raw_sha256"]))
        await line.workspace.db.write(
            lambda c: c.execute(
                "UPDATE messages SET sender_email = ?, contact_id = 'bo' WHERE mail_from = ?",
                [OTHER, OTHER],
            )
        )
        await erase(line.house, line.workspace, MARA, person("ida"))
        assert kept.exists()
        await erase(line.house, line.workspace, EraseContact(address=OTHER), person("ida"))
        assert not kept.exists()


async def test_another_address_of_the_same_person_goes_along(line: Line) -> None:
    """`also` names addresses that no rule connects; a form with a plus is meant alone."""
    plus = await holdings(line.house, line.workspace, [PLUS])
    assert plus.addresses == (PLUS,)
    both = await holdings(line.house, line.workspace, [CUSTOMER, OTHER])
    assert both.addresses == (CUSTOMER, OTHER, PLUS)
    given = EraseContact(address=CUSTOMER, also=(OTHER,))
    await erase(line.house, line.workspace, given, person("ida"))
    assert await line.rows("SELECT id FROM messages") == []
    assert await line.rows("SELECT id FROM threads") == []


@pytest.mark.parametrize(
    ("line_of_file", "sentence"),
    [
        (f"{CUSTOMER}\tdispute 7\n".encode(), r"keeps 'mara@heron.example' \(dispute 7\)"),
        (f"\ufeff{CUSTOMER}\r\n".encode(), "keeps 'mara@heron.example'"),
        (f"{CUSTOMER.upper()}, dispute\n".encode(), "keeps 'MARA@HERON.EXAMPLE'"),
        (b"<mara@heron.example>: dispute\n", "keeps 'mara@heron.example'"),
        ("Müller streitet\n".encode("latin-1"), "line 1 names no address"),
        (b"mara at heron dot example\n", "line 1 names no address"),
    ],
    ids=["tab", "mark", "comma", "brackets", "latin", "words"],
)
async def test_a_hold_counts_however_it_is_written(
    line: Line, line_of_file: bytes, sentence: str
) -> None:
    """As an editor or a hand leaves it; a line that nobody can read holds everything back."""
    (line.workspace.folder / "legal_hold.txt").write_bytes(line_of_file)
    with pytest.raises(ConflictError, match=sentence):
        await erase(line.house, line.workspace, MARA, person("ida"))
    assert len(await line.rows("SELECT * FROM messages WHERE sender_email = ?", CUSTOMER)) == 1
