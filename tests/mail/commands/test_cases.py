"""`postern case list | snooze | unsnooze`, without an engine."""

import asyncio
import json
from pathlib import Path

from tests.core.commands.fixtures import Run
from tests.core.small import SLUG, open_line


async def make_case(home: Path) -> str:
    """Let a message become a case that waits; return its id."""
    async with open_line(home) as line:
        line.send("When is the workshop open?")
        await line.run()
        (row,) = await line.rows("SELECT id FROM cases")
        return str(row["id"])


def test_a_case_is_put_off_and_brought_back(run: Run, home: Path) -> None:
    """The list shows what waits, and with --snoozed what was put off; no other word is a time."""
    case = asyncio.run(make_case(home))
    mine = ("--organization", SLUG)

    def listed(*more: str) -> list[str]:
        shown = run("case", "list", "--json", *mine, *more)
        assert shown.exit_code == 0, shown.output
        return [json.loads(line)["case_id"] for line in shown.stdout.splitlines()]

    assert listed() == [case]
    for nonsense in ("soon", "2026-12-24T14:00"):
        refused = run("case", "snooze", case, nonsense, *mine)
        assert (refused.exit_code, "is no time to come back" in refused.output) == (1, True)
    put_off = run("case", "snooze", case, "answer", *mine)
    assert (put_off.exit_code, put_off.output) == (0, "Put off until they answer.\n")
    assert (listed(), listed("--snoozed")) == ([], [case])
    assert run("case", "list", *mine).output == "Nothing waits.\n"
    assert run("case", "unsnooze", case, *mine).exit_code == 0
    assert listed() == [case]
    assert "2099" in run("case", "snooze", case, "2099-12-24", *mine).output


def test_a_reply_is_approved_to_leave_later_and_taken_back(run: Run, home: Path) -> None:
    """What was shown is signed; the outbox lists it with its moment until it is taken back."""
    case = asyncio.run(make_case(home))
    mine = ("--organization", SLUG)
    view = json.loads(run("case", "show", case, "--json", *mine).stdout)
    shown = run("case", "show", case, *mine)
    assert view["approval_hash"] in shown.output
    signs = ("--signs", view["approval_hash"])
    refused = run("case", "approve", case, *signs, "--leave", "soon", *mine)
    assert (refused.exit_code, "is no time to leave" in refused.output) == (1, True)
    assert run("case", "approve", case, "--signs", "00", "--leave", "monday", *mine).exit_code == 1
    approved = run("case", "approve", case, *signs, "--leave", "monday", *mine)
    assert approved.exit_code == 0, approved.output
    (line,) = run("outbox", "list", "--scheduled", "--json", *mine).stdout.splitlines()
    delivery = json.loads(line)
    assert (delivery["case_id"], delivery["state"]) == (case, "queued")
    assert delivery["leaves_at"]
    assert case not in run("case", "list", "--json", *mine).stdout
    assert run("outbox", "cancel", delivery["id"], *mine).exit_code == 0
    assert case in run("case", "list", "--json", *mine).stdout
    assert run("outbox", "list", "--scheduled", *mine).output == "Nothing is to leave later.\n"


def test_a_case_is_given_and_put_back(run: Run, home: Path) -> None:
    """It is in the view of whom it is with; who has no address takes none."""
    case = asyncio.run(make_case(home))
    mine = ("--organization", SLUG)

    def listed(view: str) -> list[str]:
        shown = run("case", "list", "--json", "--view", view, *mine)
        assert shown.exit_code == 0, shown.output
        return [json.loads(line)["case_id"] for line in shown.stdout.splitlines()]

    assert run("case", "list", "--view", "theirs", *mine).exit_code == 1
    assert (listed("unassigned"), listed("others")) == ([case], [])
    given = run("case", "give", case, "ida@teasel.example", "--note", "She rang.", *mine)
    assert given.output == "Given to ida@teasel.example.\n"
    assert (listed("unassigned"), listed("handed"), listed("others")) == ([], [case], [case])
    assert run("case", "notes", case, *mine).stdout.endswith(": She rang.\n")
    refused = run("case", "take", case, *mine)
    assert (refused.exit_code, "your mail address" in refused.output) == (1, True)
    assert run("case", "return", case, *mine).exit_code == 0
    assert listed("unassigned") == [case]


def test_a_note_is_written_and_read(run: Run, home: Path) -> None:
    """A name of nobody is refused with who there is."""
    case = asyncio.run(make_case(home))
    mine = ("--organization", SLUG)
    refused = run("case", "note", case, "@nobody look", *mine)
    assert (refused.exit_code, "@Ida Fenn" in refused.output) == (1, True)
    assert run("case", "note", case, "She rang.", *mine).output == "Noted.\n"
    assert run("case", "notes", case, *mine).stdout.endswith(": She rang.\n")


def test_an_answered_case_comes_back_or_is_written_to_again(run: Run, home: Path) -> None:
    """The approval says after how many days; a case that is not answered can have neither."""
    case = asyncio.run(make_case(home))
    mine = ("--organization", SLUG)
    assert run("case", "follow-up", case, "3", *mine).exit_code == 1
    assert run("case", "again", case, *mine).exit_code == 1
    signs = json.loads(run("case", "show", case, "--json", *mine).stdout)["approval_hash"]
    assert run("case", "approve", case, "--signs", signs, "--follow-up", "3", *mine).exit_code == 0
    after = json.loads(run("case", "show", case, "--json", *mine).stdout)
    assert (after["follow_up"]["days"], after["follow_up"]["ended_at"]) == (3, None)
    changed = run("case", "follow-up", case, "5", *mine)
    assert "5 working days after it has left" in changed.output
    assert run("case", "follow-up", case, "0", *mine).output == "It does not come back.\n"


def test_conversations_are_tagged_and_listed_by_tag(run: Run, home: Path) -> None:
    """A tag that is given stands in the list; a case that is none fails by itself."""
    case = asyncio.run(make_case(home))
    mine = ("--organization", SLUG)
    given = run("case", "tag", case, "no-such", "--add", "warranty", *mine)
    assert (given.exit_code, "1 of 2 done." in given.output) == (1, True)
    assert "warranty" in run("case", "list", *mine).output
    assert case in run("case", "list", "--tag", "warranty", *mine, "--json").output
    assert run("case", "list", "--tag", "other", *mine).output == "Nothing waits.\n"
    assert run("case", "tag", case, "--remove", "warranty", *mine).exit_code == 0
    assert run("case", "list", "--tag", "warranty", *mine).output == "Nothing waits.\n"
    assert run("case", "tag", case, *mine).exit_code == 1


def test_several_cases_are_decided_each_as_it_was_shown(run: Run, home: Path) -> None:
    """What an approval signs has to be given; each has its outcome."""
    case = asyncio.run(make_case(home))
    mine = ("--organization", SLUG)
    for words, told in (
        (("forget", case), "'forget' is no decision"),
        (("approve", case), "say what the approval of"),
        (("approve", f"{case}=00"), "0 of 1 done."),
    ):
        refused = run("case", "several", *words, *mine)
        assert (refused.exit_code, told in refused.output) == (1, True), refused.output
    closed = run("case", "several", "close", case, "--note", "by telephone", *mine)
    assert (closed.exit_code, closed.output) == (0, "1 of 1 done.\n")
    assert run("case", "list", *mine).output == "Nothing waits.\n"
