"""Stage *screen*: clean, flagged or quarantine; and whether a machine wrote it."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.core.envelope import Envelope
from data.records.core.parsed_mail import Automated
from data.records.core.screening import Screening, Verdict
from data.records.mail.stage_outputs import Screened
from data.states import MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import decisions, groups, messages, threads
from data.store.mail.decisions import keep_flags
from data.store.mail.messages import MessageRow
from data.store.mail.moves import move
from flows.core.batch import Batch
from flows.core.workspace import Workspace
from flows.mail.line.mailroom import mailroom_of
from flows.mail.line.screen_knowledge import gather_knowledge
from flows.mail.stages.message_stage import MessageStage
from flows.mail.stages.unscreened import (
    UNSCREENED,
    journal_results,
    judge_writer,
    judge_writers,
    make_screening,
)
from flows.mail.thinking.line_agents import GUARD
from flows.mail.thinking.screen_by_model import guard_each
from tasks.core.screen import security_flags
from tasks.mail.automated.detecting import PERSONS
from tasks.mail.read import Reading
from tasks.mail.screen.screen_messages import ToScreen


class ScreenStage(MessageStage[Screened]):
    """Runs the rules over everything that came from outside."""

    name = "screen"
    output = Screened

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Screened | PosternError]:
        """Screen each message."""
        workspace = batch.workspace
        readings = await batch.read_results("parse", Reading, ids)
        rows = await workspace.db.read(messages.read_messages, ids)
        own = await _list_own_ids(workspace, readings)
        envelopes = {item: Envelope.model_validate_json(rows[item].envelope) for item in readings}

        senders = {str(rows[item].sender_email) for item in readings}
        excused = await workspace.db.read(decisions.list_excused_markers, PERSONS, senders)

        def who() -> dict[str, Automated]:
            return {
                item: judge_writer(batch, reading, rows[item], own, excused)
                for item, reading in readings.items()
            }

        automated = await asyncio.to_thread(who)
        known_by_item = await gather_knowledge(batch, readings, automated, envelopes)

        screenings = await batch.house.work.compute_each(
            GUARD.embedded,
            (workspace.policy, mailroom_of(batch.house).judge is not None),
            [
                ToScreen(
                    reading=reading,
                    envelope=envelopes[item],
                    automated=automated[item],
                    known=known_by_item[item],
                    released=bool(rows[item].released_by),
                )
                for item, reading in readings.items()
            ],
        )
        results: dict[str, Screened | PosternError] = {
            item: Screened(screening=screening, automated=automated[item])
            for item, screening in zip(readings, screenings, strict=True)
        }
        return await _ask_guard(batch, readings, rows, results)

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Screened], now: datetime
    ) -> None:
        """Stop what is dangerous; the rest goes on."""
        rows = messages.read_messages(cursor, list(results))
        results = _drop_put_back(cursor, batch, results, rows)
        messages.change(
            cursor,
            [
                {
                    "id": item,
                    "verdict": str(screened.screening.verdict),
                    "automated_kind": str(screened.automated.kind),
                    "note": "",  # what an earlier look had left there holds no longer
                }
                for item, screened in results.items()
            ],
        )
        own = {result.automated.own_group for result in results.values()} - {None}
        groups.propose(cursor, [str(address) for address in own], now)
        stopped = {
            item: _tell_strongest(screened.screening)
            for item, screened in results.items()
            if screened.screening.verdict is Verdict.QUARANTINE and not rows[item].released_by
        }
        move(
            cursor, list(stopped), MessageStatus.QUARANTINED, actor="screen", now=now, note=stopped
        )
        keep_flags(cursor, {item: security_flags(results[item].screening, now) for item in stopped})
        notify(cursor, "quarantined", stopped, now)
        batch.take_off(list(stopped), "quarantined")

    def give_up(
        self, cursor: Connection, batch: Batch, errors: Mapping[str, str], now: datetime
    ) -> None:
        """A message that cannot be screened goes on flagged: never clean by accident, never lost.

        The next batch takes it to the stage behind this one. A released one goes on as well.
        """
        waiting = _list_still_waiting(errors, messages.read_messages(cursor, list(errors)))
        results = {
            item: Screened(screening=make_screening(), automated=writer)
            for item, writer in judge_writers(cursor, batch, waiting).items()
        }
        texts = {item: result.model_dump_json() for item, result in results.items()}
        journal_results(cursor, batch, texts, now)
        self.settle(cursor, batch, results, now)
        notes = [{"id": item, "note": UNSCREENED, "due_at": now} for item in waiting]
        messages.change(cursor, notes)
        notify(cursor, "screen_failed", dict.fromkeys(waiting, UNSCREENED), now)


def _list_still_waiting(ids: Iterable[str], rows: Mapping[str, MessageRow]) -> list[str]:
    """Return those of the messages that still wait for the screen."""
    return [item for item in ids if rows[item].status == MessageStatus.SCREENING]


def _drop_put_back(
    cursor: Connection,
    batch: Batch,
    results: Mapping[str, Screened],
    rows: Mapping[str, MessageRow],
) -> dict[str, Screened]:
    """Return the results without those of messages that a person has put back meanwhile.

    What was found out about such a message under a release that holds no longer does not count,
    and the message goes nowhere.
    """
    waiting = set(_list_still_waiting(results, rows))
    items = [item for item in results if item not in waiting]
    if items:
        journal.withdraw_steps(cursor, items, "screen")
        batch.take_off(items, "decided meanwhile")
    return {item: result for item, result in results.items() if item in waiting}


async def _ask_guard(
    batch: Batch,
    readings: Mapping[str, Reading],
    rows: Mapping[str, MessageRow],
    results: dict[str, Screened | PosternError],
) -> dict[str, Screened | PosternError]:
    """Let the guard model look at what the rules let through, where a provider is configured."""
    if batch.house.thinker is None:
        return results
    screened = {item: result for item, result in results.items() if isinstance(result, Screened)}
    screenings = await guard_each(
        batch,
        batch.house.thinker,
        readings,
        {item: result.screening for item, result in screened.items()},
        {item: str(rows[item].sender_email) for item in screened},
    )
    with_guard = {
        i: result.model_copy(update={"screening": screenings[i]}) for i, result in screened.items()
    }
    return {**results, **with_guard}


def _tell_strongest(screening: Screening) -> str:
    strongest = screening.hits[0] if screening.hits else None
    return f"{strongest.technique}: {strongest.excerpt}"[:300] if strongest else "quarantined"


async def _list_own_ids(workspace: Workspace, readings: Mapping[str, Reading]) -> frozenset[str]:
    ids = {r.mail.message_id for r in readings.values() if r.mail.message_id}
    return frozenset(await workspace.db.read(threads.list_own_ids, ids))
