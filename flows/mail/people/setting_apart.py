"""A person sets parts of a case apart, to decide on them by themselves, or joins them again."""

from collections.abc import Sequence
from datetime import datetime

from data.errors import ConflictError
from data.records.core.briefing import Briefing
from data.records.core.organization import Organization
from data.records.core.principals import Principal
from data.records.core.understanding import Classification
from data.records.mail.deciding import Decision, Outcome
from data.records.mail.drafting import Checked, Draft
from data.records.mail.orders import Join, PartCase
from data.records.mail.stage_outputs import Parting, Plans, Routed, Written
from data.states import CaseState, MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import attached_files, cases, messages
from data.store.mail.cases import CaseRow
from data.store.mail.moves import move
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.line.case_family import list_others
from flows.mail.line.omitted_sentences import list_left_out_by_all, list_remaining, pack_left_out
from flows.mail.line.owner_questions import withdraw_case_questions
from flows.mail.line.parted_portions import Whole
from flows.mail.line.parting import part_case
from flows.mail.people.attaching import refuse_too_many
from flows.mail.people.copying import checked_copies, refuse_both
from flows.mail.people.deciding import DECIDABLE, Deciding, decide, must_be_in
from flows.mail.people.reviewing import work_again
from tasks.mail.case_text import case_text
from tasks.mail.read import Reading

PART_OR_JOIN = "part or join"
"""What there is nothing to do, in the words of a refusal."""


async def part(
    house: House, workspace: Workspace, case_id: str, order: PartCase, principal: Principal
) -> str:
    """Make a case of its own of some of a case's branches; return its id.

    The reply to the others says that the rest follows. Nothing leaves by it.

    Raises:
        ConflictError: the case has changed, is not before a person, or has not these parts.

    """
    parting = await workspace.db.read(_prepare, workspace, case_id, order, principal)

    def act(deciding: Deciding) -> str:
        cursor, now = deciding.cursor, deciding.now
        fresh = part_case(cursor, workspace, deciding.case, parting, actor=principal.name, now=now)
        if parting.first.decision.outcome is not Outcome.ESCALATE:
            move(cursor, [case_id], CaseState.IN_REVIEW, actor=principal.name, now=now)
        ask(cursor, workspace, [case_id, fresh], principal.name, now)
        deciding.detail = fresh
        return fresh

    return await decide(
        house, workspace, case_id, order.version, principal, "part", act, nothing_to=PART_OR_JOIN
    )


def _prepare(
    cursor: Connection, workspace: Workspace, case_id: str, order: PartCase, principal: Principal
) -> Parting:
    """Compose and check both replies; nothing is written."""
    case = cases.read_version(cursor, case_id, order.version)
    must_be_in(DECIDABLE, case.state, PART_OR_JOIN)
    whole, decisions = _read_whole(cursor, workspace, case)
    rest = _places(cursor, case_id, order.branches)
    first = [place for place in range(len(decisions)) if place not in rest]

    def judge(places: Sequence[int], _draft: Draft, _checked: Checked) -> Decision:
        return _before_a_person([decisions[place] for place in places], principal)

    return Parting(
        first=whole.build_portion(first, judge, rest_follows=True),
        rest=whole.build_portion(rest, judge, rest_follows=False),
    )


async def join(
    house: House, workspace: Workspace, case_id: str, order: Join, principal: Principal
) -> None:
    """Make one case again of those that answer parts of the same messages, and draft it anew.

    The files and copies that people chose for any of them are those of the one reply.

    Raises:
        ConflictError: the case has changed, or none of the others waits for a person.
        UnfitError: the files would be too many for one letter, or a copy be seen and blind.

    """

    def act(deciding: Deciding) -> None:
        cursor, row, now = deciding.cursor, deciding.case, deciding.now
        others = [
            other_case for other_case in list_others(cursor, row) if other_case.state in DECIDABLE
        ]
        if not others:
            raise ConflictError("no other part of this message waits for a person any more")
        for other in others:
            _end(cursor, other, case_id, principal, now)
        attached_files.hand_on(cursor, [case_id], now)
        refuse_too_many(house.settings, attached_files.list_of_case(cursor, case_id))
        left_out_text = pack_left_out(list_left_out_by_all([row, *others]))
        copies_chosen = _copies_of_all([row, *others], workspace.organization)
        cases.change(cursor, [{"id": case_id, "left_out": left_out_text, **copies_chosen}])
        mine = list(row.message_ids)
        messages.change(cursor, [{"id": item, "case_id": case_id} for item in mine])
        move(cursor, [case_id], CaseState.IN_REVIEW, actor=principal.name, now=now)
        move(cursor, mine, MessageStatus.DRAFT_READY, actor=principal.name, now=now, of=[case_id])
        deciding.detail = ", ".join(other.id for other in others)
        work_again(cursor, case_id, mine, "context", principal, now)

    await decide(
        house, workspace, case_id, order.version, principal, "join", act, nothing_to=PART_OR_JOIN
    )


