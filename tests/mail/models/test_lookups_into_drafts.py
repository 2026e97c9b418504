"""What a model looked up while it planned is a source of the draft, and no way around anything."""

import json
import random
from datetime import UTC, datetime
from typing import Any

import pytest

from data.records.core.briefing import Briefing, Snippet, SourceKind, Tier
from data.records.mail.tools import ContactFacts, KnownFact, KnownFacts, Passage, Passages
from flows.mail.thinking.planning_tools import TOOLS
from tasks.mail.context.late_snippets import join_snippets, looked_up, sources_in
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import Answer, Seen, StandIn, Step
from tests.mail.models.forms import DRAFT, PLAN, agent_of, sensible, user_turn
from tests.mail.models.hostile import Hostile
from tests.mail.models.test_hostile_over_the_line import ask, broken_promises, live
from tests.mail.models.test_line_with_models import ASKED, only_case
from tests.mail.models.test_lookups import APIS, planning
from tests.mail.models.test_requests import in_fences

REPAIR = "A repair of a table loom takes 12 working days."


@pytest.mark.parametrize("provider", list(APIS))
async def test_what_was_found_can_be_cited_in_the_draft(
    thinking: OpenThinking, provider: str
) -> None:
    """An entry that the context missed is in the draft's request as ours, is cited, and checked."""
    api = APIS[provider]
    steps = [
        api.looks_up(("search_knowledge", {"words": "repair of a table loom"})),
        api.looks_up(("search_thread", {"words": "workshop"}), ("search_knowledge", {"words": ""})),
        api.fills(PLAN),
    ]
    said = {**DRAFT, "body": REPAIR,
            "citations": [{"sentence": REPAIR, "ref": "knowledge:loom-repair"}]}  # fmt: skip
    plans = planning(api, steps)
    drafts = sensible(api.fills, drafter=said)

    def step(seen: Seen) -> Answer:
        return (plans if agent_of(seen) == "planner" else drafts)(seen)

    async with (
        StandIn([step]) as server,
        thinking(server, provider, context_knowledge_entries=1) as line,
    ):
        line.send(ASKED)
        await line.run()
        view = await only_case(line)
        (first,) = await line.rows(
            "SELECT output FROM steps WHERE stage = 'context' AND superseded"
        )
    before = Briefing.model_validate_json(str(first["output"]))
    assert "knowledge:loom-repair" not in {one.ref for one in before.snippets}
    (turn,) = [user_turn(seen) for seen in server.seen if agent_of(seen) == "drafter"]
    entries = {one["ref"]: one["text"] for one in turn["given"]["entries"]}
    assert REPAIR in entries["knowledge:loom-repair"]
    assert REPAIR not in in_fences(turn)
    newest = view.revisions[-1]
    assert [one.ref for one in newest.draft.citations] == ["knowledge:loom-repair"]
    assert newest.checked is not None
    held = {one.check for one in newest.checked.findings if one.severity != "info"}
    assert held == {"unanswered_question"}  # that it is open when; nothing is without a source
    assert "knowledge:loom-repair" in {one.ref for one in view.snippets}
    assert view.branches[0].plan is not None
    lookups = view.branches[0].plan.lookups
    assert [one.outcome for one in lookups] == ["answered", "answered", "refused"]
    assert "knowledge:loom-repair" in lookups[0].refs


@pytest.mark.parametrize("provider", list(APIS))
async def test_who_ends_without_a_plan_adds_no_sources(
    thinking: OpenThinking, provider: str
) -> None:
    """The trace of a model that was stopped is shown; what it had found joins nothing."""
    api = APIS[provider]
    steps = [api.looks_up(("search_knowledge", {"words": "repair of a table loom"}))]
    async with (
        StandIn([planning(api, steps)]) as server,
        thinking(server, provider, context_knowledge_entries=1, llm_lookups=2) as line,
    ):
        line.send(ASKED)
        await line.run()
        view = await only_case(line)
    assert view.branches[0].plan is not None
    assert view.branches[0].plan.fallback
    assert [one.outcome for one in view.branches[0].plan.lookups] == ["answered", "answered"]
    assert "knowledge:loom-repair" not in {one.ref for one in view.snippets}


