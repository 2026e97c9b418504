"""Rules about kinds of wishes, on a line that is live: what leaves by itself."""

from pathlib import Path

import pytest

from data.records.core.organization import AutonomyRule
from data.records.core.understanding import Category, IntentKind, Priority
from tests.mail.line.sending_by_itself import QUESTION, open_live, write

COMPLAINT = (
    "Hello,\n\nI am disappointed: my loom came back broken and nobody answers. "
    "When is the workshop open?\n\nMara\n"
)


async def outcomes(home: Path, rules: tuple[AutonomyRule, ...]) -> dict[str, str]:
    """Return where a question and a complaint end under these rules."""
    async with open_live(home) as line:
        changed = line.workspace.policy.model_copy(update={"autonomy_rules": rules})
        line.workspace.policy = changed
        ids = {
            "question": write(line, QUESTION, "<question@heron.example>"),
            "complaint": write(
                line, COMPLAINT, "<complaint@finch.example>", sender="tom@finch.example"
            ),
        }
        await line.run()
        return {name: await line.status(item) for name, item in ids.items()}


@pytest.mark.parametrize(
    ("rules", "question"),
    [
        ((AutonomyRule(intent=IntentKind.QUESTION, auto_send=True),), "approved"),
        ((AutonomyRule(intent=IntentKind.ACKNOWLEDGMENT, auto_send=True),), "draft_ready"),
        (
            (
                AutonomyRule(intent=IntentKind.QUESTION, auto_send=True),
                AutonomyRule(intent=IntentKind.QUESTION, priority=Priority.NORMAL),
            ),
            "draft_ready",
        ),
        (
            (
                AutonomyRule(category=Category.SUPPORT),
                AutonomyRule(intent=IntentKind.QUESTION, auto_send=True, priority=Priority.NORMAL),
            ),
            "approved",
        ),
    ],
)
async def test_a_question_leaves_by_itself_where_the_rule_that_speaks_says_so(
    tmp_path: Path, rules: tuple[AutonomyRule, ...], question: str
) -> None:
    """The rule that names more speaks, and a complaint never leaves by a rule for questions."""
    ends = await outcomes(tmp_path / "var", rules)
    assert ends["question"] == question
    assert ends["complaint"] in ("draft_ready", "escalated")
