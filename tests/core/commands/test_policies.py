"""`postern policy`: shown, changed, compared and taken back while no engine runs."""

from pathlib import Path

import pytest

from tests.core.commands.fixtures import Run


@pytest.fixture(autouse=True)
def wide(organization: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give tables the room to be read, in a home with an organization."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")


def test_it_is_changed_compared_and_restored(run: Run, tmp_path: Path) -> None:
    """Every change is a version; what nothing supports asks for a word of its own."""
    assert "Version 0, kept in the file" in run("policy", "show").output
    assert "There is none yet" in run("policy", "versions").output
    off = run("policy", "mode", "off", "--why", "holidays")
    assert "+mode: 'off'" in off.output
    assert "Version 1 counts from now on, kept in Postern." in off.output
    held = run("policy", "rule", "support", "--intent", "question", "--quality", "0.9")
    assert held.exit_code == 0  # nothing is drafted, so nothing leaves
    refused = run("policy", "mode", "live")
    assert (refused.exit_code, "Careful: " in refused.output) == (1, True)
    assert "Mode off" in run("policy", "show").output
    assert run("policy", "mode", "live", "--even-so").exit_code == 0
    shown = run("policy", "show").output
    assert "support, question: may leave by itself from 0.90" in shown
    assert "holidays" in run("policy", "versions").output
    assert "-mode: live" in run("policy", "diff", "3", "1").output
    assert run("policy", "restore", "1").exit_code == 0
    assert "Mode off" in run("organization", "show").output.replace("mode off", "Mode off")
    file = tmp_path / "wanted.yaml"
    file.write_text("undo_seconds: 30\n", encoding="utf-8")
    assert "+undo_seconds: 30" in run("policy", "check", file).output
    assert run("policy", "set", file).exit_code == 0
    assert run("policy", "show", "--text").output == "undo_seconds: 30\n"
    unsaid = run("policy", "default", "mode")
    assert (unsaid.exit_code, "it says undo_seconds" in unsaid.output) == (1, True)
    assert "-undo_seconds: 30" in run("policy", "default", "undo_seconds").output
    assert run("policy", "show", "--text").output == ""
    assert "says what counts already" in run("policy", "default", "all").output
    assert run("policy", "set", file).exit_code == 0
    assert "Nobody has decided on a draft yet." in run("policy", "evidence").output


def test_service_levels_and_planted_faults_are_set(run: Run) -> None:
    """Narrow levels stand first; what sets nothing is refused, and a level can go."""
    assert run("policy", "level", "--first-answer", "16").exit_code == 0
    urgent = ("policy", "level", "--priority", "urgent")
    assert run(*urgent, "--first-answer", "2").exit_code == 0
    text = run("policy", "show", "--text").output
    assert text.index("priority: urgent") < text.index("first_answer_hours: 16")
    assert "needs 'first_answer_hours'" in run(*urgent).output
    assert run(*urgent, "--remove").exit_code == 0
    assert "urgent" not in run("policy", "show", "--text").output
    assert run("policy", "plant", "3").exit_code == 0
    assert "planted_a_week: 3" in run("policy", "show", "--text").output


def test_working_hours_differ_by_weekday(run: Run) -> None:
    """Shown with the policy, in the organization's zone, and given up again."""
    short = run("policy", "hours", "mon-thu=09:00-17:00", "fri=09:00-13:00")
    assert (short.exit_code, "differing:" in short.output) == (0, True), short.output
    assert "Friday 09:00 to 13:00" in run("policy", "show").output
    wrong = run("policy", "hours", "mon=17:00-09:00")
    assert (wrong.exit_code, "is not before 'end'" in wrong.output) == (1, True)
    assert run("policy", "default", "working_hours").exit_code == 0
    assert "Working hours: none" in run("policy", "show").output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("mode", "wild"), "'wild' is no mode"),
        (("rule", "support"), "say one of --quality, --person and --remove"),
        (("rule", "gossip", "--person"), "gossip"),
        (("restore", "7"), "postern policy versions"),
        (("hand-back",), "no policy.yaml"),
    ],
)
def test_what_cannot_be_meant_is_refused(run: Run, words: tuple[str, ...], told: str) -> None:
    """With a sentence, and nothing is kept."""
    refused = run("policy", *words)
    assert refused.exit_code == 1
    assert told in refused.output
    assert "There is none yet" in run("policy", "versions").output
