"""The gates before a call of an agent: all are asked, the strictest holds, none loosens."""

from itertools import product

import pytest

from data.records.agents.agents import Restrictions
from data.records.agents.turns import Permit
from data.records.core.organization import AgentTools
from data.records.core.tools import Effect, Label, ToolDeclaration, Trust
from tasks.agents.permitting.binding import hash_of_call
from tasks.agents.permitting.gates import (
    GATES,
    MOST_ALIKE,
    MOST_CALLS,
    CallFacts,
    ask_gates,
    choose_strictest,
)
from tests.agents.tools.declared import declared

HARMLESS = CallFacts(
    tool=declared("weigh_yarn"),
    agent_has=True,
    policy=AgentTools(),
    trust=Trust.READ,
    permitted=True,
)
WRITES = declared("dye_yarn", group="yarn", effect=Effect.REVERSIBLE, trust=Trust.STANDARD)
SENDS = declared("sell_yarn", group="yarn", effect=Effect.OUTSIDE, trust=Trust.ELEVATED)
STRANGE = frozenset({Label.UNTRUSTED})


def _changed(**changes: object) -> CallFacts:
    return HARMLESS.model_copy(update=changes)


@pytest.mark.parametrize(
    ("facts", "gate", "permit"),
    [
        (_changed(agent_has=False), "agent", Permit.DENY),
        (_changed(restrictions=Restrictions(without=("tried",))), "assignment", Permit.DENY),
        (_changed(restrictions=Restrictions(without=("weigh_yarn",))), "assignment", Permit.DENY),
        (
            _changed(tool=WRITES, trust=Trust.ADMIN, restrictions=Restrictions(trust=Trust.READ)),
            "assignment",
            Permit.DENY,
        ),
        (_changed(calls=2, restrictions=Restrictions(most_calls=2)), "count", Permit.DENY),
        (_changed(policy=AgentTools(forbidden=("tried",))), "policy", Permit.DENY),
        (_changed(policy=AgentTools(forbidden=("weigh_yarn",))), "policy", Permit.DENY),
        (_changed(policy=AgentTools(ask_first=("tried",))), "policy", Permit.ASK),
        (_changed(tool=WRITES), "trust", Permit.DENY),
        (_changed(permitted=False), "permission", Permit.DENY),
        (_changed(alike=MOST_ALIKE), "repetition", Permit.DENY),
        (_changed(calls=MOST_CALLS), "count", Permit.DENY),
        (_changed(spent=0.5, budget=0.5), "budget", Permit.DENY),
        (_changed(tool=WRITES, trust=Trust.STANDARD, labels=STRANGE), "labels", Permit.ASK),
        (_changed(tool=SENDS, trust=Trust.ADMIN), "approval", Permit.ASK),
        (_changed(tool=declared("ask_me", approval=True)), "approval", Permit.ASK),
        (_changed(approval_for=("tried",)), "approval", Permit.ASK),
        (
            _changed(tool=WRITES, trust=Trust.STANDARD, approval_for=("reversible",)),
            "approval",
            Permit.ASK,
        ),
    ],
)
def test_one_thing_that_stands_in_the_way_is_one_answer(
    facts: CallFacts, gate: str, permit: Permit
) -> None:
    """The gate says it in a sentence, the others let it through, and what it says holds."""
    answers = ask_gates(facts)
    assert tuple(answer.gate for answer in answers) == GATES
    assert [(one.gate, one.permit) for one in answers if one.permit is not Permit.ALLOW] == [
        (gate, permit)
    ]
    assert all(answer.reason.endswith(".") for answer in answers)
    assert choose_strictest(answers) is permit


def test_what_is_harmless_goes_through() -> None:
    """No limit of its own, words of strangers before it, and it only reads."""
    assert choose_strictest(ask_gates(_changed(labels=STRANGE, spent=3.0))) is Permit.ALLOW


@pytest.mark.parametrize("tool", [HARMLESS.tool, WRITES, SENDS], ids=lambda tool: tool.name)
def test_nothing_outside_is_changed_while_sending_is_stopped(tool: ToolDeclaration) -> None:
    """Not with a person's yes either; what stays inside goes on."""
    facts = _changed(tool=tool, trust=Trust.ADMIN)
    before, stopped = (
        {answer.gate: answer.permit for answer in ask_gates(one)}
        for one in (facts, facts.model_copy(update={"stopped": True}))
    )
    outside = tool.effect is Effect.OUTSIDE
    assert stopped == before | {"kill_switch": Permit.DENY if outside else Permit.ALLOW}