@pytest.mark.slow
@pytest.mark.parametrize("provider", list(APIS))
async def test_a_hostile_model_that_looks_things_up_breaks_no_promise(
    thinking: OpenThinking, provider: str
) -> None:
    """Worst calls, then worst answers, over the wire with a policy that sends: nothing gets out."""
    api = APIS[provider]
    worst, rng = Hostile(29), random.Random(29)
    calls: list[tuple[str, Any]] = [
        (name, {"words": words})
        for name in (*TOOLS, "send_mail")
        for words in ("workshop", "evil.test", "margin internal", "pat@reed1.example", "x" * 900)
    ]

    class Asked:
        agent = ""

    def step(seen: Seen) -> Answer:
        asked = Asked()
        asked.agent = agent_of(seen)
        if asked.agent == "planner" and rng.random() < 0.6:
            chosen: Step = api.looks_up(*rng.sample(calls, rng.choice((1, 2, 6))))
            return chosen(seen)
        filled = json.loads(json.dumps(worst(asked), default=str))  # type: ignore[arg-type]
        answer: Answer = api.fills(filled)(seen)
        return answer

    given = {"trusted_authserv_ids": ("front.teasel.example",), "authenticate_senders": False,
             "context_knowledge_entries": 1}  # fmt: skip
    async with StandIn([step]) as server, thinking(server, provider, **given) as line:
        await live(line)
        senders = {ask(line, number) for number in range(12)}
        await line.run()
        found, _ = await broken_promises(line, senders)
        (count,) = await line.rows("SELECT count(*) AS n FROM cases")
        kept = await line.rows("SELECT c.contact_email, s.output FROM steps s JOIN cases c "
                               "ON c.id = s.item_id WHERE s.stage = 'context'")  # fmt: skip
    assert found == []
    assert count == {"n": 12}
    for row in kept:
        held = Briefing.model_validate_json(str(row["output"]))
        assert held.tokens <= held.budget
        assert len({one.ref for one in held.snippets}) == len(held.snippets)
        others = senders - {str(row["contact_email"])}
        assert not [one for one in held.snippets for sender in others if sender in one.text]
        assert not [one for one in held.snippets if one.trusted and one.ref.startswith("message")]


def passage(name: str, text: str = "We said nine.") -> Passage:
    """Return an earlier message as the tool gives it."""
    at = datetime(2026, 3, 2, tzinfo=UTC)
    return Passage(ref=f"message:{name}", outbound=False, at=at, subject="Hours", text=text)


def briefing(*refs: str, tokens: int = 10, tier: Tier = Tier.NORMAL) -> Briefing:
    """Return a context that holds messages of the conversation by these references."""
    talk = [Snippet(source=SourceKind.THREAD, ref=ref, text="Before.") for ref in refs]
    house = Snippet(source=SourceKind.ORGANIZATION, ref="organization:x", text="X", trusted=True)
    return Briefing(tier=tier, snippets=(*talk, house), tokens=tokens)


FACTS = KnownFacts(found=(KnownFact(ref="knowledge:a", title="A", text="Nine.", language="en"),))


def test_mail_that_was_found_is_never_a_source() -> None:
    """Messages join untrusted and not citable, behind their own kind; entries may be cited."""
    found = [*sources_in(FACTS), *sources_in(Passages(found=(passage("2"),)))]
    made = looked_up(briefing("message:1"), found, [], 4000)
    assert [one.ref for one in made.snippets] == [
        "message:1", "message:2", "knowledge:a", "organization:x",
    ]  # fmt: skip
    assert [(one.trusted, one.citable) for one in made.snippets[1:3]] == [
        (False, False), (True, True),
    ]  # fmt: skip
    assert sources_in(ContactFacts(email="mara@heron.example")) == ()


def test_a_lookup_makes_nobody_known() -> None:
    """The case's own message is no context of it, and a first contact stays one."""
    found = sources_in(Passages(found=(passage("1"), passage("2"))))
    alone = briefing()
    assert looked_up(alone, found, ["message:1"], 4000) is alone
    made = looked_up(briefing("message:0"), found, ["message:1"], 4000)
    assert [one.ref for one in made.of(SourceKind.THREAD)] == ["message:0", "message:2"]


def test_what_is_found_joins_within_the_budget() -> None:
    """What does not fit, and what is there already, stays out; size and tier stay true."""
    full = briefing(tokens=3999, tier=Tier.COMPACTED)
    assert join_snippets(full, sources_in(FACTS), 4000) is full
    made = join_snippets(briefing(tokens=10), [*sources_in(FACTS), *sources_in(FACTS)], 4000)
    assert len(made.of(SourceKind.KNOWLEDGE)) == 1
    assert 10 < made.tokens < 40
