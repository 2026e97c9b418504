"""`postern try`: stages on raw messages, without state and without sending."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.settings import load_settings
from flows.tryout.stages import STAGES
from flows.tryout.trying import TriedMessage, try_all
from tests.core.commands.fixtures import Run, start
from tests.mail.commands.deadly import DEADLY, from_frame
from tests.mail.commands.letters import ORDER, PLAIN, line


def test_a_message_goes_through_every_stage(run: Run, home: Path, tmp_path: Path) -> None:
    """The answer holds what each stage decided, under the documented keys; no state is made."""
    (tmp_path / "a.eml").write_bytes(PLAIN)
    shown = run("try", tmp_path / "a.eml", "--json")
    assert shown.exit_code == 0, shown.output
    answer = json.loads(shown.stdout)
    assert list(answer) == ["id", *(key for key, _ in STAGES.values())]
    parse = answer["parse"]
    assert parse["from"] == {"name": "Wilma Reed", "email": "wilma@boats.example"}
    assert parse["to"] == [{"name": "", "email": "help@harbor.example"}]
    assert parse["cc"] == [{"name": "Bo", "email": "bo@boats.example"}]
    assert datetime.fromisoformat(parse["date"]) == datetime(2026, 11, 2, 8, 15, tzinfo=UTC)
    assert parse["message_id"] == "<berth-1@boats.example>"
    assert parse["in_reply_to"] == "<berth-0@boats.example>"
    assert parse["references"] == ["<berth-0@boats.example>"]
    assert (parse["subject"], parse["attachments"], parse["defects"]) == ("Winter berth", [], [])
    assert "nine metres" in answer["segments"]["new"]
    assert answer["automated"]["automated"] is False
    assert answer["screen"]["verdict"] == "clean"
    assert set(answer["classification"]) >= {
        "category", "priority", "sentiment", "language", "confidence", "intents",
    }  # fmt: skip
    assert {"intent", "category", "confidence"} <= set(answer["classification"]["intents"][0])
    assert answer["route"]["outcome"] in {"review", "escalate", "archive"}
    assert answer["route"]["recipients"]["to"] == ["wilma@boats.example"]
    assert not home.exists()


def test_a_plan_is_that_of_the_line(run: Run, tmp_path: Path) -> None:
    """It says what the wish states, and is as sure as its classification."""
    billed = PLAIN.replace(b"\n\nWilma", b"\nOur last invoice F-26-0812 is wrong.\n\nWilma")
    (tmp_path / "a.eml").write_bytes(billed)
    answer = json.loads(run("try", tmp_path / "a.eml", "--json").stdout)
    slots = [slot for plan in answer["plan"] for slot in plan["slots"]]
    assert {"name": "reference", "value": "F-26-0812"} in slots
    classification = answer["classification"]
    assert [plan["confidence"] for plan in answer["plan"]] == [
        min(classification["confidence"], intent["confidence"])
        for intent in classification["intents"]
    ]


def test_what_bars_sending_in_the_line_bars_it_in_a_trial(run: Run, tmp_path: Path) -> None:
    """What may have been written by a machine is named by the gate that looks at such things."""
    away = PLAIN.replace(b"\n\nWilma", b"\nI am out of the office until Monday.\n\nWilma")
    (tmp_path / "a.eml").write_bytes(away)
    answer = json.loads(run("try", tmp_path / "a.eml", "--json").stdout)
    assert answer["automated"]["bars_sending"]
    holding = [gate["reason"] for gate in answer["route"]["gates"] if not gate["passed"]]
    for bar in answer["automated"]["bars_sending"]:
        assert any(bar.lower() in reason.lower() for reason in holding), holding


@pytest.mark.parametrize("until", ["parse", "screen", "classify"])
def test_until_ends_after_that_stage(run: Run, tmp_path: Path, until: str) -> None:
    """Nothing after the named stage is run or shown."""
    (tmp_path / "a.eml").write_bytes(PLAIN)
    answer = json.loads(run("try", tmp_path / "a.eml", "--json", "--until", until).stdout)
    names = list(STAGES)
    wanted = [STAGES[name][0] for name in names[: names.index(until) + 1]]
    assert list(answer) == ["id", *wanted]


def test_lines_are_answered_in_their_order_whatever_they_hold(run: Run, tmp_path: Path) -> None:
    """A line that cannot be read gives an error in its place; the others are answered."""
    (tmp_path / "a.eml").write_bytes(ORDER)
    many = [line(number, PLAIN) for number in range(150)]
    path = json.dumps({"id": "file", "path": str(tmp_path / "a.eml")}).encode() + b"\n"
    odd = [b"nonsense\n", b'{"id": "bare"}\n', b'{"id": "b64", "raw": "*"}\n', line("empty", b"")]
    gone = b'{"id": {"a": 1}, "path": "/nowhere/at/all"}\n'
    given = b"".join([many[0], *odd, b"\n", gone, path, b"[1]\n", *many[1:]])
    shown = run("try", "--jsonl", "--until", "screen", given=given)
    assert shown.exit_code == 0, shown.output
    answers = [json.loads(one) for one in shown.stdout.splitlines()]
    first = [0, None, "bare", "b64", "empty", {"a": 1}, "file", None]
    assert [answer["id"] for answer in answers] == [*first, *range(1, 150)]
    wrong = {str(answer["id"]) for answer in answers if "error" in answer}
    assert wrong == {"None", "bare", "b64", "empty", "{'a': 1}"}
    assert answers[6]["screen"]["verdict"] == "quarantine"
    assert answers[6]["screen"]["hits"][0].keys() >= {"rule", "technique", "excerpt"}


async def test_a_message_that_ends_its_process_takes_no_other_with_it() -> None:
    """Of those handed over with it each is answered; it alone is told as what cannot be read."""
    raws = (PLAIN, ORDER, PLAIN.replace(b"berth", DEADLY), PLAIN)
    items = [TriedMessage(number, raw) for number, raw in enumerate(raws)]
    lines = try_all(items, "screen", load_settings(), target=f"{from_frame.__module__}:from_frame")
    answers = [json.loads(one) async for one in lines]
    assert [answer["id"] for answer in answers] == [0, 1, 2, 3]
    assert "cannot be read" in answers[2]["error"]
    verdicts = [answer["screen"]["verdict"] for answer in answers if "screen" in answer]
    assert verdicts == ["clean", "quarantine", "clean"]


def test_a_line_is_answered_before_the_next_one_comes(home: Path) -> None:
    """A program can hold a conversation with the command."""
    process = start("try", "--jsonl", "--until", "parse", home=home)
    assert process.stdin is not None
    assert process.stdout is not None
    for name in ("first", "second"):
        process.stdin.write(line(name, PLAIN))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == name
    rest, told = process.communicate(timeout=100)
    assert (process.returncode, rest, told) == (0, b"", b"")


def printed(code: str) -> bytes:
    """Return what a Python of its own prints."""
    root = Path(__file__).parents[3]
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=root, check=True)
    return shown.stdout


def test_screening_loads_neither_classifier_nor_index() -> None:
    """`--until screen` runs without what later stages need."""
    code = (
        "import sys\n"
        "from datetime import UTC, datetime\n"
        "from flows.tryout.stages import run_stages\n"
        "from flows.tryout.world import neutral_world\n"
        "from tests.mail.commands.letters import PLAIN\n"
        "run_stages([PLAIN], 'screen', neutral_world(datetime.now(UTC)))\n"
        "heavy = ('lancedb', 'tasks.mail.classify', 'tasks.mail.draft', "
        "'duckdb', 'polars', 'prefect')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    assert printed(code).strip() == b"[]"


def test_every_command_multiplies_matrices_on_one_thread(tmp_path: Path) -> None:
    """Several threads of a library for such small ones hold each other up on a busy machine."""
    (tmp_path / "a.eml").write_bytes(PLAIN)
    code = (
        "import sys\n"
        "from flows.cli import main\n"
        f"sys.argv = ['postern', 'try', {str(tmp_path / 'a.eml')!r}, '--until', 'parse']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "import numpy\n"
        "from threadpoolctl import threadpool_info\n"
        "print([one['num_threads'] for one in threadpool_info()])\n"
    )
    assert printed(code).splitlines()[-1] == b"[1]"


def test_a_report_for_people_says_why_and_draws_mail_inert(run: Run, tmp_path: Path) -> None:
    """Without --json each stage is told in words; the mail cannot move the cursor or add markup."""
    (tmp_path / "a.eml").write_bytes(ORDER.replace(b"Subject: Hello", b"Subject: [red]\x1b[2Jx"))
    shown = run("try", tmp_path / "a.eml")
    assert shown.exit_code == 0, shown.output
    assert "quarantine" in shown.stdout
    assert "stops here in the pipeline" in shown.stdout
    assert "[red]" in shown.stdout
    assert "\x1b[2J" not in shown.stdout


def test_with_an_organization_its_policy_and_name_are_used(
    run: Run, tmp_path: Path, organization: str
) -> None:
    """The draft is written in the organization's name."""
    (tmp_path / "a.eml").write_bytes(PLAIN)
    shown = run("try", tmp_path / "a.eml", "--json", "--organization", organization)
    assert shown.exit_code == 0, shown.output
    assert "Harbor" in json.loads(shown.stdout)["draft"]["body"]
    assert run("try", tmp_path / "a.eml", "--organization", "pirates").exit_code == 1
