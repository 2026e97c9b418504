"""What the nightly upkeep removes, and what it leaves."""

from flows.stages.message_stage import notify
from flows.upkeep import NOTIFICATION_DAYS, tidy
from tests.line.small import Line

DAY = 86_400


async def test_notifications_are_removed_after_ninety_days(line: Line) -> None:
    """Old ones go, read or not; younger ones stay, unread as they were."""
    write = line.workspace.db.write
    await write(notify, "urgent", {"m1": "old", "m2": "old and read"}, line.clock())
    await write(
        lambda cursor: cursor.execute(
            "UPDATE notifications SET seen_at = now() WHERE subject_id = 'm2'"
        )
    )
    line.clock.forward((NOTIFICATION_DAYS - 1) * DAY)
    await tidy(line.house, line.workspace)
    assert len(await line.rows("SELECT id FROM notifications")) == 2
    await write(notify, "urgent", {"m3": "young"}, line.clock())
    line.clock.forward(2 * DAY)
    await tidy(line.house, line.workspace)
    left = await line.rows("SELECT sentence, seen_at FROM notifications")
    assert left == [{"sentence": "young", "seen_at": None}]
