"""The calls of one turn: each passes its gates, is journalled, and is made once.

A call that a person has to say yes to is written down with its question, and the turn ends here
for now; it goes on when somebody has decided, also after a restart (docs/agents.md#gates).
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pydantic import JsonValue

from data.errors import ForbiddenError, NotFoundError, PosternError, TimedOutError
from data.manifest import Manifest
from data.records.agents.agents import Restrictions
from data.records.agents.chats import ChatChannel
from data.records.agents.turns import (
    CallFailure,
    FailureCode,
    GateAnswer,
    Move,
    MoveKind,
    Permit,
    Turn,
)
from data.records.core.approvals import ApprovalRequest
from data.records.core.tools import Effect, Label, ToolDeclaration, ToolResult, Trust
from data.states import ApprovalState, MoveState
from data.store.core import usage
from flows.agents.journal import Journal, build_unknown_outcome, subject_of
from flows.core.tools import (
    Calling,
    Toolbox,
    ToolCallError,
    UnknownOutcomeError,
    UnknownToolError,
)
from tasks.agents.permitting.binding import as_canonical_text, hash_of_call
from tasks.agents.permitting.gates import (
    STOPPED,
    CallFacts,
    ask_gates,
    choose_strictest,
    list_reasons,
    read_most_calls,
)

log = logging.getLogger("postern.agents")
MOST_MOVES = 8
"""Requests to a model in one turn."""
CallOutcome = ToolResult | CallFailure
_REPLAYED = "It would change something, which a replay does not."
_ERASED_RESULT: JsonValue = {"sentence": "What it gave was erased meanwhile."}
_ERASED_FAILURE: JsonValue = {
    "code": FailureCode.EXECUTION_FAILED,
    "sentence": "Why it gave nothing was erased meanwhile.",
}
"""What calls gave whose results went with somebody's data: that they were made, or not, stays."""
_MISTAKE = "Postern made a mistake; the engine's log says which."


_CODES: tuple[tuple[type[PosternError], FailureCode], ...] = (
    (ToolCallError, FailureCode.INVALID_INPUT),
    (NotFoundError, FailureCode.NOT_FOUND),
    (ForbiddenError, FailureCode.PERMISSION_DENIED),
    (TimedOutError, FailureCode.TIMEOUT),
)
"""What expected failures are called for whoever thinks; all others are `EXECUTION_FAILED`."""


def code_of_failure(error: PosternError) -> FailureCode:
    """Return what an expected failure of a call is called."""
    codes = (code for kind, code in _CODES if isinstance(error, kind))
    return next(codes, FailureCode.EXECUTION_FAILED)


def hash_call(turn: Turn, declaration: ToolDeclaration, arguments: JsonValue) -> str:
    """Return the hash that a person's yes to a call is bound to."""
    names = (turn.agent, turn.agent_version, declaration.name)
    return hash_of_call(*names, arguments, declaration.goes_to)


class TurnWaitsError(PosternError):
    """A turn cannot go on before a person has decided on a call."""


class _Waiting:
    """What a call gives that waits for a person."""


_WAITING = _Waiting()