def _copies_of_all(joined: Sequence[CaseRow], own: Organization) -> dict[str, list[str]]:
    """Return who gets a copy of the one reply, by column: whoever was to get one of a part's.

    Raises:
        UnfitError: somebody was to get one that is seen and one that is blind.

    """
    cc = [address for row in joined for address in row.cc or ()]
    bcc = [address for row in joined for address in row.bcc or ()]
    refuse_both(cc, bcc)
    return {
        name: checked_copies(addresses, own)
        for name, addresses in (("cc", cc), ("bcc", bcc))
        if addresses
    }


def _end(
    cursor: Connection, other: CaseRow, heir: str, principal: Principal, now: datetime
) -> None:
    """End a case whose parts another one answers from now on."""
    withdraw_case_questions(cursor, other.id, principal.name, now)
    for state in (CaseState.IN_REVIEW, CaseState.SUPERSEDED):
        move(cursor, [other.id], state, actor=principal.name, now=now, note="joined")
    cases.change(cursor, [{"id": other.id, "superseded_by": heir}])
    cases.advance_versions(cursor, [other.id], now)


def _places(cursor: Connection, case_id: str, chosen: Sequence[str]) -> list[int]:
    """Return the places of the chosen branches: some of the case's, and not all of them."""
    position_by_branch = {row.id: row.position for row in cases.list_branches(cursor, [case_id])}
    if not chosen or not set(chosen) < set(position_by_branch):
        raise ConflictError("choose some of this case's parts, and leave at least one")
    return sorted(position_by_branch[branch] for branch in set(chosen))


def _read_whole(
    cursor: Connection, workspace: Workspace, row: CaseRow
) -> tuple[Whole, Sequence[Decision]]:
    """Return a case with what the stages made of each part."""
    case = row.id

    def kept(stage: str) -> str:
        stage_results = journal.read_results(cursor, stage, [case])
        if case not in stage_results:
            raise ConflictError("this case was not drafted to its end; work on it again first")
        return stage_results[case]

    whole_understanding = Classification.model_validate_json(kept("classify"))
    written = Written.model_validate_json(kept("draft"))
    decisions = Routed.model_validate_json(kept("route")).parts
    if not written.parts or not len(written.parts) == len(decisions) == len(
        whole_understanding.parts
    ):
        raise ConflictError("this case has one part; there is nothing to set apart")
    readings = journal.read_results(cursor, "parse", row.message_ids)
    parsed = {item: Reading.model_validate_json(text) for item, text in readings.items()}
    whole = Whole(
        workspace=workspace,
        row=row,
        text=case_text(list_remaining(row, parsed)).text,
        seen=whole_understanding,
        briefing=Briefing.model_validate_json(kept("context")),
        written=written,
        plans=Plans.model_validate_json(kept("plan")).plans,
    )
    return whole, decisions


def _before_a_person(parts: Sequence[Decision], principal: Principal) -> Decision:
    """Return the decision on parts that a person has set apart: a person decides."""
    escalated = next(
        (escalated_part for escalated_part in parts if escalated_part.outcome is Outcome.ESCALATE),
        None,
    )
    shown = escalated or parts[0]
    return Decision(
        outcome=Outcome.ESCALATE if escalated else Outcome.REVIEW,
        gates=shown.gates,
        assignee=escalated.assignee if escalated else None,
        reason=f"Set apart by {principal.name}. {shown.reason}",
    )
