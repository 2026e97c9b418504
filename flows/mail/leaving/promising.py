"""The ledger of promises, kept where replies leave and looked at while the engine runs."""

import logging
from datetime import date, datetime

from data.ids import new_id
from data.lexicons.drafting import LANGUAGES
from data.records.mail.drafting import Draft
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import cases, promises
from data.store.mail.deliveries import DeliveryRow
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.claims.promises import Promise
from tasks.core.claims.promises import promises as promised
from tasks.core.language.english_bridge import teller
from tasks.mail.route.gates import OWNER

log = logging.getLogger("postern.delivery")


def keep_promises(
    cursor: Connection, workspace: Workspace, delivery: DeliveryRow, now: datetime
) -> None:
    """Write down what a reply that has left promises; what we promised before is settled by it.

    It has left, whatever its words or its draft do to whoever reads them for promises.
    """
    case = cases.read_row(cursor, delivery.case_id)
    revisions = cases.list_drafts(cursor, case.id)
    try:
        promises_read = _read(workspace, revisions[-1].draft if revisions else "", delivery, now)
    except Exception:
        log.exception("nobody knows what delivery %s promises", delivery.id)
        promises_read = []
    promises.close_earlier(cursor, case.thread_id, case.contact_email, delivery.id, now)
    promises.add(
        cursor,
        [
            {
                "id": new_id(now),
                "case_id": case.id,
                "delivery_id": delivery.id,
                "thread_id": case.thread_id,
                "contact_email": case.contact_email,
                "sentence": promise.sentence,
                "due_on": promise.due,
                "dated": promise.dated,
                "made_at": now,
            }
            for promise in promises_read
        ],
    )


def _read(
    workspace: Workspace, draft_text: str, delivery: DeliveryRow, now: datetime
) -> list[Promise]:
    """Return what a reply promises, by its words and by its draft, JSON or nothing."""
    draft = Draft.model_validate_json(draft_text) if draft_text else None
    cited = draft.citations if draft else ()
    # What an owner has answered is cited too, and yet it is said to this one customer.
    return promised(
        delivery.body,
        _language(draft, workspace),
        workspace.organization.day(now),
        within=workspace.policy.promise_days,
        facts=[one.sentence for one in cited if not one.ref.startswith(OWNER)],
        days_off=workspace.organization.days_off,
    )


def _language(draft: Draft | None, workspace: Workspace) -> str:
    """Return the language that a reply has left in: people may have written it in another."""
    if draft is None:
        return workspace.organization.language
    language_told = teller().tell(draft.body)
    return language_told if language_told in LANGUAGES else draft.language


async def remind(house: House, workspace: Workspace) -> int:
    """Tell people once of every promise that is due; return how many there were."""
    now = house.clock()
    today = workspace.organization.day(now)
    if not await workspace.db.read(promises.list_unreminded, today):
        return 0
    return await workspace.db.write(_remind, today, now)


def _remind(cursor: Connection, today: date, now: datetime) -> int:
    due_rows = promises.list_unreminded(cursor, today)
    case_by_sentence: dict[str, str] = {}
    for row in due_rows:
        line = f"promised by {row.due_on}: {row.sentence}"
        case_by_sentence[row.case_id] = "; ".join(
            filter(None, (case_by_sentence.get(row.case_id, ""), line))
        )
    notify(cursor, "promise_due", case_by_sentence, now)
    promises.note_reminded(cursor, [row.id for row in due_rows], now)
    return len(due_rows)
