"""One case becomes two: what is answered first, and the rest, which waits for a person.

All of it is one transaction, with the reply's way into the outbox where that leaves by itself. Both
cases are then like any other: what the stages found out is journalled for each as if it had been
alone, so that either is drafted again, worked on again or taken over without the other.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.ids import new_id
from data.records.core.briefing import Briefing
from data.records.core.record import Record
from data.records.core.understanding import Classification
from data.records.mail.deciding import Outcome
from data.records.mail.stage_outputs import (
    Examined,
    Parting,
    Plans,
    Portion,
    Routed,
    Written,
)
from data.states import CaseState
from data.store.core import journal
from data.store.core.database import Connection
from data.store.core.journal import Step
from data.store.core.moves import note_events
from data.store.mail import actions, cases, parts
from data.store.mail.cases import CaseRow
from data.store.mail.thread_status import settle_threads_of_cases
from flows.core.workspace import Workspace
from flows.mail.line.case_family import give_messages, root_of
from flows.mail.line.omitted_sentences import list_remaining, pack_left_out, read_left_out
from tasks.core.words.sentences import beginning_of
from tasks.mail.case_text import said_in
from tasks.mail.classify.message_parts import narrow_classification, pieces
from tasks.mail.read import Reading

_STAGES = ("classify", "plan", "draft", "check", "route")
_PREVIEW = 160
_SHOWN = (
    "category", "priority", "sentiment", "confidence", "quality", "outcome", "would_auto_send",
    "assignee", "note", "has_draft", "left_out",
)  # fmt: skip
"""What of a case its parts decide."""


def part_case(
    cursor: Connection,
    workspace: Workspace,
    row: CaseRow,
    parting: Parting,
    *,
    actor: str,
    now: datetime,
) -> str:
    """Part a case; return the id of the one that has the rest.

    The messages belong to the rest from now on, because a person still has to look at it.
    """
    case, fresh = str(row.id), new_id(now)
    whole_understanding = Classification.model_validate_json(
        journal.read_results(cursor, "classify", [case])[case]
    )
    left_here, leaving = _divide_sentences(cursor, row, whole_understanding, parting)
    escalated = parting.rest.decision.outcome is Outcome.ESCALATE
    state = CaseState.ESCALATED if escalated else CaseState.IN_REVIEW
    parted_case = _build_shown_row(row, whole_understanding, parting.rest)._replace(
        id=fresh,
        state=state,
        version=1,
        created_at=now,
        drafted_at=now,
        changed_at=now,
        due_at=now,
        preview=beginning_of(whole_understanding.intents[parting.rest.places[0]].text, _PREVIEW),
        part_of=root_of(row),
        left_out=pack_left_out(leaving),
    )
    cases.add(cursor, [parted_case._asdict()])
    first = _build_shown_row(row, whole_understanding, parting.first)._replace(
        left_out=pack_left_out(left_here)
    )
    cases.change(cursor, [{"id": case, **{name: getattr(first, name) for name in _SHOWN}}])
    note_events(cursor, "case", [fresh], state, actor=actor, now=now, note=f"parted from {case}")
    parts.move_branches(cursor, case, parting.first.places, fresh, parting.rest.places)
    actions.follow_case(cursor, [fresh], state, actor, now)
    settle_threads_of_cases(cursor, [fresh])
    _journal_parts(cursor, workspace, case, fresh, whole_understanding, parting, now)
    _keep_drafts(cursor, {case: parting.first, fresh: parting.rest}, now)
    give_messages(cursor, row, parted_case, actor, now)
    return fresh


def _divide_sentences(
    cursor: Connection, row: CaseRow, classification: Classification, parting: Parting
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return by message the sentences that the first case leaves out, and those that the rest does.

    Every sentence is one of both.
    """
    parse_results = journal.read_results(cursor, "parse", row.message_ids)
    parsed = {item: Reading.model_validate_json(text) for item, text in parse_results.items()}
    ids = [item for item in row.message_ids if item in parsed]
    left_here, leaving = read_left_out(row), read_left_out(row)
    for item, reading in zip(ids, list_remaining(row, parsed), strict=True):
        for piece, owner in pieces(said_in(reading), classification.intents):
            target = left_here if owner in parting.rest.places else leaving
            target.setdefault(item, []).append(piece)
    return left_here, leaving


