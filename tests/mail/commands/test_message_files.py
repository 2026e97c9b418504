"""`postern message files`, without an engine: saved as they came, and drawn anew."""

import asyncio
import json
from email.message import EmailMessage
from pathlib import Path

from tests.core.commands.fixtures import Run
from tests.core.reading.pictures import SECRET, SVG, many_pages, wordy
from tests.core.small import ADDRESS, CUSTOMER, SLUG, open_line

MINE = ("--organization", SLUG)
PLAN = many_pages(12)
"""Made once: each time it bears another id."""


async def take_in(home: Path) -> str:
    """Let a mail with files come in; return its id."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = CUSTOMER, ADDRESS, "Three files"
    letter["Message-ID"] = "<files@quill.example>"
    letter.set_content("See these.")
    for name, content in (("a\tb.png", wordy()), ("..", PLAN), ("logo.png", SVG)):
        letter.add_attachment(content, maintype="image", subtype="png", filename=name)
    async with open_line(home) as line:
        item = line.send("", raw=letter.as_bytes())
        await line.run()
    return item


def test_files_are_listed_saved_and_drawn(run: Run, home: Path, tmp_path: Path) -> None:
    """No name of a sender leads out of the folder; what is not drawn says why."""
    item = asyncio.run(take_in(home))
    whole, drawn = tmp_path / "whole", tmp_path / "drawn"
    listed = run("message", "files", item, "--save", whole, "--preview", drawn, *MINE)
    assert listed.exit_code == 0, listed.output
    assert "Not drawn: There is no preview of this file" in listed.output
    saved = {path.name[:2]: path.read_bytes() for path in whole.iterdir()}
    assert saved == {"1-": wordy(), "2-": PLAN, "3-": SVG}
    pages = sorted(path.name for path in drawn.iterdir())
    assert len([name for name in pages if name.startswith("2-")]) == 10
    assert len([name for name in pages if name.startswith("1-")]) == 1
    assert not [name for name in pages if name.startswith("3-")]
    for path in drawn.iterdir():
        assert path.read_bytes().startswith(b"\x89PNG")
        assert SECRET not in path.read_bytes()
    again = run("message", "files", item, "--save", whole, *MINE)
    assert (again.exit_code, "is there already" in again.output) == (1, True)
    lines = run("message", "files", item, "--json", *MINE).stdout.splitlines()
    assert [json.loads(line)["size_bytes"] for line in lines][2] == len(SVG)
