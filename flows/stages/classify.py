"""Stage *classify*: what a case is about; one branch per intent."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.briefing import Briefing, SourceKind
from data.records.understanding import Classification
from data.states import BranchState, MessageStatus
from data.store import cases
from data.store.database import Connection, insert, update
from data.store.moves import move
from flows.asking import classify_each
from flows.evidence import is_first_contact
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows, case_text, readings_of
from tasks.classify import Incoming


class ClassifyStage(CaseStage[Classification]):
    """Asks the classifier, and forks where several things are wanted."""

    name = "classify"
    output = Classification

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Classification | PosternError]:
        """Classify the new text of each case."""
        found = await case_rows(batch, ids)
        readings = await readings_of(batch, found)
        briefings = await batch.results("context", Briefing, ids)
        domains = {
            address.rpartition("@")[2].lower() for address in batch.workspace.organization.addresses
        }
        texts = [case_text(readings[case]) for case in ids]
        inside = [found[case]["contact_email"].rpartition("@")[2] in domains for case in ids]
        results = await asyncio.to_thread(
            batch.house.classifier.classify_many,
            [
                Incoming(
                    text=text.text,
                    subject=text.subject,
                    internal=own,
                    known_sender=not is_first_contact(briefings[case]),
                    reply=bool(briefings[case].of(SourceKind.THREAD)),
                )
                for case, text, own in zip(ids, texts, inside, strict=True)
            ],
        )
        embedded = dict(zip(ids, results, strict=True))
        thinker = batch.house.thinker
        if thinker is None:
            return embedded
        words = {case: text.text for case, text in zip(ids, texts, strict=True)}
        return await classify_each(batch, thinker, found, readings, words, briefings, embedded)

    def settle(
        self,
        cursor: Connection,
        batch: Batch,
        results: Mapping[str, Classification],
        now: datetime,
    ) -> None:
        """Show what was understood, and fork the branches."""
        found = cases.many(cursor, list(results))
        update(
            cursor,
            "cases",
            [
                {
                    "id": case,
                    "category": str(seen.category),
                    "priority": str(seen.priority),
                    "sentiment": str(seen.sentiment),
                    "language": seen.language,
                    "confidence": seen.confidence,
                }
                for case, seen in results.items()
            ],
        )
        cursor.execute("DELETE FROM branches WHERE case_id IN (SELECT unnest(?))", [list(results)])
        insert(
            cursor,
            "branches",
            [
                {
                    "id": f"{case}-{position}",
                    "case_id": case,
                    "position": position,
                    "state": BranchState.RUNNING,
                    "intent": intent.model_dump_json(),
                    "plan": None,
                    "question": "",
                }
                for case, seen in results.items()
                for position, intent in enumerate(seen.intents)
            ],
        )
        everything = [item for row in found.values() for item in row["message_ids"]]
        move(cursor, everything, MessageStatus.CLASSIFIED, actor=self.name, now=now)
