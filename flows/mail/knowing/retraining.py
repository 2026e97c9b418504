"""An organization's classifier learns from its people, and only when that makes it better.

Run by the flow *upkeep*. Every training is kept with its outcome and is an event of the audit log.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from data.errors import ConflictError
from data.ids import new_id
from data.linear import LinearModel
from data.records.core.briefing import Briefing
from data.records.core.principals import Principal
from data.records.core.screening import Authentication
from data.records.core.understanding import Category, Intent
from data.records.mail.examples import LearnedExamples, Training
from data.store.core import audit, journal
from data.store.core.database import Connection
from data.store.core.statements import Fields
from data.store.mail import cases, examples
from data.store.mail.cases import CaseRow
from data.store.mail.examples import ExampleRow
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.mailroom import mailroom_of
from flows.mail.line.matters_before import find_earlier_matters
from flows.mail.line.omitted_sentences import list_remaining
from tasks.mail.case_text import case_text
from tasks.mail.classify.classifying import Incoming
from tasks.mail.classify.incoming import incoming
from tasks.mail.classify.taught_layer import (
    BESIDE,
    HEADS,
    MOST,
    NEEDED,
    Example,
    LayerTrial,
    try_layer,
)
from tasks.mail.read import Reading


def read_layer_in_use(cursor: Connection) -> LinearModel | None:
    """Return the layer that the organization's people taught, or None."""
    layer_row = examples.find_in_use(cursor)
    return LinearModel.unpacked(layer_row.layer, f"training {layer_row.id}") if layer_row else None


def count_learned(cursor: Connection) -> LearnedExamples:
    """Return how many examples there are, and how the trainings went."""
    corrections, confirmed = examples.count_examples(cursor)
    using = examples.find_in_use(cursor)
    return LearnedExamples(
        corrections=corrections,
        confirmed=confirmed,
        needed=NEEDED,
        in_use=using.id if using else None,
        trainings=tuple(examples.list_trainings(cursor)),
    )


async def retrain(house: House, workspace: Workspace) -> Training | None:
    """Train on what people said, if there are enough corrections and any since the last time.

    Returns:
        The training, taken or not; None when there was no reason for one.

    """
    if not await workspace.db.read(_is_due):
        return None
    await workspace.db.write(_add_confirmed_examples)
    await hash_examples(house, workspace)
    begun_at = house.clock()  # a correction from now on is one that this training has not seen
    examples_given = [_build_example(row) for row in await workspace.db.read(_list_examples)]
    present = await workspace.db.read(read_layer_in_use)
    trial = await asyncio.to_thread(try_layer, examples_given, present)
    return await workspace.db.write(_keep_training, trial, begun_at)


async def undo_training(house: House, workspace: Workspace, principal: Principal) -> None:
    """Take the training in use out of use; the one before it comes back.

    Raises:
        ConflictError: none is in use.

    """

    def work(act: Act) -> None:
        training_in_use = examples.find_in_use(act.cursor)
        if training_in_use is None:
            raise ConflictError("nothing that people taught is in use; there is nothing to undo")
        examples.undo_training(act.cursor, training_in_use.id, act.now)
        act.note("undo_training", "classifier", f"training {training_in_use.id}")

    await carry_out(house, workspace, principal, work)


def _is_due(cursor: Connection) -> bool:
    """Return whether there are enough corrections, and one that no training has seen."""
    if examples.count_examples(cursor).corrections < NEEDED:
        return False
    trainings_made = examples.list_trainings(cursor)
    return not trainings_made or examples.has_correction_since(cursor, trainings_made[0].trained_at)


def _list_examples(cursor: Connection) -> list[ExampleRow]:
    """Return what is trained on: the newest corrections, and beside them what people confirmed."""
    own = examples.list_newest(cursor, corrected=True, limit=MOST)
    beside = examples.list_newest(cursor, corrected=False, limit=BESIDE * len(own))
    return [row for row in own + beside if row.hashes]


