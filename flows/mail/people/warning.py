"""Telling people of service targets that are near or broken: each once, whose the case is."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from data.counting import plural
from data.records.mail.service_levels import TargetKind
from data.store.core.database import Connection
from data.store.core.notifications import notify, settle
from data.store.mail import service_warnings
from data.store.mail.service_warnings import LATE, NEAR, WarningRow
from flows.core.workspace import Workspace

TOLD = {NEAR: "service_near", LATE: "service_late"}
"""The kinds of notifications."""
NAMES = {TargetKind.FIRST_ANSWER: "The first answer", TargetKind.RESOLUTION: "The answer"}
ONE_BY_ONE = 5
"""Targets of one person that are told of one by one; of more, one notification says how many."""


async def warn_of_targets(workspace: Workspace, now: datetime) -> bool:
    """Tell people of targets that are near or broken; return whether there were any.

    The person who has the case is told, everybody where nobody has it. What was told of cases that
    wait no more is marked as read.
    """
    db = workspace.db
    untold = bool(await db.read(service_warnings.list_untold, now, 1))
    if not untold and not await db.read(service_warnings.list_settled, list(TOLD.values())):
        return False
    await db.write(_warn, ZoneInfo(workspace.organization.timezone), now)
    return True


def _warn(cursor: Connection, zone: ZoneInfo, now: datetime) -> None:
    over = service_warnings.list_settled(cursor, list(TOLD.values()))
    for kind in TOLD.values():
        settle(cursor, kind, over, now)
    untold = service_warnings.list_untold(cursor, now)
    late = [one.case_id for one in untold if one.said == LATE]
    settle(cursor, TOLD[NEAR], late, now)  # the later news takes the place of the earlier
    groups: dict[tuple[str, str], list[WarningRow]] = {}
    for untold_target in untold:
        groups.setdefault((untold_target.said, untold_target.assignee or ""), []).append(
            untold_target
        )
    for (kind_said, addressee), group in groups.items():
        sentences = _sentences(group, zone)
        notify(cursor, TOLD[kind_said], sentences, now, dict.fromkeys(sentences, addressee))
    service_warnings.note_told(cursor, untold, now)


def _sentences(group: Sequence[WarningRow], zone: ZoneInfo) -> dict[str, str]:
    """Return what is told, by case; of many the nearest one stands for all."""
    if len(group) <= ONE_BY_ONE:
        return {warning_row.case_id: _sentence(warning_row, zone) for warning_row in group}
    first = group[0]
    many = plural(len(group) - 1, "more case")
    state = "late" if first.said == LATE else "near"
    verb = "is" if len(group) == 2 else "are"
    return {first.case_id: f"{many} {verb} {state}. {_sentence(first, zone)}"}


def _sentence(warning_row: WarningRow, zone: ZoneInfo) -> str:
    due = warning_row.due_at.astimezone(zone)
    verb = "was" if warning_row.said == LATE else "is"
    name = NAMES[TargetKind(warning_row.kind)]
    return f"{name} {verb} due on {due.day} {due:%b} at {due:%H:%M}: {warning_row.subject}"