def _build_shown_row(row: CaseRow, classification: Classification, portion: Portion) -> CaseRow:
    """Return what lists show of a case with these parts."""
    portion_understanding, decision = (
        narrow_classification(classification, portion.places),
        portion.decision,
    )
    return row._replace(
        category=str(portion_understanding.category),
        priority=str(portion_understanding.priority),
        sentiment=str(portion_understanding.sentiment),
        confidence=portion_understanding.confidence,
        quality=portion.checked.quality,
        outcome=str(decision.outcome),
        would_auto_send=decision.would_auto_send,
        assignee=decision.assignee,
        note=decision.reason,
        has_draft=bool(portion.draft.body.strip()),
    )


def _journal_parts(
    cursor: Connection,
    workspace: Workspace,
    case: str,
    fresh: str,
    classification: Classification,
    parting: Parting,
    now: datetime,
) -> None:
    """Journal for both cases what the stages found out about their parts."""

    def kept(stage: str) -> str:
        return journal.read_results(cursor, stage, [case])[case]

    plans = Plans.model_validate_json(kept("plan"))
    written = Written.model_validate_json(kept("draft"))
    checked = Examined.model_validate_json(kept("check"))
    routed = Routed.model_validate_json(kept("route"))
    briefing = Briefing.model_validate_json(kept("context")).model_copy(update={"version": 1})
    journal.supersede_steps(cursor, [case], _STAGES)
    steps = [_build_step(workspace, fresh, "context", briefing, now)]
    for item, portion in ((case, parting.first), (fresh, parting.rest)):
        places = portion.places
        outputs: dict[str, Record] = {
            "classify": narrow_classification(classification, places),
            "plan": _pick_plans(plans, places),
            "draft": Written(**dict(portion.draft), parts=_pick_parts(written.parts, places)),
            "check": Examined(
                **dict(portion.checked), branches=_pick_parts(checked.branches, places)
            ),
            "route": Routed.model_validate(
                {**dict(portion.decision), "parts": _pick_parts(routed.parts, places)}
            ),
        }
        steps += [
            _build_step(workspace, item, stage, output, now) for stage, output in outputs.items()
        ]
    journal.record_steps(cursor, steps)


def _pick_plans(plans: Plans, places: Sequence[int]) -> Plans:
    alone = tuple(plans.by_itself[place] for place in places) if plans.by_itself else ()
    return Plans(
        plans=tuple(plans.plans[place] for place in places),
        embedded=tuple(plan for own in alone for plan in own),
        by_itself=alone if len(alone) > 1 else (),
    )


def _pick_parts(things: Sequence[Any], places: Sequence[int]) -> tuple[Any, ...]:
    """Return the parts at these places; none where one is left, which is the whole then."""
    return tuple(things[place] for place in places) if len(places) > 1 else ()


def _build_step(workspace: Workspace, item: str, stage: str, record: Record, now: datetime) -> Step:
    provider = str(getattr(record, "provider", "local"))
    version = workspace.config_version
    return journal.build_step_without_run(
        item, stage, record.model_dump_json(), now, version, provider=provider
    )


def _keep_drafts(cursor: Connection, portions: Mapping[str, Portion], now: datetime) -> None:
    revisions = cases.read_next_revisions(cursor, list(portions))
    cases.add_drafts(
        cursor,
        [
            {
                "case_id": case,
                "revision": revisions[case],
                "draft": portion.draft.model_dump_json(),
                "checked": portion.checked.model_dump_json(),
                "author": portion.draft.provider,
                "created_at": now,
            }
            for case, portion in portions.items()
            if portion.draft.body.strip()
        ],
    )
