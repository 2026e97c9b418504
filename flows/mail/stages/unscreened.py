"""The stand-in for the screen's result where it has failed for good: flagged, never clean.

The message goes on. It never leaves by itself, the reviewer is told why, and the cause is in the
engine's log and in the journal.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from data.records.core.envelope import Envelope
from data.records.core.parsed_mail import Automated
from data.records.core.screening import Screening, Verdict
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import decisions, messages, threads
from data.store.mail.messages import MessageRow
from flows.core.batch import Batch
from tasks.mail.automated.detecting import PERSONS, detect_automated, keep_claimed
from tasks.mail.automated.loop_token import is_own_token
from tasks.mail.read import Reading

log = logging.getLogger("postern.screen")
UNSCREENED = "The screen could not look at this message."


def make_screening() -> Screening:
    """Return the screening of a message that no rule has looked at."""
    return Screening(verdict=Verdict.FLAGGED, score=0.0, errors=(UNSCREENED,))


def judge_writer(
    batch: Batch,
    reading: Reading,
    row: MessageRow,
    own: frozenset[str],
    excused: Mapping[str, frozenset[str]],
) -> Automated:
    """Say whether a machine wrote a message, as its row and its reading show it.

    `own` are Message-IDs of ours, `excused` the markers that people have said mean nothing, by
    sender. What a person has let in is nobody's but a person's.
    """
    workspace = batch.workspace
    envelope = Envelope.model_validate_json(row.envelope)
    automated = detect_automated(
        reading.mail,
        envelope,
        own_addresses=workspace.organization.own_addresses,
        own_message_ids=own,
        is_own_loop_token=lambda token: is_own_token(token, workspace.keys.loop_secret),
        excused=excused.get(row.sender_email, frozenset()),
        own_host=batch.house.settings.smtp_hostname,
        wording=reading.wording,
    )
    return keep_claimed(automated) if row.released_by else automated


def judge_writers(cursor: Connection, batch: Batch, ids: Sequence[str]) -> dict[str, Automated]:
    """Say who wrote each message, as well as that can be told where the screen has failed."""
    rows, parsed = messages.read_messages(cursor, ids), journal.read_results(cursor, "parse", ids)
    excused = _list_excused(batch, {str(row.sender_email) for row in rows.values()})
    return {item: _judge_row(cursor, batch, rows[item], parsed.get(item), excused) for item in ids}


def journal_results(
    cursor: Connection, batch: Batch, outputs: Mapping[str, str], now: datetime
) -> None:
    """Write the results, as JSON by message, to the journal, so that the next stage finds them."""
    version = batch.workspace.config_version
    steps = [
        journal.build_step_without_run(
            item, "screen", text, now, version, input_hash=batch.hash_inputs(item)
        )
        for item, text in outputs.items()
    ]
    journal.record_steps(cursor, steps)


def _judge_row(
    cursor: Connection,
    batch: Batch,
    row: MessageRow,
    parsed: str | None,
    excused: Mapping[str, frozenset[str]],
) -> Automated:
    if parsed is None:
        return Automated()
    reading = Reading.model_validate_json(parsed)
    own = frozenset(threads.list_own_ids(cursor, {reading.mail.message_id or ""}))
    try:
        return judge_writer(batch, reading, row, own, excused)
    except Exception:  # what the screen has failed at may fail here too, and must hold up nothing
        log.exception("nobody knows whether a machine wrote a message")
        return Automated()


def _list_excused(batch: Batch, senders: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Return the markers that people have excused, by sender; none where that cannot be read."""
    try:
        return batch.workspace.db.read_apart(decisions.list_excused_markers, PERSONS, senders)
    except Exception:
        log.exception("nobody knows which markers are excused")
        return {}
