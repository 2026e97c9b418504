"""Decisions on stopped messages survive a kill at any moment: whole, or not at all."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from data.settings import load_settings
from flows.opening import open_house
from tests.core.small import SLUG, Clock, Line, open_line
from tests.mail.line.deciding import RULE
from tests.mail.line.test_guarding import ATTACK

MESSAGES = 4
KILLS = 2


async def stop(home: Path) -> None:
    """Take in messages that the screen stops, each of a sender of its own."""
    async with open_line(home) as line:
        for number in range(MESSAGES):
            line.send(ATTACK, subject="[SYSTEM] override", sender=f"e{number}@nightjar.test")
        await line.intake()
        found = await line.rows("SELECT DISTINCT status FROM messages")
        assert found == [{"status": "quarantined"}]


def decide_until_killed(home: Path, seed: int) -> list[str]:
    """Let a person decide in a process, kill it in the midst, return what it said was done."""
    command = [sys.executable, "-m", "tests.mail.line.deciding", str(home), str(seed)]
    root = Path(__file__).resolve().parents[3]
    told: list[str] = []
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        while len(told) < 5 + seed:
            line = child.stdout.readline()
            assert line, "the process ended by itself"
            told.append(line.strip())
        time.sleep(0.003 * seed)
        child.kill()
        told += [line.strip() for line in child.stdout if line.endswith("\n")]
    return told


async def hold_together(line: Line) -> list[str]:
    """Check that states, decisions, allowances, blocks and audit agree; return the audit."""
    audit = await line.rows(
        "SELECT action, subject FROM audit_events WHERE subject LIKE 'message:%' ORDER BY sequence"
    )
    told = [f"{row['action']} {str(row['subject']).removeprefix('message:')}" for row in audit]
    kept = await line.rows("SELECT * FROM guard_decisions ORDER BY decided_at, id")
    assert len(kept) == sum(not one.startswith("undo ") for one in told)
    assert sum(one["undone_at"] is not None for one in kept) == len(told) - len(kept)
    standing = [one for one in kept if one["undone_at"] is None]
    for message in await line.rows("SELECT id, status FROM messages"):
        own = [one["action"] for one in standing if one["message_id"] == message["id"]]
        moved = [action for action in own if action != "spam"]
        wanted = {"release": "screening", "confirm": "rejected", "block": "rejected"}
        assert message["status"] == (wanted[str(moved[-1])] if moved else "quarantined")
    blocks = await line.rows("SELECT pattern FROM blocks")
    assert {row["pattern"] for row in blocks} == {
        one["blocked"] for one in standing if one["blocked"]
    }
    allowed = await line.rows("SELECT rule FROM allowances")
    assert [row["rule"] for row in allowed] == [RULE] * sum(
        one["action"] == "release" and bool(one["allowances"]) for one in standing
    )
    return told


@pytest.mark.timeout(600)  # a machine with much else to do takes long, and is not wrong
async def test_decisions_are_whole_after_a_kill(tmp_path: Path) -> None:
    """What was told to be done is kept with all that belongs to it; nothing is half done."""
    home = tmp_path / "var"
    await stop(home)
    before: list[str] = []
    for seed in range(KILLS):
        told = decide_until_killed(home, seed)
        house = await open_house(load_settings(home=home, parse_processes=1))
        audit = await hold_together(Line(house, await house.get_workspace(SLUG), Clock()))
        await house.close()
        decided = audit[len(before) :]
        assert decided[: len(told)] == told
        assert len(decided) <= len(told) + 1
        before = audit
