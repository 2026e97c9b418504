"""Parts of a message with models: one question for each part, side by side, and one reply."""

import random
from pathlib import Path

import pytest

from data.records.core.organization import AutonomyRule, Mode
from data.records.core.understanding import Category
from data.records.mail.views import CaseView
from data.settings import load_settings
from flows.api.mail.review.case_view import case_view
from flows.core.thinker import Thinker
from tests.core.models import messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.providers import Scripted
from tests.core.models.wire import Answer, Seen, StandIn, Step
from tests.core.small import Line, open_line
from tests.mail.line.parts_of import ANSWER, BOTH
from tests.mail.line.sending_by_itself import write
from tests.mail.models.forms import CLASSIFY, agent_of, sensible, user_turn
from tests.mail.models.hostile import Hostile
from tests.mail.models.test_hostile_over_the_line import broken_promises

FORKED = {
    **CLASSIFY,
    "intents": [
        {"intent": "question", "category": "support", "confidence": 0.95, "sentences": [2]},
        {"intent": "request", "category": "billing", "confidence": 0.9, "sentences": [3]},
    ],
}
SOON = "We will look into your payment."


def parted(seen: Seen) -> Answer:
    """Fork the message, and draft each part by itself, slowly."""
    if agent_of(seen) != "drafter":
        return sensible(messages_api.fills, classifier=FORKED)(seen)
    known = "support" in str(user_turn(seen))
    told = {
        "body": ANSWER if known else SOON,
        "citations": [{"sentence": ANSWER, "ref": "knowledge:loom-repair"}] if known else [],
        "unanswered": [],
    }
    return messages_api.fills(told, wait=0.4)(seen)


async def only(line: Line) -> CaseView:
    """Return the one case there is."""
    (case,) = await line.rows("SELECT id FROM cases")
    return await case_view(line.house, line.workspace, str(case["id"]))


async def test_every_part_is_asked_for_by_itself_and_side_by_side(thinking: OpenThinking) -> None:
    """Two drafts are written at the same time and become one letter, in the sender's order."""
    step: Step = parted
    async with StandIn([step]) as server, thinking(server) as line:
        write(line, BOTH, "<both@heron.example>", subject="Repair and invoice")
        await line.run()
        view = await only(line)
        drafts = [seen for seen in server.seen if agent_of(seen) == "drafter"]
        together = server.most_open
    assert len(drafts) == 2
    assert together >= 2
    body = view.revisions[-1].draft.body
    assert body.count("Hello") == body.count("Kind regards") == 1
    assert body.index(ANSWER) < body.index(SOON)
    texts = [branch.draft.body for branch in view.branches if branch.draft]
    assert [(ANSWER in text, SOON in text) for text in texts] == [(True, False), (False, True)]
    assert [branch.intent.category for branch in view.branches] == ["support", "billing"]


async def test_a_models_fork_lets_nothing_leave_that_the_embedded_provider_would_hold(
    thinking: OpenThinking,
) -> None:
    """A demand for money that a model calls a question stays, whatever part it is put into."""
    calm = {
        **FORKED,
        "intents": [
            {"intent": "question", "category": "support", "confidence": 0.95, "sentences": [3]},
            {"intent": "question", "category": "sales", "confidence": 0.9, "sentences": [2]},
        ],
    }
    given = {"trusted_authserv_ids": ("front.example",)}
    well = sensible(messages_api.fills, classifier=calm)
    async with StandIn([well]) as server, thinking(server, **given) as line:
        allow(line)
        write(line, BOTH, "<both@heron.example>", subject="Repair and invoice")
        await line.run()
        sent = await line.rows("SELECT body FROM deliveries")
        branches = await line.rows("SELECT intent, decision FROM branches ORDER BY id")
    assert all("refund" not in str(row["body"]).partition("\nOn ")[0] for row in sent)
    money = [row for row in branches if "refund" in str(row["intent"])]
    assert [str(row["decision"]).startswith('{"outcome":"auto_send"') for row in money] == [False]


def allow(line: Line) -> None:
    """Let everything leave that the gates let through, part by part."""
    line.workspace.policy = line.workspace.policy.model_copy(
        update={
            "mode": Mode.LIVE,
            "autonomy_rules": tuple(AutonomyRule(category=c, auto_send=True) for c in Category),
            "answer_parts": "when_ready",
        }
    )


@pytest.mark.slow
async def test_hostile_models_gain_nothing_by_forking(tmp_path: Path) -> None:
    """Whatever a model parts: one automatic reply to a mail at most, none about its money."""
    rng, worst = random.Random(11), Hostile(11)
    drafted = {"body": ANSWER, "citations": [{"sentence": ANSWER, "ref": "knowledge:loom-repair"}]}
    honest: dict[str, object] = {
        "guard": {"is_injection": False, "confidence": 1.0, "attack_type": "none"},
        "classifier": FORKED,
        "planner": {"actions": [{"type": "reply", "reason": "The knowledge answers it."}]},
        "drafter": {**drafted, "unanswered": []},
    }

    def think(question: object) -> object:
        agent = question.agent  # type: ignore[attr-defined]
        if rng.random() < 0.7 and agent in honest:
            return honest[agent]
        return worst(question)  # type: ignore[arg-type]

    async with open_line(tmp_path / "var", trusted_authserv_ids=("front.example",)) as line:
        settings = load_settings(llm_daily_cap=0, llm_monthly_cap=0, llm_sender_cap=0)
        line.house.thinker = Thinker(Scripted(think), settings, line.clock, pause=0.0)
        allow(line)
        senders = {f"pat@reed{number}.example" for number in range(30)}
        for number, sender in enumerate(sorted(senders)):
            write(line, BOTH, f"<{number}@reed.example>", sender=sender, subject="Repair")
        await line.run()
        found, sent = await broken_promises(line, senders)
        texts = await line.rows("SELECT rcpt_to, body FROM deliveries")
        parted = await line.rows("SELECT id FROM cases WHERE part_of IS NOT NULL")
    assert found == []
    assert sent == len({tuple(row["rcpt_to"]) for row in texts})  # type: ignore[arg-type]
    told = [str(row["body"]).partition("\nOn ")[0] for row in texts]
    assert all(ANSWER in text and "refund" not in text for text in told)
    assert parted


async def test_no_part_leaves_where_a_model_repeated_the_mark(thinking: OpenThinking) -> None:
    """A planner that echoes private context for one part quarantines the message, parts and all."""
    trust = {"trusted_authserv_ids": ("front.example",)}
    well = sensible(messages_api.fills, classifier=FORKED)
    async with StandIn([well]) as server, thinking(server, **trust) as line:
        allow(line)
        mark = line.workspace.canary
        action = {"type": "reply", "reason": f"{mark[:12]}, then {mark[12:]}"}
        echo = messages_api.fills({"actions": [action]})

        def answer(seen: Seen) -> Answer:
            wrong = agent_of(seen) == "planner" and "refund" in str(user_turn(seen))
            return (echo if wrong else parted)(seen)

        server.steps = [answer]
        item = write(line, BOTH, "<both@heron.example>", subject="Repair and invoice")
        await line.run()
        sent = await line.rows("SELECT body FROM deliveries")
        status = await line.status(item)
    assert (status, sent) == ("quarantined", [])
