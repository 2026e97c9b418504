"""People correct what a case is about; the classifier learns from it, or keeps what it has."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from data.errors import ConflictError
from data.records.core.briefing import Briefing
from data.records.core.screening import Authentication, AuthResult
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
    Sentiment,
)
from data.records.mail.examples import Relabel
from data.records.mail.stage_outputs import CaseText
from data.store.core import audit, journal
from data.store.mail import cases, examples
from flows.mail.knowing import retraining
from flows.mail.people.correcting import relabel
from flows.mail.people.reviewing import retry
from tasks.mail.classify.corrected_classification import from_outside
from tasks.mail.classify.incoming import incoming
from tasks.mail.classify.taught_layer import NEEDED
from tests.core.small import TEASEL, Line
from tests.occupied import go_as_far_as_they_can, occupied_writer
from tests.people import person

TEXT = "The carrier pigeon to loft {} is back, please enter her in the flight book."


async def cases_of(line: Line, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of the cases that messages with these texts become."""
    items = [
        line.send(text, subject="Pigeons", sender=f"loft{place}-{len(text)}@heron.example")
        for place, text in enumerate(texts)
    ]
    await line.run()
    return await line.rows("SELECT * FROM cases WHERE list_has_any(message_ids, ?)", items)


async def case_of(line: Line, text: str) -> dict[str, Any]:
    """Return the row of the case that a message with this text becomes."""
    (row,) = await cases_of(line, [text])
    return row


async def correct(line: Line, row: dict[str, Any], category: str) -> None:
    """Say as a person what a case is about."""
    (now,) = await line.rows("SELECT version FROM cases WHERE id = ?", row["id"])
    given = Relabel(version=int(str(now["version"])), category=Category(category))
    await relabel(line.house, line.workspace, row["id"], given, person("ida"))


async def taught(line: Line) -> None:
    """Correct as many cases as the first training needs."""
    for row in await cases_of(line, [TEXT.format(number) for number in range(NEEDED + 12)]):
        await correct(line, row, "feature_request")


async def events(line: Line, action: str) -> list[str]:
    """Return the details of audit events of one kind, oldest first."""
    found = await line.rows(
        "SELECT detail FROM audit_events WHERE action = ? ORDER BY sequence", action
    )
    return [str(row["detail"]) for row in found]


async def test_a_correction_shows_and_stays(line: Line) -> None:
    """The case has the person's word, and keeps it when it is worked on again."""
    row = await case_of(line, TEXT.format(7))
    assert row["category"] != "feature_request"
    await correct(line, row, "feature_request")
    (after,) = await line.rows("SELECT * FROM cases WHERE id = ?", row["id"])
    assert (after["category"], after["priority"]) == ("feature_request", row["priority"])
    (branch,) = await line.workspace.db.read(cases.list_branches, [row["id"]])
    assert Intent.model_validate_json(branch.intent).category is Category.FEATURE_REQUEST
    assert await events(line, "relabel") == [f"category: {row['category']} to feature_request"]

    await retry(line.house, line.workspace, row["id"], person("ida"))
    await line.run()
    kept = (await line.workspace.db.read(journal.read_results, "classify", [row["id"]]))[row["id"]]
    assert Classification.model_validate_json(kept).category is Category.FEATURE_REQUEST


async def test_a_correction_stays_that_is_given_while_examples_are_read(line: Line) -> None:
    """The night writes what it has read of a case, and no label that held before."""
    row = await case_of(line, TEXT.format(7))
    await correct(line, row, "feature_request")
    async with occupied_writer(line.workspace.db):
        reading = asyncio.create_task(retraining.hash_examples(line.house, line.workspace))
        correcting = asyncio.create_task(correct(line, row, "billing"))
        await go_as_far_as_they_can(line.workspace.db, rounds=200)
    await asyncio.gather(reading, correcting)
    given = await line.workspace.db.read(examples.list_corrections, [row["id"]])
    assert given[row["id"]].category == "billing"