@dataclass(frozen=True)
class TurnLimits:
    """What holds an agent in a turn, read once at its beginning."""

    tools: tuple[str, ...]
    trust: Trust
    approval_for: tuple[str, ...]
    budget: float
    can_ask: bool
    restrictions: Restrictions = field(default_factory=Restrictions)
    """What the assignments take away, and the agent's own manifest of what a turn may do."""
    most_moves: int = MOST_MOVES
    """How often a model is asked; the last time it is offered no tools."""

    @property
    def most_calls(self) -> int:
        """How many calls the turn makes at most."""
        return read_most_calls(self.restrictions)

    @classmethod
    def from_manifest(
        cls, manifest: Manifest, channel: ChatChannel, restrictions: Restrictions
    ) -> "TurnLimits":
        """Return the limits of the version that a turn is stamped with, for who asks."""
        agent = manifest.agent
        governance = agent.governance
        budget = governance.budget_limit_per_interaction
        own = Restrictions(most_calls=governance.most_calls)
        if restrictions.budget is not None:
            budget = min(budget or restrictions.budget, restrictions.budget)
        return cls(
            tools=agent.tools,
            trust=Trust(agent.governance.trust_level),
            approval_for=agent.governance.requires_approval_for,
            budget=budget,
            can_ask=channel is ChatChannel.WINDOW,
            restrictions=restrictions.and_also(own),
            most_moves=governance.most_moves or MOST_MOVES,
        )

    def build_facts(
        self,
        calling: Calling,
        declaration: ToolDeclaration,
        *,
        alike: int = 0,
        calls: int = 0,
        spent: float = 0.0,
        labels: frozenset[Label] = frozenset(),
        stopped: bool = False,
    ) -> CallFacts:
        """Return what the gates look at for a call of a tool."""
        workspace = calling.workspace
        return CallFacts(
            tool=declaration,
            agent_has=bool({declaration.name, declaration.group} & set(self.tools)),
            restrictions=self.restrictions,
            policy=workspace.policy.agent_tools,
            trust=self.trust,
            approval_for=self.approval_for,
            permitted=calling.principal.may(declaration.permission, workspace.slug),
            by_itself=calling.principal.kind == "agent",
            stopped=stopped,
            alike=alike,
            calls=calls,
            spent=spent,
            budget=self.budget,
            labels=labels,
            can_ask=self.can_ask,
        )

    def choose_shown(self, tools: Toolbox, calling: Calling) -> Toolbox:
        """Return the tools that a gate does not deny from the beginning; no other is shown.

        Nor is one that tells of what a chat is about, in a chat about nothing of the kind.
        """

        def is_open(declaration: ToolDeclaration) -> bool:
            occasion = calling.occasion
            if declaration.about and not (occasion and occasion.about_a(declaration.about)):
                return False
            answers = ask_gates(self.build_facts(calling, declaration))
            return choose_strictest(answers) is not Permit.DENY

        return tools.filter_by(is_open)


