"""`postern case attach | detach | copies` and `postern outbox show`, without an engine."""

import asyncio
import json
from pathlib import Path

from tests.core.commands.fixtures import Run
from tests.core.reading.pictures import picture
from tests.core.small import SLUG
from tests.mail.commands.test_cases import make_case

MINE = ("--organization", SLUG)


def test_files_are_attached_taken_off_shown_and_saved(run: Run, home: Path, tmp_path: Path) -> None:
    """What is refused says why; what has left is written out again, byte for byte."""
    case = asyncio.run(make_case(home))
    prices, door = tmp_path / "Preise März.csv", tmp_path / "door.txt"
    prices.write_bytes(b"a;b\r\n1;2\r\n")
    door.write_text("the password is: Gr8-Loom!77\n", encoding="utf-8")
    assert run("case", "attach", case, str(tmp_path / "nothing.pdf"), *MINE).exit_code == 1
    program = tmp_path / "setup.exe"
    program.write_bytes(b"MZ")
    refused = run("case", "attach", case, str(program), *MINE)
    assert (refused.exit_code, "cannot be attached" in refused.output) == (1, True)

    attached = run("case", "attach", case, str(prices), str(door), *MINE)
    assert attached.exit_code == 0, attached.output
    assert "Attached: Preise März.csv, 10 bytes" in attached.output
    assert "seems to hold a password" in attached.output
    assert run("case", "detach", case, "nothing.pdf", *MINE).exit_code == 1
    photo, drawn = tmp_path / "photo.png", tmp_path / "drawn"
    photo.write_bytes(picture("PNG"))
    assert run("case", "attach", case, str(photo), *MINE).exit_code == 0
    previewed = run("case", "files", case, "--preview", str(drawn), *MINE)
    assert (previewed.exit_code, "Not drawn: " in previewed.output) == (0, True)
    assert [path.name for path in drawn.iterdir()] == ["3-photo.png.1.png"]
    assert run("case", "detach", case, "photo.png", *MINE).exit_code == 0
    assert run("case", "detach", case, "door.txt", *MINE).output == "Taken off: door.txt.\n"
    shown = run("case", "show", case, *MINE).output
    assert "Preise März.csv" in shown
    assert "door.txt" not in shown

    signs = json.loads(run("case", "show", case, "--json", *MINE).stdout)["approval_hash"]
    assert run("case", "approve", case, "--signs", signs, *MINE).exit_code == 0
    (line,) = run("outbox", "list", "--json", *MINE).stdout.splitlines()
    delivery, folder = json.loads(line)["id"], tmp_path / "saved"
    seen = run("outbox", "show", delivery, "--save", str(folder), *MINE)
    assert "Attached: Preise März.csv, 10 bytes" in seen.output
    assert (folder / prices.name).read_bytes() == prices.read_bytes()
    again = run("outbox", "show", delivery, "--save", str(folder), *MINE)
    assert (again.exit_code, "is there already" in again.output) == (1, True)


def test_copies_are_chosen_open_and_blind(run: Run, home: Path) -> None:
    """Each kind alone stays what it was where the other one is chosen."""
    case = asyncio.run(make_case(home))
    assert run("case", "copies", case, "--cc", "ben@heron.example", *MINE).exit_code == 0
    blind = run("case", "copies", case, "--bcc", "audit@lab.example", *MINE)
    assert "A copy goes to ben@heron.example.\n" in blind.output
    assert "A blind copy goes to audit@lab.example.\n" in blind.output
    both = run("case", "copies", case, "--bcc", "ben@heron.example", *MINE)
    assert (both.exit_code, "everybody sees" in both.output) == (1, True)
    none = run("case", "copies", case, "--cc", "", *MINE)
    assert "A copy goes to nobody.\n" in none.output
    assert "A blind copy goes to audit@lab.example.\n" in none.output


def test_a_new_mail_is_begun_with_text_copies_and_files(
    run: Run, home: Path, tmp_path: Path
) -> None:
    """It waits for an approval like a reply; an address that cannot be written to is refused."""
    asyncio.run(make_case(home))
    letter, prices = tmp_path / "letter.txt", tmp_path / "prices.csv"
    letter.write_text("Hello Nora,\n\nthe loom is ready.\n", encoding="utf-8")
    prices.write_bytes(b"1;2")
    subject = ("--subject", "Loom for your school")
    refused = run("write", "nobody", *subject, *MINE)
    assert (refused.exit_code, "no mail address" in refused.output) == (1, True)
    begun = run(
        *("write", "nora@alder.example", *subject, "--text-file", str(letter)),
        *("--bcc", "audit@lab.example", "--attach", str(prices), *MINE),
    )
    assert begun.exit_code == 0, begun.output
    assert "Attached: prices.csv, 3 bytes" in begun.output
    (case,) = [
        one["case_id"]
        for one in map(json.loads, run("case", "list", "--json", *MINE).stdout.splitlines())
        if one["again"]
    ]
    shown = json.loads(run("case", "show", case, "--json", *MINE).stdout)
    assert shown["approval_hash"] in begun.output
    assert run("case", "approve", case, "--signs", shown["approval_hash"], *MINE).exit_code == 0
    (line,) = run("outbox", "list", "--json", *MINE).stdout.splitlines()
    assert json.loads(line)["bcc"] == ["audit@lab.example"]
