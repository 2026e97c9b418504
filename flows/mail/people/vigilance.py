"""Letters that are shown with a planted fault: put there, seen or missed, and never sent.

An organization switches it on (`planted_a_week`). A fault stands in what is shown and nowhere else:
the case keeps its draft as it was written, so what would be approved is not what could be rendered,
and the decision that meets a planted fault ends it and does nothing besides.
"""

from datetime import datetime, timedelta
from hashlib import sha256

from data.errors import ConflictError, PlantedFaultError
from data.records.core.principals import Principal
from data.records.mail.drafting import Draft
from data.records.mail.orders import MOST_CASES, Approve
from data.records.mail.views import DraftRevision
from data.records.mail.vigilance import (
    COUNTED_DAYS,
    FaultOutcome,
    FaultyDraft,
    VigilanceView,
    most_at_once,
)
from data.store.core.database import Connection
from data.store.mail import cases, planted_faults
from data.store.mail.planted_faults import PlantedRow
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.deciding import Deciding, decide
from tasks.mail.check.faulty import make_faulty

WEEK = timedelta(days=7)
LEAST_QUALITY = 0.8
"""Quality from which people are tempted to approve a draft unread."""
CANDIDATES = 20
"""Cases that are tried for a fault to be planted."""
ACTIONS = {FaultOutcome.SEEN: "see-fault", FaultOutcome.MISSED: "miss-fault"}


async def vigilance_of(workspace: Workspace, now: datetime) -> VigilanceView:
    """Return how many planted faults were seen of late, and what follows from it."""
    since = now - timedelta(days=COUNTED_DAYS)
    seen_count, missed = await workspace.db.read(planted_faults.count_ended, since)
    return VigilanceView(
        planted_a_week=workspace.policy.planted_a_week,
        seen=seen_count,
        missed=missed,
        most_at_once=most_at_once(seen_count, missed, MOST_CASES),
    )


async def plant_due_fault(house: House, workspace: Workspace) -> bool:
    """Show one letter with a fault, if it is time for the next; return whether one is."""
    a_week, now = workspace.policy.planted_a_week, house.clock()
    if not a_week:
        return False
    last = await workspace.db.read(planted_faults.find_last_time)
    if last is not None and now - last < WEEK / a_week:
        return False
    offered = await workspace.db.read(planted_faults.list_plantable, LEAST_QUALITY, CANDIDATES)
    for row in offered:
        choice = int(sha256(row.id.encode()).hexdigest()[:8], 16)
        faulty = make_faulty(Draft.model_validate_json(row.draft), choice)
        if faulty is not None:
            return await workspace.db.write(_plant, row.id, row.version, faulty, now)
    return False


def _plant(
    cursor: Connection, case_id: str, version: int, faulty: FaultyDraft, now: datetime
) -> bool:
    """Plant the fault unless the case has changed; who has it open has to look at it again."""
    try:
        cases.claim_version(cursor, case_id, version, now)
    except ConflictError:
        return False
    planted_faults.add(cursor, case_id, faulty, now)
    return True


def with_planted(
    cursor: Connection,
    workspace: Workspace,
    case_id: str,
    revisions: tuple[DraftRevision, ...],
) -> tuple[DraftRevision, ...]:
    """Return a case's drafts as they are shown: the newest one with its planted fault, if any."""
    planted = _shown(cursor, workspace, case_id) if revisions else None
    if planted is None:
        return revisions
    faulty = Draft.model_validate_json(planted.draft)
    return (*revisions[:-1], revisions[-1].model_copy(update={"draft": faulty}))


def _shown(cursor: Connection, workspace: Workspace, case_id: str) -> PlantedRow | None:
    """Return the fault that a letter is shown with; none where the policy plants none any more."""
    if not workspace.policy.planted_a_week:
        return None
    return planted_faults.read_shown(cursor, case_id)


async def end_planted(
    house: House,
    workspace: Workspace,
    case_id: str,
    version: int,
    principal: Principal,
    approved: Approve | None = None,
) -> None:
    """End the planted fault that a decision has met; where there is none, nothing happens.

    Args:
        house: the engine's house.
        workspace: the organization that the case is of.
        case_id: the case.
        version: its version as the person was shown it.
        principal: who decides.
        approved: what was approved; None for who rejected the letter.

    Raises:
        PlantedFaultError: there was one; it says what, and whether it was seen.
        ConflictError: the case has changed since it was shown.

    """
    planted = await workspace.db.read(_shown, workspace, case_id)
    if planted is None:
        return
    missed = approved is not None and (approved.body is None or planted.wrong in approved.body)
    outcome = FaultOutcome.MISSED if missed else FaultOutcome.SEEN

    def act(deciding: Deciding) -> None:
        planted_faults.end(deciding.cursor, planted.id, outcome, principal.name, deciding.now)

    planted_at = workspace.organization.by_its_clock(planted.planted_at)
    detail = f"{planted.kind}, planted {planted_at:%Y-%m-%d %H:%M}"
    await decide(
        house, workspace, case_id, version, principal, ACTIONS[outcome], act, detail=detail
    )
    raise PlantedFaultError(_sentence(planted, outcome))


def _sentence(planted: PlantedRow, outcome: FaultOutcome) -> str:
    was_seen = outcome is FaultOutcome.SEEN
    began = "Well seen: this letter" if was_seen else "Nothing has been sent. This letter"
    instead = f"; it should say “{planted.correct}”" if planted.correct else ", which nobody wrote"
    return (
        f"{began} held a fault that was planted to see whether letters are read: "
        f"“{planted.wrong}”{instead}. Here is the letter as it was written; please decide on it"
    )