def _add_confirmed_examples(cursor: Connection) -> None:
    """Take cases that people let stand as examples too."""
    corrections, confirmed = examples.count_examples(cursor)
    wanted_count = min(corrections, MOST) * BESIDE - confirmed
    approved_rows = (
        examples.list_approved_without_example(cursor, wanted_count) if wanted_count > 0 else []
    )
    examples_taken: list[Fields] = [
        {
            "case_id": row.id,
            "category": row.category,
            "priority": row.priority,
            "intent": Intent.model_validate_json(row.intent).intent.value,
            "corrected": False,
            "hashes": [],
            "opinion": [],
            "given_by": row.reviewer,
            "given_at": row.decided_at,
        }
        for row in approved_rows
    ]
    if examples_taken:
        examples.replace_examples(cursor, examples_taken)


async def hash_examples(house: House, workspace: Workspace) -> None:
    """Read the cases of examples that were not read yet; one whose words are gone is left out."""
    rows = await workspace.db.read(examples.list_unhashed)
    incoming_by_case = await workspace.db.read(
        _read_incoming, workspace, [row.case_id for row in rows]
    )
    rows_known = [row for row in rows if row.case_id in incoming_by_case]
    opinions = await asyncio.to_thread(
        mailroom_of(house).classifier.opinions,
        [incoming_by_case[row.case_id] for row in rows_known],
    )
    filled = [
        {**row._asdict(), "hashes": hashes.tolist(), "opinion": opinion.tolist()}
        for row, (hashes, opinion) in zip(rows_known, opinions, strict=True)
    ]
    if filled:
        await workspace.db.write(examples.fill_examples, filled)


def _read_incoming(
    cursor: Connection, workspace: Workspace, case_ids: Sequence[str]
) -> dict[str, Incoming]:
    case_rows = cases.read_cases(cursor, case_ids)
    items = [item for row in case_rows.values() for item in row.message_ids]
    parsed = journal.read_results(cursor, "parse", items)
    checked = journal.read_results(cursor, "authenticate", items)
    briefed = journal.read_results(cursor, "context", list(case_rows))
    before = find_earlier_matters(cursor, list(case_rows))
    return {
        case: _make_incoming(workspace, row, parsed, checked, briefed.get(case), before.get(case))
        for case, row in case_rows.items()
        if any(item in parsed for item in row.message_ids)
    }


def _make_incoming(
    workspace: Workspace,
    row: CaseRow,
    parsed: Mapping[str, str],
    checked: Mapping[str, str],
    briefed: str | None,
    before: Category | None,
) -> Incoming:
    ids = row.message_ids
    return incoming(
        case_text(
            list_remaining(
                row, {i: Reading.model_validate_json(parsed[i]) for i in ids if i in parsed}
            )
        ),
        row.contact_email,
        [
            Authentication.model_validate_json(checked[item]) if item in checked else None
            for item in ids
        ],
        Briefing.model_validate_json(briefed) if briefed else Briefing(),
        workspace.organization,
        before,
    )


def _build_example(row: ExampleRow) -> Example:
    return Example(
        case_id=row.case_id,
        hashes=np.array(row.hashes, dtype=np.uint32),
        opinion=np.array(row.opinion, dtype=np.float32),
        labels={name: getattr(row, name) for name in HEADS},
    )


def _keep_training(cursor: Connection, trial: LayerTrial, now: datetime) -> Training:
    """Keep a training with how it went; it is in use from now on where it is better."""
    corrections, confirmed = examples.count_examples(cursor)
    training = Training(
        id=new_id(now),
        trained_at=now,
        corrections=corrections,
        confirmed=confirmed,
        held=trial.held,
        right_before=trial.right_before,
        right_after=trial.right_after,
        taken=trial.better,
    )
    examples.add_training(cursor, training, trial.layer.packed())
    verdict = "taken" if trial.better else "not taken, because it is not better"
    detail = (
        f"training {training.id} {verdict}: of {trial.held * len(HEADS)} labels held back "
        f"{trial.right_before} were right before, {trial.right_after} after"
    )
    audit.append(
        cursor, actor="upkeep", action="retrain", subject="classifier", detail=detail, now=now
    )
    return training
