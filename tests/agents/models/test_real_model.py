"""The benchmark with a real model says what it needs, and tells right from made up."""

import os
import subprocess
import sys

from benchmarks.real_model import Asked, Tally, ask_all, fill_forms, judge, pause_and_resume
from flows.agents.lifecycle import install_catalogue
from tests.agents.models.test_agent_turns import agent_turn
from tests.core.models import chat_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import StandIn

COST = Asked("librarian", "What does an inspection of a loom cost?", ("35",))


def test_without_a_model_it_says_what_it_needs() -> None:
    """It ends with 2, and asks nobody."""
    given = {name: value for name, value in os.environ.items() if not name.startswith("LLM_")}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.real_model"],
        env=given, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    assert done.returncode == 2
    assert "Set LLM_PROVIDER" in done.stdout


def test_an_answer_is_right_abstains_or_is_wrong() -> None:
    """And a number that stands in nothing that was read is made up, in whatever answer."""
    tally = Tally()
    judge(tally, COST, "It costs 35 euros [1].", "An inspection costs 35 euros.")
    judge(tally, COST, "I do not know that.", "")
    judge(tally, COST, "It costs 99 euros.", "An inspection costs 35 euros.")
    assert (tally.right, tally.abstained, len(tally.wrong)) == (1, 1, 1)
    assert tally.made_up == [f"{COST.text} -> 99"]


async def test_what_a_model_made_up_is_counted_with_its_calls_and_cost(
    thinking: OpenThinking,
) -> None:
    """Over the wire of a compatible server, by the same way as a real one."""
    api = chat_api
    steps = [
        api.looks_up(("answer_from_knowledge", {"question": COST.text})),
        api.fills({"text": "It costs 35 euros, and 770 on Sundays."}),
    ]
    async with StandIn([agent_turn(api, steps)]) as server, thinking(server, "openai") as line:
        await install_catalogue(line.house, line.workspace)
        tally = await ask_all(line, [COST])
    assert (tally.right, tally.calls, tally.requests) == (1, 1, 2)
    assert tally.cost > 0
    assert tally.made_up == [f"{COST.text} -> 770"]


async def test_a_call_waits_for_its_yes_and_the_line_fills_in_forms(
    thinking: OpenThinking,
) -> None:
    """What a person has said yes to is done and answered; each form is counted."""
    api = chat_api
    steps = [
        api.looks_up(("answer_from_knowledge", {"question": COST.text})),
        api.fills({"text": "It costs 35 euros [1]."}),
    ]
    async with StandIn([agent_turn(api, steps)]) as server, thinking(server, "openai") as line:
        assert await pause_and_resume(line) == (
            "paused: 1 call waited for a yes; then the answer was right"
        )
        forms = await fill_forms(line)
    assert "  guard: answered × 1" in forms
    assert "  drafter: answered × 1" in forms
