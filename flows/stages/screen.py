"""Stage *screen*: clean, flagged or quarantine; and whether a machine wrote it."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.free_mail import free_mail_domains
from data.records.envelope import Envelope
from data.records.mail import Automated
from data.records.organization import RouteMode
from data.records.record import Record
from data.records.screening import Screening, Verdict
from data.states import MessageStatus
from data.store import messages, threads
from data.store.database import Connection, update
from data.store.moves import move
from flows.stage import Batch
from flows.stages.message_stage import MessageStage, notify
from flows.workspace import Workspace
from tasks.automated import detect_automated
from tasks.loop_token import is_own_token
from tasks.read import Reading
from tasks.screen import KnownSenders, screen


class Screened(Record):
    """What the screen found out about one message."""

    screening: Screening
    automated: Automated


class ScreenStage(MessageStage[Screened]):
    """Runs the rules over everything that came from outside."""

    name = "screen"
    output = Screened

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Screened | PosternError]:
        """Screen each message."""
        workspace = batch.workspace
        readings = await batch.results("parse", Reading, ids)
        rows = await workspace.db.read(messages.many, ids)
        known = await _known(workspace)
        heard = await _heard(workspace, readings)
        own = await _own_ids(workspace, readings)

        def work() -> dict[str, Screened | PosternError]:
            return {
                item: _screen(
                    workspace,
                    reading,
                    rows[item],
                    known.model_copy(
                        update={"first_time": rows[item]["sender_email"] not in heard}
                    ),
                    own,
                )
                for item, reading in readings.items()
            }

        return await asyncio.to_thread(work)

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Screened], now: datetime
    ) -> None:
        """Stop what is dangerous and park what is not worked on; the rest goes on."""
        rows = messages.many(cursor, list(results))
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
        notify(cursor, "quarantined", stopped, now)
        batch.leave(list(stopped), "quarantined")
        self._park(cursor, batch, [item for item in results if item not in stopped], now, rows)

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
        notify(cursor, "screen_failed", errors, now)


def _screen(
    workspace: Workspace,
    reading: Reading,
    row: Mapping[str, object],
    known: KnownSenders,
    own: frozenset[str],
) -> Screened:
    envelope = Envelope.model_validate_json(str(row["envelope"]))
    automated = detect_automated(
        reading.mail,
        envelope,
        own_addresses=workspace.organization.addresses,
        own_message_ids=own,
        is_own_loop_token=lambda token: is_own_token(token, workspace.keys.loop_secret),
    )
    verdict = screen(reading.mail, reading.segments, automated, envelope, workspace.policy, known)
    return Screened(screening=verdict, automated=automated)


def _why(screening: Screening) -> str:
    strongest = screening.hits[0] if screening.hits else None
    return f"{strongest.technique}: {strongest.excerpt}"[:300] if strongest else "quarantined"


async def _known(workspace: Workspace) -> KnownSenders:
    senders, domains = await workspace.db.read(messages.blocks)
    contacts = await workspace.db.read(messages.contact_domains)
    own = {address.rpartition("@")[2].lower() for address in workspace.organization.addresses}
    return KnownSenders(
        organization_domains=tuple(sorted(own)),
        contact_domains=tuple(sorted(contacts - free_mail_domains())),
        blocked_addresses=tuple(sorted(senders)),
        blocked_domains=tuple(sorted(domains)),
    )


async def _heard(workspace: Workspace, readings: Mapping[str, Reading]) -> set[str]:
    """Return those of the senders that something came from, or went to, before."""
    emails = {
        reading.mail.sender.email.lower()
        for reading in readings.values()
        if reading.mail.sender is not None
    }
    return await workspace.db.read(messages.known_senders, emails)


async def _own_ids(workspace: Workspace, readings: Mapping[str, Reading]) -> frozenset[str]:
    ids = {r.mail.message_id for r in readings.values() if r.mail.message_id}
    return frozenset(await workspace.db.read(threads.own_ids, ids))