@pytest.mark.parametrize(("agent", "tool"), [*product(Trust, Trust)])
def test_a_level_above_the_agents_is_refused(agent: Trust, tool: Trust) -> None:
    """Four levels of agents by four of tools: with the reason, and by this gate alone."""
    answers = ask_gates(_changed(trust=agent, tool=declared("try_it", trust=tool)))
    refused = [answer.gate for answer in answers if answer.permit is Permit.DENY]
    assert refused == (["trust"] if tool.rank > agent.rank else [])


def test_no_gate_loosens_another() -> None:
    """Whatever else holds of a call: one more thing in its way never makes it freer."""
    worse: list[dict[str, object]] = [
        {"agent_has": False},
        {"restrictions": Restrictions(without=("tried",))},
        {"policy": AgentTools(forbidden=("tried",))},
        {"trust": Trust.READ},
        {"permitted": False},
        {"labels": STRANGE},
        {"can_ask": False},
        {"stopped": True},
        {"approval_for": ("tried", "yarn")},
    ]
    tools = (HARMLESS.tool, WRITES, SENDS)
    for tool, first, second in product(tools, worse, worse):
        facts = _changed(tool=tool, trust=Trust.ADMIN) if first != second else HARMLESS
        before = choose_strictest(ask_gates(facts.model_copy(update=first)))
        after = choose_strictest(ask_gates(facts.model_copy(update=first | second)))
        assert after.rank >= before.rank


def test_restrictions_only_narrow_whatever_they_are_and_in_whatever_order() -> None:
    """Two of them leave what each leaves, and a limit above the house's own is none."""
    held = [
        Restrictions(),
        Restrictions(without=("yarn",), most_calls=3),
        Restrictions(trust=Trust.READ, budget=0.5),
        Restrictions(trust=Trust.ADMIN, most_calls=500, budget=2.0),
    ]
    for tool, first, second, calls in product((HARMLESS.tool, WRITES), held, held, (0, 3, 15)):
        facts = _changed(tool=tool, trust=Trust.ADMIN, calls=calls)
        both = first.and_also(second)
        assert both == second.and_also(first)
        ranks = [
            choose_strictest(ask_gates(facts.model_copy(update={"restrictions": one}))).rank
            for one in (Restrictions(), first, second, both)
        ]
        assert ranks[3] == max(ranks)
        assert both.budget in (first.budget, second.budget)
    assert held[2].and_also(held[3]).budget == 0.5


def test_where_nobody_can_be_asked_it_does_not_happen() -> None:
    """A chat program has no place for a question, so a question is a no."""
    facts = _changed(tool=SENDS, trust=Trust.ADMIN, can_ask=False)
    assert choose_strictest(ask_gates(facts)) is Permit.DENY


def test_without_any_answer_a_call_does_not_happen() -> None:
    """Unknown is no."""
    assert choose_strictest(()) is Permit.DENY


def test_a_yes_is_bound_to_the_whole_call() -> None:
    """Another agent, version, tool or argument is another call; the order of keys is none."""
    base = hash_of_call("desk", 3, "sell_yarn", {"colour": "red", "yards": 2})
    assert base == hash_of_call("desk", 3, "sell_yarn", {"yards": 2, "colour": "red"})
    others = {
        hash_of_call("desk2", 3, "sell_yarn", {"colour": "red", "yards": 2}),
        hash_of_call("desk", 4, "sell_yarn", {"colour": "red", "yards": 2}),
        hash_of_call("desk", 3, "sell_wool", {"colour": "red", "yards": 2}),
        hash_of_call("desk", 3, "sell_yarn", {"colour": "red", "yards": 20}),
        hash_of_call("desk", 3, "sell_yarn", {"colour": "red", "yards": "2"}),
        hash_of_call("desk", 3, "sell_yarn", {"colour": "red"}),
        hash_of_call("desk", 3, "sell_yarn", ["colour", "red"]),
    }
    assert base not in others
    assert len(others) == 7
