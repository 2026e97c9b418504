"""People's decisions on calls that agents ask them about (docs/agents.md#gates)."""

from pydantic import JsonValue

from data.errors import ConflictError, ForbiddenError
from data.records.agents.approval_kinds import TOOL_CALL
from data.records.agents.turns import CallDecision, Move, Permit, Turn, WaitingCall
from data.records.core.approvals import Approval, ApprovalRequest
from data.records.core.principals import Principal
from data.records.core.tools import ToolDeclaration
from data.states import ApprovalState
from data.store.agents import agents, turns
from data.store.core import approvals
from data.store.core.database import Connection
from flows.agents.calls import hash_call
from flows.agents.journal import mark_calls_seen, subject_of
from flows.agents.running import resume_turns
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace
from tasks.agents.permitting.binding import as_canonical_text
from tasks.agents.permitting.gates import list_reasons


def read_waiting_calls(
    cursor: Connection, tools: Toolbox, principal: Principal
) -> tuple[WaitingCall, ...]:
    """Return the calls that wait for a person's yes, the oldest first."""
    pending = approvals.list_waiting_for(cursor, TOOL_CALL, principal.id)
    return tuple(_read_waiting_call(cursor, tools, approval) for approval in pending)


def _read_waiting_call(cursor: Connection, tools: Toolbox, approval: Approval) -> WaitingCall:
    turn, move = _read_turn_and_move(cursor, approval)
    declaration = tools.read_declaration(move.name) if move.name in tools else None
    return WaitingCall(
        approval_id=approval.id,
        version=approval.version,
        sha256=approval.sha256,
        chat_id=turn.chat_id,
        turn_id=turn.id,
        agent=turn.agent,
        agent_name=agents.read_agent(cursor, turn.agent).name,
        tool=move.name,
        description=declaration.description if declaration is not None else move.name,
        goes_to=declaration.goes_to if declaration is not None else "",
        arguments=move.given,
        reasons=list_reasons(move.gates, Permit.ASK),
        asked_at=approval.opened_at,
    )


def _read_turn_and_move(cursor: Connection, approval: Approval) -> tuple[Turn, Move]:
    """Return what an approval of a call is about."""
    turn_id, _, ordinal = approval.subject_id.rpartition(".")
    turn = turns.read_turn(cursor, turn_id)
    (move,) = [
        move_row
        for move_row in turns.list_moves(cursor, turn_id)
        if str(move_row.ordinal) == ordinal
    ]
    return turn, move


async def decide_call(
    house: House,
    workspace: Workspace,
    tools: Toolbox,
    approval_id: str,
    decision: CallDecision,
    principal: Principal,
) -> None:
    """Say yes or no to a call in a person's name, and let the turn go on.

    Other arguments are another call: the question about the first is withdrawn, and the yes is
    bound to what the person has written.

    Raises:
        NotFoundError: there is no such question.
        ForbiddenError: somebody else has to decide.
        ToolCallError: the other arguments are not the tool's.
        ConflictError: it was decided or changed meanwhile; look at it again.

    """

    def decide(act: Act) -> Turn:
        approval = approvals.read_approval(act.cursor, TOOL_CALL, approval_id)
        _refuse_unfit_decision(approval, decision, principal, workspace)
        turn, move = _read_turn_and_move(act.cursor, approval)
        if decision.approve and decision.arguments is not None:
            tools.check_arguments(move.name, decision.arguments)
            declaration = tools.read_declaration(move.name)
            approval = _change_arguments(act, approval, turn, move, decision.arguments, declaration)
        state = ApprovalState.APPROVED if decision.approve else ApprovalState.REFUSED
        approvals.decide(act.cursor, approval, state, principal, act.now, decision.note)
        what = "approve call" if decision.approve else "refuse call"
        act.note(what, f"turn:{turn.id}", f"{move.name} {approval.sha256}")
        mark_calls_seen(act.cursor, turn, act.now)
        return turn

    turn = await carry_out(house, workspace, principal, decide)
    house.streams.forget(turn.id)
    await resume_turns(house, workspace, tools, chat_id=turn.chat_id)


def _refuse_unfit_decision(
    approval: Approval, decision: CallDecision, principal: Principal, workspace: Workspace
) -> None:
    """Refuse a decision of somebody else, one made before, and one on what was not shown."""
    if why_not := approval.why_not(principal, workspace.slug):
        raise ForbiddenError(why_not)
    if approval.state is not ApprovalState.PENDING:
        raise ConflictError(_describe_earlier_decision(approval))
    if (approval.version, approval.sha256) != (decision.version, decision.sha256):
        raise ConflictError("this is not what was shown; look at it again")


_DECIDED = {ApprovalState.APPROVED: "said yes", ApprovalState.REFUSED: "said no"}


def _describe_earlier_decision(approval: Approval) -> str:
    """Return what a second decision is told: what the first one was."""
    if approval.state not in _DECIDED:
        return "it is not asked for any more"
    return f"{approval.decided_by} has {_DECIDED[approval.state]} already"


def _change_arguments(
    act: Act,
    approval: Approval,
    turn: Turn,
    move: Move,
    arguments: dict[str, JsonValue],
    declaration: ToolDeclaration,
) -> Approval:
    """Write other arguments into a call that waits; return the question about them."""
    turns.change_call(act.cursor, turn.id, move.ordinal, arguments)
    request = ApprovalRequest(
        subject_id=subject_of(turn.id, move.ordinal),
        summary=f"{move.name} {as_canonical_text(arguments)}",
        sha256=hash_call(turn, declaration, arguments),
        may_decide=approval.may_decide,
    )
    (changed,) = approvals.open_many(
        act.cursor, TOOL_CALL, [request], opened_by=act.actor, now=act.now
    )
    return changed