async def test_an_outdated_correction_is_refused(line: Line) -> None:
    """Who corrects what has changed since they saw it is told so."""
    row = await case_of(line, TEXT.format(7))
    given = Relabel(version=row["version"] - 1, priority=Priority.LOW)
    with pytest.raises(ConflictError, match="changed"):
        await relabel(line.house, line.workspace, row["id"], given, person("ida"))
    assert await line.workspace.db.read(examples.count_examples) == (0, 0)


async def test_learning_waits_for_enough_takes_what_is_better_and_can_be_undone(line: Line) -> None:
    """Too few corrections train nothing; enough do; the same again is not taken; undo undoes."""
    await correct(line, await case_of(line, TEXT.format(99)), "feature_request")
    assert await retraining.retrain(line.house, line.workspace) is None
    await taught(line)
    training = await retraining.retrain(line.house, line.workspace)
    assert training is not None
    assert training.taken
    assert training.right_after > training.right_before
    fresh = await case_of(line, TEXT.format("Visby"))
    assert fresh["category"] == "feature_request"

    assert await retraining.retrain(line.house, line.workspace) is None
    await correct(line, fresh, "feature_request")
    again = await retraining.retrain(line.house, line.workspace)
    assert again is not None
    assert not again.taken
    told = await events(line, "retrain")
    assert "taken" in told[0]
    assert "not taken, because it is not better" in told[1]

    seen = await line.workspace.db.read(retraining.count_learned)
    assert (seen.corrections, seen.in_use) == (NEEDED + 14, training.id)
    await retraining.undo_training(line.house, line.workspace, person("ida"))
    assert await line.workspace.db.read(retraining.read_layer_in_use) is None
    assert (await case_of(line, TEXT.format("Lund")))["category"] != "feature_request"
    with pytest.raises(ConflictError, match="nothing"):
        await retraining.undo_training(line.house, line.workspace, person("ida"))
    assert await line.workspace.db.read(audit.find_break) is None


@pytest.mark.parametrize(
    ("sender", "dmarc", "internal"),
    [
        ("bo@teasel.example", AuthResult.PASS, True),
        ("bo@teasel.example", AuthResult.NOT_ESTABLISHED, False),
        ("bo@teasel.example", AuthResult.FAIL, False),
        ("mara@heron.example", AuthResult.PASS, False),
    ],
)
def test_a_colleague_is_known_by_domain_and_proof(
    sender: str, dmarc: AuthResult, internal: bool
) -> None:
    """Of whom our people do not name, only established mail of our domain is internal."""
    text = CaseText(subject="Minutes", text="Team, the minutes are in the shared drive.")
    checked = [Authentication(dmarc=dmarc)]
    assert incoming(text, sender, checked, Briefing(), TEASEL).internal is internal
    assert not incoming(text, sender, [*checked, None], Briefing(), TEASEL).internal


async def test_mail_from_outside_is_never_internal(line: Line) -> None:
    """Who names our domain without proof, and is none of our people, is no colleague."""
    item = line.send(
        "Team, the stand-up moves to 9:30, minutes are in the shared drive.",
        subject="Stand-up",
        sender="bo@teasel.example",
    )
    await line.run()
    found = await line.rows("SELECT category FROM cases WHERE list_contains(message_ids, ?)", item)
    assert all(row["category"] != "internal" for row in found)


def test_a_model_cannot_make_a_stranger_a_colleague() -> None:
    """Where a model says internal of a stranger's mail, the embedded answer counts."""
    own = Classification(
        category=Category.SUPPORT,
        priority=Priority.NORMAL,
        sentiment=Sentiment.NEUTRAL,
        language="en",
        confidence=0.6,
        intents=(Intent(intent=IntentKind.REQUEST, category=Category.SUPPORT, confidence=0.6),),
    )
    said = own.model_copy(update={"category": Category.INTERNAL, "embedded": own})
    assert from_outside(said).category is Category.SUPPORT
    assert from_outside(own) is own
