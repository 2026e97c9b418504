"""Stage *screen*: clean, flagged or quarantine; and whether a machine wrote it."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.envelope import Envelope
from data.records.mail import Automated
from data.records.organization import RouteMode
from data.records.record import Record
from data.records.screening import Screening, SecurityFlags, Verdict
from data.states import MessageStatus
from data.store import journal, messages, threads
from data.store.database import Connection, update
from data.store.decisions import keep_flags
from data.store.moves import move
from flows.knowing.screen_knowledge import knowledge
from flows.leaving.forwarding import queue_forwards
from flows.stages.message_stage import MessageStage, notify
from flows.stages.stage import Batch
from flows.thinking.asking import guard_each
from flows.workspace import Workspace
from tasks.automated.detecting import detect_automated
from tasks.automated.loop_token import is_own_token
from tasks.batches.screening import ToScreen, screen_all
from tasks.read import Reading
from tasks.screen import security_flags


class Screened(Record):
    """What the screen found out about one message."""

    screening: Screening
    automated: Automated


class ScreenStage(MessageStage[Screened]):
    """Runs the rules over everything that came from outside."""

    name = "screen"
    output = Screened
    read_by_others = True

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Screened | PosternError]:
        """Screen each message."""
        workspace = batch.workspace
        readings = await batch.results("parse", Reading, ids)
        rows = await workspace.db.read(messages.many, ids)
        own = await _own_ids(workspace, readings)
        envelopes = {
            item: Envelope.model_validate_json(rows[item]["envelope"]) for item in readings
        }

        def who() -> dict[str, Automated]:
            return {
                item: _automated(workspace, reading, envelopes[item], own)
                for item, reading in readings.items()
            }

        automated = await asyncio.to_thread(who)
        known = await knowledge(batch, readings, automated)

        screenings = await batch.house.work.each(
            screen_all,
            (workspace.policy, batch.house.judge is not None),
            [
                ToScreen(
                    reading=reading,
                    envelope=envelopes[item],
                    automated=automated[item],
                    known=known[item],
                    released=bool(rows[item]["released_by"]),
                )
                for item, reading in readings.items()
            ],
        )
        results: dict[str, Screened | PosternError] = {
            item: Screened(screening=found, automated=automated[item])
            for item, found in zip(readings, screenings, strict=True)
        }
        return await _with_guard(batch, readings, rows, results)

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Screened], now: datetime
    ) -> None:
        """Stop what is dangerous and park what is not worked on; the rest goes on."""
        rows = messages.many(cursor, list(results))
        results = _still_asked(cursor, batch, results, rows)
        update(
            cursor,
            "messages",
            [
                {
                    "id": item,
                    "verdict": str(screened.screening.verdict),
                    "automated_kind": str(screened.automated.kind),
                }
                for item, screened in results.items()
            ],
        )
        stopped = {
            item: _why(screened.screening)
            for item, screened in results.items()
            if screened.screening.verdict is Verdict.QUARANTINE and not rows[item]["released_by"]
        }
        move(
            cursor, list(stopped), MessageStatus.QUARANTINED, actor="screen", now=now, note=stopped
        )
        keep_flags(cursor, {item: security_flags(results[item].screening, now) for item in stopped})
        notify(cursor, "quarantined", stopped, now)
        batch.leave(list(stopped), "quarantined")
        passed = {item: rows[item] for item in results if item not in stopped}
        queue_forwards(cursor, batch.house, batch.workspace, passed, now)
        self._park(cursor, batch, list(passed), now, rows)

    def _park(
        self,
        cursor: Connection,
        batch: Batch,
        ids: Sequence[str],
        now: datetime,
        rows: Mapping[str, Mapping[str, object]],
    ) -> None:
        """Store mail for recipients that are not worked on (route modes accept and hold)."""
        parked = [item for item in ids if rows[item]["mode"] != RouteMode.AGENT]
        notes = [{"id": item, "note": f"route mode {rows[item]['mode']}"} for item in parked]
        update(cursor, "messages", notes)
        move(cursor, parked, MessageStatus.STORED, actor="screen", now=now)
        batch.leave(parked, "stored")

    def give_up(
        self, cursor: Connection, batch: Batch, errors: Mapping[str, str], now: datetime
    ) -> None:
        """A message that cannot be screened is stopped: never clean by accident."""
        for item, error in errors.items():
            note = f"the screen could not run: {error}"[:500]
            update(cursor, "messages", [{"id": item, "note": note, "verdict": "flagged"}])
            move(cursor, [item], MessageStatus.QUARANTINED, actor="screen", now=now, note=note)
        keep_flags(cursor, {item: _unscreened(error, now) for item, error in errors.items()})
        notify(cursor, "screen_failed", errors, now)


def _still_asked(
    cursor: Connection,
    batch: Batch,
    results: Mapping[str, Screened],
    rows: Mapping[str, Mapping[str, object]],
) -> dict[str, Screened]:
    """Return the results without those of messages that a person has put back meanwhile.

    What was found out about such a message under a release that holds no longer does not count,
    and the message goes nowhere.
    """
    gone = [item for item in results if rows[item]["status"] != MessageStatus.SCREENING]
    if gone:
        journal.withdraw(cursor, gone, "screen")
        batch.leave(gone, "decided meanwhile")
    return {item: found for item, found in results.items() if item not in gone}


async def _with_guard(
    batch: Batch,
    readings: Mapping[str, Reading],
    rows: Mapping[str, Mapping[str, object]],
    results: dict[str, Screened | PosternError],
) -> dict[str, Screened | PosternError]:
    """Let the guard model look at what the rules let through, where a provider is configured."""
    if batch.house.thinker is None:
        return results
    screened = {item: one for item, one in results.items() if isinstance(one, Screened)}
    looked = await guard_each(
        batch,
        batch.house.thinker,
        readings,
        {item: one.screening for item, one in screened.items()},
        {item: str(rows[item]["sender_email"]) for item in screened},
    )
    seen = {i: one.model_copy(update={"screening": looked[i]}) for i, one in screened.items()}
    return {**results, **seen}


def _automated(
    workspace: Workspace, reading: Reading, envelope: Envelope, own: frozenset[str]
) -> Automated:
    return detect_automated(
        reading.mail,
        envelope,
        own_addresses=workspace.organization.addresses,
        own_message_ids=own,
        is_own_loop_token=lambda token: is_own_token(token, workspace.keys.loop_secret),
    )


def _unscreened(error: str, now: datetime) -> SecurityFlags:
    """Return the record of a message that could not be screened: nothing found, nothing sure."""
    return SecurityFlags(
        injection_detected=False,
        injection_type="not_screened",
        confidence=0.0,
        flagged_content=error[:200],
        scan_timestamp=now,
    )


def _why(screening: Screening) -> str:
    strongest = screening.hits[0] if screening.hits else None
    return f"{strongest.technique}: {strongest.excerpt}"[:300] if strongest else "quarantined"


async def _own_ids(workspace: Workspace, readings: Mapping[str, Reading]) -> frozenset[str]:
    ids = {r.mail.message_id for r in readings.values() if r.mail.message_id}
    return frozenset(await workspace.db.read(threads.own_ids, ids))
