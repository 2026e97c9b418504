"""Mail of two people, with words that stand nowhere else."""

from pathlib import Path

from data.records.mail.orders import Approve
from flows.mail.people import reviewing
from flows.sync import sync_one
from tests.core.small import CUSTOMER, Line
from tests.people import person

OTHER = "bo@wren.example"
WORDS = (
    b"quixotword", b"quixotsubject", b"quixotnote", b"quixotplus", b"quixothistory",
    b"quixotplan", b"quixotfetched",
)  # fmt: skip
"""Words of the customer's mail and files."""
PLUS = "mara+shop@heron.example"
CONTACTS = f'email,name,notes\nmara@heron.example,Mara,"pays late,\nquixotnote"\n{OTHER},Bo,\n'
ACCOUNTS = f"email,plan\nmara@heron.example,quixotplan\n{OTHER},Bobbin\n"
FETCHED = f"email,account,plan\nmara@heron.example,2,quixotfetched\n{OTHER},3,Shuttle\n"
HISTORY = (
    '{"contact": "mara@heron.example", "direction": "inbound", '
    '"at": "2025-03-01T10:00:00+00:00", "subject": "Earlier", "text": "quixothistory"}\n'
    '{"contact": "bo@wren.example", "direction": "inbound", '
    '"at": "2025-03-02T10:00:00+00:00", "subject": "Bobbins", "text": "Do you sell bobbins?"}\n'
)


def holding(home: Path, word: bytes) -> list[str]:
    """Return the files of a home in which a word stands."""
    return sorted(
        str(path.relative_to(home))
        for path in home.rglob("*")
        if path.is_file() and word in path.read_bytes()
    )


async def fill(line: Line) -> None:
    """Write the files, and have mail of both worked on."""
    (line.workspace.sources / "contacts.csv").write_text(CONTACTS)
    (line.workspace.sources / "history.jsonl").write_text(HISTORY)
    (line.workspace.sources / "accounts.csv").write_text(ACCOUNTS)
    (line.workspace.sources / "accounts.fetched.csv").write_text(FETCHED)
    await sync_one(line.house, line.workspace)
    line.send("What are your opening hours? quixotword", subject="Hours quixotsubject")
    line.send("What does an inspection cost? quixotplus", sender=PLUS, subject="Repair")
    line.send("Do you repair looms?", sender=OTHER, subject="Looms")
    await line.run()


async def answer(line: Line, sender: str = CUSTOMER) -> None:
    """Approve and send the reply to a sender."""
    from flows.api.mail.review.case_view import case_view
    from flows.delivery import delivery_batch

    found = await line.rows("SELECT id FROM cases WHERE contact_email = ?", sender)
    view = await case_view(line.house, line.workspace, str(found[0]["id"]))
    given = Approve(version=view.version, approval_hash=view.approval_hash)
    await reviewing.approve(line.house, line.workspace, view.id, given, person("ida"))
    line.clock.forward(60)
    await delivery_batch(line.house, line.workspace)
