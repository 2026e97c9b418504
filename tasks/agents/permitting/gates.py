"""The gates that stand before every call of an agent, one function each, in order.

Each says whether the call may happen, may happen with a person's yes, or does not happen, and why.
All of them are asked, and the strictest answer holds: a gate can only say no, never loosen
(docs/agents.md#gates).
"""

from collections.abc import Callable

from data.records.agents.agents import Restrictions
from data.records.agents.turns import GateAnswer, Permit
from data.records.core.organization import AgentTools
from data.records.core.record import Record
from data.records.core.tools import Effect, Label, ToolDeclaration, Trust

MOST_CALLS = 16
"""Calls of tools in one turn."""
MOST_ALIKE = 2
"""How often the same call is made in a turn."""


def read_most_calls(restrictions: Restrictions) -> int:
    """Return how many calls of tools a turn makes at most."""
    most_given = restrictions.most_calls
    return MOST_CALLS if most_given is None else min(most_given, MOST_CALLS)


STOPPED = "Sending is stopped, so nothing outside is changed either."


class CallFacts(Record):
    """Everything that a gate may look at."""

    tool: ToolDeclaration
    agent_has: bool
    """Whether the agent's manifest names the tool or its group."""
    restrictions: Restrictions = Restrictions()
    """What the assignments take away by which the person has the agent."""
    policy: AgentTools
    """What the organization says of tools."""
    trust: Trust
    """How far the agent is trusted."""
    approval_for: tuple[str, ...] = ()
    """Tools, groups and effects for which the agent's manifest asks a person."""
    permitted: bool
    """Whether the person in whose name it is called may do that."""
    by_itself: bool = False
    """Whether the agent works by itself, with what its role and who set it going may both do."""
    stopped: bool = False
    """Whether the kill switch is on."""
    alike: int = 0
    """How often the same call was made in this turn before."""
    calls: int = 0
    """How many calls were made in this turn before."""
    spent: float = 0.0
    """What the turn has cost, in US dollars."""
    budget: float = 0.0
    """Most that a turn of the agent may cost, in US dollars; 0 for no limit of its own."""
    labels: frozenset[Label] = frozenset()
    """What is before the agent."""
    can_ask: bool = True
    """Whether there is a person who could be asked."""


_Answer = tuple[Permit, str]
_FREE = Permit.ALLOW


def _check_agent(facts: CallFacts) -> _Answer:
    if not facts.agent_has:
        return Permit.DENY, "The agent does not have this tool."
    return _FREE, "The agent has this tool."


def _check_assignment(facts: CallFacts) -> _Answer:
    restrictions = facts.restrictions
    if {facts.tool.name, facts.tool.group} & set(restrictions.without):
        return Permit.DENY, "The assignment of the agent to this person takes the tool away."
    if restrictions.trust is not None and restrictions.trust.rank < facts.tool.trust.rank:
        return (
            Permit.DENY,
            f"The assignment of the agent goes to the trust level {restrictions.trust}.",
        )
    return _FREE, "The assignment of the agent leaves it."


def _check_policy(facts: CallFacts) -> _Answer:
    names = {facts.tool.name, facts.tool.group}
    if names & set(facts.policy.forbidden):
        return Permit.DENY, "The organization's policy lets no agent do this."
    if names & set(facts.policy.ask_first):
        return Permit.ASK, "The organization's policy wants a person's yes."
    return _FREE, "The organization's policy leaves it."


def _check_trust(facts: CallFacts) -> _Answer:
    if facts.trust.rank < facts.tool.trust.rank:
        return Permit.DENY, f"It takes the trust level {facts.tool.trust}; the agent's is lower."
    return _FREE, f"The agent's trust level, {facts.trust}, is enough."


def _check_permission(facts: CallFacts) -> _Answer:
    whose = "The person in whose name it is called"
    if facts.by_itself:
        whose = "The agent's role, with who set it going,"
    if not facts.permitted:
        return Permit.DENY, f"{whose} may not do this."
    return _FREE, f"{whose} may do this."


def _check_kill_switch(facts: CallFacts) -> _Answer:
    if facts.tool.effect is not Effect.OUTSIDE:
        return _FREE, "Nobody outside would notice."
    if facts.stopped:
        return Permit.DENY, STOPPED
    return _FREE, "Sending is not stopped."


def _check_repetition(facts: CallFacts) -> _Answer:
    if facts.alike >= MOST_ALIKE:
        return Permit.DENY, "This was called before with the same arguments; use what it gave."
    return _FREE, "It is not the same call again and again."


def _check_count(facts: CallFacts) -> _Answer:
    most = read_most_calls(facts.restrictions)
    if facts.calls >= most:
        return Permit.DENY, f"A turn makes {most} calls at most."
    return _FREE, f"It is call {facts.calls + 1} of {most} at most."


def _check_budget(facts: CallFacts) -> _Answer:
    if facts.budget and facts.spent >= facts.budget:
        return Permit.DENY, "What a turn of this agent may cost is used up."
    return _FREE, "What the turn may cost is not used up."


def _check_labels(facts: CallFacts) -> _Answer:
    """Answer by the rule of labels: strangers' words and an effect need a person between them."""
    if facts.tool.effect is Effect.NONE:
        return _FREE, "It only reads."
    if Label.UNTRUSTED in facts.labels:
        return Permit.ASK, "Words of strangers are before the agent, and this changes something."
    return _FREE, "No words of strangers are before the agent."


def _check_approval(facts: CallFacts) -> _Answer:
    tool = facts.tool
    if tool.effect is Effect.OUTSIDE:
        return Permit.ASK, "Somebody outside of the organization would notice."
    if tool.approval:
        return Permit.ASK, "This tool wants a person's yes for each call."
    if {tool.name, tool.group, str(tool.effect)} & set(facts.approval_for):
        return Permit.ASK, "The agent's manifest wants a person's yes for this."
    return _FREE, "It needs nobody's yes."


_GATES: tuple[tuple[str, Callable[[CallFacts], _Answer]], ...] = (
    ("agent", _check_agent),
    ("assignment", _check_assignment),
    ("policy", _check_policy),
    ("trust", _check_trust),
    ("permission", _check_permission),
    ("kill_switch", _check_kill_switch),
    ("repetition", _check_repetition),
    ("count", _check_count),
    ("budget", _check_budget),
    ("labels", _check_labels),
    ("approval", _check_approval),
)
GATES = tuple(name for name, _ in _GATES)
"""The names of the gates, in order."""


def ask_gates(facts: CallFacts) -> tuple[GateAnswer, ...]:
    """Return what every gate says of a call, in order."""
    answers = []
    for name, gate in _GATES:
        permit, reason = gate(facts)
        if permit is Permit.ASK and not facts.can_ask:
            permit, reason = Permit.DENY, f"{reason} Nobody can be asked here."
        answers.append(GateAnswer(gate=name, permit=permit, reason=reason))
    return tuple(answers)


def choose_strictest(answers: tuple[GateAnswer, ...]) -> Permit:
    """Return what holds of a call; without any answer it does not happen."""
    if not answers:
        return Permit.DENY
    return max((answer.permit for answer in answers), key=lambda permit: permit.rank)


def list_reasons(answers: tuple[GateAnswer, ...], permit: Permit) -> tuple[str, ...]:
    """Return why gates gave an answer, in sentences."""
    return tuple(answer.reason for answer in answers if answer.permit is permit)
