"""Stage *classify*: what a case is about; one branch per intent."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice

from data.errors import PosternError
from data.ids import branch_id
from data.linear import LinearModel
from data.records.core.briefing import Briefing
from data.records.core.screening import Authentication
from data.records.core.understanding import Category, Classification, IntentKind, Priority
from data.states import BranchState, MessageStatus
from data.store.core.database import Connection
from data.store.mail import actions, cases, examples
from data.store.mail.moves import move
from flows.core.batch import Batch
from flows.mail.knowing.retraining import read_layer_in_use
from flows.mail.line.case_texts import list_readings, reuse_case_rows
from flows.mail.line.matters_before import find_earlier_matters
from flows.mail.stages.case_stage import CaseStage
from flows.mail.thinking.classify_by_model import classify_each
from flows.mail.thinking.line_agents import CLASSIFIER
from tasks.mail.case_text import case_text
from tasks.mail.classify.classify_cases import each_alone, with_parts
from tasks.mail.classify.classifying import Incoming
from tasks.mail.classify.corrected_classification import correct_classification, from_outside
from tasks.mail.classify.incoming import incoming


class ClassifyStage(CaseStage[Classification]):
    """Asks the classifier, and forks where several things are wanted."""

    name = "classify"
    output = Classification

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Classification | PosternError]:
        """Classify the new text of each case."""
        case_rows = await reuse_case_rows(batch, ids)
        readings = await list_readings(batch, case_rows)
        briefings = await batch.read_results("context", Briefing, ids)
        texts = {case: case_text(readings[case]) for case in ids}
        items = [item for row in case_rows.values() for item in row.message_ids]
        checked = await batch.read_results("authenticate", Authentication, items)
        before = await batch.workspace.db.read(find_earlier_matters, ids)
        incoming_by_case = {
            case: incoming(
                texts[case],
                case_rows[case].contact_email,
                [checked.get(item) for item in case_rows[case].message_ids],
                briefings[case],
                batch.workspace.organization,
                before.get(case),
            )
            for case in ids
        }
        taught = await batch.workspace.db.read(read_layer_in_use)
        results = await batch.house.work.compute_each(
            CLASSIFIER.embedded, taught, [incoming_by_case[case] for case in ids]
        )
        embedded = dict(zip(ids, results, strict=True))
        understandings, thinker = embedded, batch.house.thinker
        if thinker is not None:
            words = {case: text.text for case, text in texts.items()}
            answers = await classify_each(
                batch, thinker, case_rows, readings, words, briefings, embedded
            )
            understandings = {
                case: understanding
                if incoming_by_case[case].internal
                else from_outside(understanding)
                for case, understanding in answers.items()
            }
        words_of_people = await batch.workspace.db.read(examples.list_corrections, ids)
        corrected_by_case = {
            case: correct_classification(
                understanding,
                category=Category(words_of_people[case].category),
                priority=Priority(words_of_people[case].priority),
                intent=IntentKind(words_of_people[case].intent),
            )
            if case in words_of_people
            else understanding
            for case, understanding in understandings.items()
        }
        return await _classify_parts(batch, corrected_by_case, incoming_by_case, taught)

    def settle(
        self,
        cursor: Connection,
        batch: Batch,
        results: Mapping[str, Classification],
        now: datetime,
    ) -> None:
        """Show what was understood, and fork the branches."""
        case_by_id = cases.read_cases(cursor, list(results))
        cases.change(
            cursor,
            [
                {
                    "id": case,
                    "category": str(understanding.category),
                    "priority": str(understanding.priority),
                    "sentiment": str(understanding.sentiment),
                    "language": understanding.language,
                    "confidence": understanding.confidence,
                }
                for case, understanding in results.items()
            ],
        )
        actions.remove_actions(cursor, list(results))
        cases.remove_branches(cursor, list(results))
        cases.add_branches(
            cursor,
            [
                {
                    "id": branch_id(case, position),
                    "case_id": case,
                    "position": position,
                    "state": BranchState.RUNNING,
                    "intent": intent.model_dump_json(),
                    "priority": str(
                        understanding.parts[position].priority
                        if understanding.parts
                        else understanding.priority
                    ),
                    "plan": None,
                    "question": "",
                }
                for case, understanding in results.items()
                for position, intent in enumerate(understanding.intents)
            ],
        )
        everything = [item for row in case_by_id.values() for item in row.message_ids]
        of = list(results)
        move(cursor, everything, MessageStatus.CLASSIFIED, actor=self.name, now=now, of=of)


async def _classify_parts(
    batch: Batch,
    understanding_by_case: Mapping[str, Classification],
    incoming_by_case: Mapping[str, Incoming],
    taught: LinearModel | None,
) -> dict[str, Classification]:
    """Say of cases with several intents what each is about by itself."""
    alone_by_case = {
        case: each_alone(incoming_by_case[case], understanding)
        for case, understanding in understanding_by_case.items()
    }
    alone = [part for parts in alone_by_case.values() for part in parts]
    classified = iter(await batch.house.work.compute_each(CLASSIFIER.embedded, taught, alone))
    return {
        case: with_parts(understanding, list(islice(classified, len(alone_by_case[case]))))
        for case, understanding in understanding_by_case.items()
    }