@dataclass
class Calls:
    """The calls of one turn."""

    calling: Calling
    turn: Turn
    tools: Toolbox
    journal: Journal
    manifest: Manifest
    """Of the version that the turn is stamped with."""
    limits: TurnLimits
    on_move: Callable[[str], None]
    teams: tuple[str, ...] = ()
    """Ids of the teams that who asked is in."""
    labels: frozenset[Label] = frozenset()
    """What is before the agent by now."""
    replays: bool = False
    """Whether nothing may change: a call with an effect is noted, and not made."""
    effects: list[CallOutcome] = field(default_factory=list)
    """What became of the calls that change something."""
    _alike: Counter[str] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """How many calls were made."""
        return self._alike.total()

    async def make_calls(self, calls: Sequence[tuple[str, JsonValue]]) -> list[CallOutcome]:
        """Make calls in their order, each a tool's name and its arguments; return what each gave.

        Those that need nobody's yes are made before the turn waits for the others.

        Raises:
            TurnWaitsError: a person has to decide first.

        """
        outcomes = [await self._make_call(name, arguments) for name, arguments in calls]
        outcomes_made = [outcome for outcome in outcomes if not isinstance(outcome, _Waiting)]
        if len(outcomes_made) < len(outcomes):
            raise TurnWaitsError("a person has to decide on a call")
        self.effects += [
            outcome
            for (name, _), outcome in zip(calls, outcomes_made, strict=True)
            if name in self.tools and self.tools.read_declaration(name).effect is not Effect.NONE
        ]
        return outcomes_made

    async def _make_call(self, name: str, arguments: JsonValue) -> CallOutcome | _Waiting:
        """Make one call, or give back what it gave when it was made before."""
        key = f"{name} {as_canonical_text(arguments)}"
        alike, calls = self._alike[key], self.count
        self._alike[key] += 1
        ordinal, earlier = self.journal.take_place(MoveKind.ACT, name)
        if earlier is not None:
            return await self._take_up(ordinal, earlier, calls)
        failure = self._find_misfit(name, arguments)
        if failure is not None:
            return self._note_failure(ordinal, name, arguments, (), failure)
        declaration = self.tools.read_declaration(name)
        answers = ask_gates(await self._build_facts(declaration, alike, calls))
        permit = choose_strictest(answers)
        if permit is Permit.DENY:
            sentence = " ".join(list_reasons(answers, Permit.DENY))
            failure = CallFailure(code=FailureCode.PERMISSION_DENIED, sentence=sentence)
            return self._note_failure(ordinal, name, arguments, answers, failure)
        if self.replays and declaration.effect is not Effect.NONE:
            failure = CallFailure(code=FailureCode.PERMISSION_DENIED, sentence=_REPLAYED)
            return self._note_failure(ordinal, name, arguments, answers, failure)
        if permit is Permit.ASK:
            return await self._ask_person(ordinal, declaration, arguments, answers)
        if declaration.effect is not Effect.NONE:
            await self.journal.begin_call(ordinal, name, arguments, answers)
        return await self._carry_out(ordinal, declaration, arguments, answers)

    def _find_misfit(self, name: str, arguments: JsonValue) -> CallFailure | None:
        """Return what is wrong with a call itself, before any gate is asked."""
        try:
            self.tools.check_arguments(name, arguments)
        except UnknownToolError as error:
            return CallFailure(code=FailureCode.NOT_FOUND, sentence=str(error))
        except ToolCallError as error:
            return CallFailure(code=FailureCode.INVALID_INPUT, sentence=str(error))
        return None

    async def _build_facts(self, declaration: ToolDeclaration, alike: int, calls: int) -> CallFacts:
        spent = 0.0
        if self.calling.house.thinker is not None:
            spent = await self.calling.workspace.db.read(usage.read_spent_in_turn, self.turn.id)
        return self.limits.build_facts(
            self.calling,
            declaration,
            alike=alike,
            calls=calls,
            spent=spent,
            labels=self.labels,
            stopped=self.calling.house.stopped,
        )

    async def _ask_person(
        self,
        ordinal: int,
        declaration: ToolDeclaration,
        arguments: JsonValue,
        answers: tuple[GateAnswer, ...],
    ) -> _Waiting:
        """Ask the person in whose name the agent works."""
        turn = self.turn
        request = ApprovalRequest(
            subject_id=subject_of(turn.id, ordinal),
            summary=f"{declaration.description} {as_canonical_text(arguments)}",
            sha256=hash_call(turn, declaration, arguments),
            may_decide=(turn.asked_by,),
        )
        await self.journal.ask_person(ordinal, declaration.name, arguments, answers, request)
        return _WAITING

    async def _take_up(self, ordinal: int, earlier: Move, calls: int) -> CallOutcome | _Waiting:
        """Go on with a call that an earlier try of the turn has begun."""
        if earlier.state is MoveState.UNKNOWN and earlier.is_erased:
            return build_unknown_outcome(earlier.name)
        if earlier.state in (MoveState.FAILED, MoveState.UNKNOWN):
            failed = _ERASED_FAILURE if earlier.is_erased else earlier.result
            return CallFailure.model_validate(failed)
        try:
            declaration = self.tools.read_declaration(earlier.name)
        except UnknownToolError as error:
            failure = CallFailure(code=FailureCode.NOT_FOUND, sentence=str(error))
            unclear = earlier.state is MoveState.RUNNING
            return await self._end_failed(ordinal, failure, unknown=unclear)
        if earlier.state is MoveState.DONE:
            done = _ERASED_RESULT if earlier.is_erased else earlier.result
            return self._count_labels(declaration, ToolResult.model_validate(done))
        if earlier.state is MoveState.AWAITING_APPROVAL:
            return await self._do_decided(ordinal, declaration, earlier, calls)
        if declaration.effect is not Effect.NONE:
            return await self._end_failed(
                ordinal, build_unknown_outcome(earlier.name), unknown=True
            )
        return await self._carry_out(ordinal, declaration, earlier.given, earlier.gates)

    async def _do_decided(
        self, ordinal: int, declaration: ToolDeclaration, move: Move, calls: int
    ) -> CallOutcome | _Waiting:
        """Do what a person has decided; wait on where nobody has.

        A yes opens no other gate: the call passes them again, as the world is now.
        """
        approval = await self.journal.find_approval(ordinal)
        if approval is not None and approval.state is ApprovalState.PENDING:
            return _WAITING
        turn, sentence = self.turn, "Nobody said yes, so it did not happen."
        if approval is not None and approval.state is ApprovalState.REFUSED:
            words = f": {approval.note}" if approval.note else "."
            sentence = f"{approval.decided_by} said no{words}"
        bound = hash_call(turn, declaration, move.given)
        approved = approval is not None and approval.state is ApprovalState.APPROVED
        if approved and approval is not None and approval.sha256 == bound:
            answers = ask_gates(await self._build_facts(declaration, 0, calls))
            if choose_strictest(answers) is not Permit.DENY:
                await self.journal.resume_call(ordinal)
                return await self._carry_out(
                    ordinal, declaration, move.given, move.gates, asked_at=approval.opened_at
                )
            sentence = " ".join(list_reasons(answers, Permit.DENY))
        failure = CallFailure(code=FailureCode.PERMISSION_DENIED, sentence=sentence)
        return await self._end_failed(ordinal, failure)

    async def _carry_out(
        self,
        ordinal: int,
        declaration: ToolDeclaration,
        arguments: JsonValue,
        gates: tuple[GateAnswer, ...],
        *,
        asked_at: datetime | None = None,
    ) -> CallOutcome:
        """Make a call, and keep its end.

        One with an effect is written down before it begins, as is one that a person was asked
        about (`asked_at`); one that only reads is kept with what is written next.
        """
        self.on_move(declaration.description)
        outcome = await self._run_tool(ordinal, declaration, arguments, asked_at)
        if declaration.effect is Effect.NONE and asked_at is None:
            if isinstance(outcome, CallFailure):
                return self._note_failure(ordinal, declaration.name, arguments, gates, outcome)
            dumped = outcome.model_dump(mode="json")
            self.journal.note_call(
                ordinal, declaration.name, arguments, gates, MoveState.DONE, dumped
            )
        elif isinstance(outcome, CallFailure):
            changes = declaration.effect is not Effect.NONE
            unknown = changes and outcome.code is FailureCode.INTERNAL_ERROR
            return await self._end_failed(ordinal, outcome, unknown=unknown)
        else:
            await self.journal.end_move(ordinal, MoveState.DONE, outcome.model_dump(mode="json"))
        return self._count_labels(declaration, outcome)

    async def _run_tool(
        self,
        ordinal: int,
        declaration: ToolDeclaration,
        arguments: JsonValue,
        asked_at: datetime | None,
    ) -> CallOutcome:
        """Return what a call gives; a mistake in a call with an effect leaves that unknown.

        The kill switch is looked at once more: it may have been thrown while the call was written
        down.
        """
        if declaration.effect is Effect.OUTSIDE and self.calling.house.stopped:
            return CallFailure(code=FailureCode.PERMISSION_DENIED, sentence=STOPPED)
        call_arguments = arguments if isinstance(arguments, dict) else {}
        key = subject_of(self.turn.id, ordinal)
        calling = replace(self.calling, key=key, asked_at=asked_at)
        try:
            return await self.tools.call(calling, declaration.name, call_arguments)
        except UnknownOutcomeError as error:
            return CallFailure(code=FailureCode.INTERNAL_ERROR, sentence=str(error))
        except PosternError as error:
            return CallFailure(
                code=code_of_failure(error), sentence=str(error), retriable=error.retryable
            )
        except Exception:
            log.exception("the call of %s in turn %s failed", declaration.name, self.turn.id)
            if declaration.effect is not Effect.NONE:
                return build_unknown_outcome(declaration.name)
            return CallFailure(code=FailureCode.INTERNAL_ERROR, sentence=_MISTAKE)

    def _note_failure(
        self,
        ordinal: int,
        name: str,
        arguments: JsonValue,
        gates: tuple[GateAnswer, ...],
        failure: CallFailure,
    ) -> CallFailure:
        """Keep a call that did not happen, or gave nothing; it changed nothing either way."""
        dumped = failure.model_dump(mode="json")
        self.journal.note_call(ordinal, name, arguments, gates, MoveState.FAILED, dumped)
        return failure

    async def _end_failed(
        self, ordinal: int, failure: CallFailure, *, unknown: bool = False
    ) -> CallFailure:
        """Write down that a call gave nothing, or that nobody knows what it did."""
        state = MoveState.UNKNOWN if unknown else MoveState.FAILED
        await self.journal.end_move(ordinal, state, failure.model_dump(mode="json"))
        return failure

    def _count_labels(self, declaration: ToolDeclaration, result: ToolResult) -> ToolResult:
        """Count what a result brings into the turn."""
        self.labels |= declaration.labels | result.labels
        return result
