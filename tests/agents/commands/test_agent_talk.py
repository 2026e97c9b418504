"""`postern agent ask | calls | decide`, here without an engine."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from typer.testing import Result

from data.records.agents.turns import WaitingCall
from flows.cli.agents.agent_talk import lines_of
from tests.agents.commands.test_agents import _install
from tests.core.commands.fixtures import Run
from tests.core.small import SLUG
from tests.mail.commands.test_cases import make_case


def test_an_agent_is_asked_from_a_terminal(run: Run, home: Path, organization: str) -> None:
    """Its answer is printed; an agent that is not there is refused by name."""
    asyncio.run(_install(home, organization))
    assert "Nothing that waits is urgent." in run("agent", "ask", "desk", "What is urgent?").output
    refused = run("agent", "ask", "butler", "Tea?")
    assert refused.exit_code != 0
    assert "no agent 'butler'" in refused.output


def test_an_agent_is_asked_about_a_case(run: Run, home: Path) -> None:
    """What is open is asked of that case; one that is not there, and what is none, is refused."""
    case = asyncio.run(make_case(home))
    asyncio.run(_install(home, SLUG))

    def ask(about: str) -> Result:
        return run(
            "agent", "ask", "desk", "What is open?", "--about", about, "--organization", SLUG
        )

    assert "The draft leaves nothing open" in ask(f"case:{case}").output
    missing, wrong = ask("case:nope"), ask("weather")
    assert (missing.exit_code, "there is no case 'nope'" in missing.output) == (1, True)
    assert (wrong.exit_code, "about" in wrong.output) == (1, True)


def test_an_agent_works_by_itself_within_its_role(run: Run, home: Path, organization: str) -> None:
    """Without one it does nothing; with one what it says is printed."""
    asyncio.run(_install(home, organization))
    refused = run("agent", "run", "desk", "What is urgent?")
    assert (refused.exit_code, "governance.role" in refused.output) == (1, True)
    file = home.parent / "desk.yaml"
    run("agent", "export", "desk", str(file))
    file.write_text(file.read_text().replace("governance:", "governance:\n  role: viewer"))
    run("agent", "set", "desk", str(file), "--why", "to work by itself")
    changed = run("agent", "versions", "desk", "--diff", "2").stdout.splitlines()
    assert [line for line in changed if line.startswith("+ ")] == ["+  role: viewer"]
    answer = run("agent", "run", "desk", "What is urgent?").stdout.splitlines()
    assert "Nothing that waits is urgent." in answer


def test_who_is_asked_sees_where_a_call_goes() -> None:
    """As in the window: a yes holds for that address alone."""
    call = WaitingCall(
        approval_id="a1", version=1, sha256="0" * 64, chat_id="c1", turn_id="t1",
        agent="desk", agent_name="Desk", tool="cancel", description="Cancels an order.",
        goes_to="POST https://shop.example/orders", arguments={"order": "7"},
        reasons=("Somebody outside would notice.",), asked_at=datetime(2026, 11, 30, tzinfo=UTC),
    )  # fmt: skip
    assert lines_of(call) == [
        "a1  Desk: Cancels an order. (cancel)",
        "  goes to POST https://shop.example/orders",
        "  order: 7",
        "  Somebody outside would notice.",
    ]


def test_what_waits_is_listed_and_decided(run: Run, home: Path, organization: str) -> None:
    """With exactly what it would do; once decided it waits no more."""
    asyncio.run(_install(home, organization))
    assert run("agent", "calls").output == "No agent waits for your yes.\n"
    file = home.parent / "desk.yaml"
    run("agent", "export", "taskmaster", str(file))
    wanting = file.read_text().replace(
        "requires_approval_for: []", "requires_approval_for: [add_task]"
    )
    assert "[add_task]" in wanting
    file.write_text(wanting)
    run("agent", "set", "taskmaster", str(file), "--reason", "ask me first")
    asked = run("agent", "ask", "taskmaster", "Remind me tomorrow at 9 to call Ana")
    assert "needs your yes" in asked.output
    shown = run("agent", "calls").output
    assert "call Ana" in shown
    assert "The agent's manifest wants a person's yes for this." in shown
    call = shown.split()[0]
    for wrong, why in (("[1]", "one object of JSON"), ('{"wrods": "x"}', "wrods")):
        assert why in run("agent", "decide", call, "--yes", "--arguments", wrong).stderr
    other = ("--arguments", '{"words": "tomorrow at 9 to call Ana Soto", "language": "en"}')
    said, answer = run("agent", "decide", call, "--yes", *other).output.splitlines()[:2]
    assert said == "You said yes; the agent goes on."
    assert "call Ana Soto” is on your list" in answer
    assert run("agent", "calls").output == "No agent waits for your yes.\n"
    assert "no call" in run("agent", "decide", call, "--no").output
    assert "call Ana" in run("agent", "ask", "taskmaster", "What are my tasks?").output
