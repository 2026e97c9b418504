"""What the nightly upkeep removes, and what it leaves."""

from datetime import timedelta

from data.store.core import audit, upkeeps
from data.store.core.notifications import notify
from data.store.mail import messages
from flows.core.retention import NOTIFICATION_DAYS
from flows.upkeep import tidy, verify_audit
from tests.core.small import Line

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


async def test_old_mail_is_looked_at_once(line: Line) -> None:
    """A night looks at what has become old since the last, a bounded part at a time."""
    line.house.settings = line.house.settings.model_copy(update={"archive_days": 30})
    for number in range(5):
        line.send(f"Loom {number} squeaks. When is the workshop open?")
    await line.run()
    old = [str(row["id"]) for row in await line.rows("SELECT id FROM messages ORDER BY id")]
    line.clock.forward(31 * DAY)
    line.send("Loom 5 squeaks. When is the workshop open?")
    await line.run()
    before, read = line.clock() - timedelta(days=30), line.workspace.db.read
    assert await read(messages.count_raw_before, before) == 5
    part = await read(messages.list_raw_before, before, 2)
    assert [row.ids for row in part] == [[old[0]], [old[1]]]
    assert await tidy(line.house, line.workspace) == 5
    assert await read(messages.list_raw_before, before, 2) == []
    assert await tidy(line.house, line.workspace) == 0
    listed = await read(upkeeps.list_upkeeps)
    assert [done.raw_mail for done in listed] == [0, 5]


async def test_what_was_removed_is_kept_for_people(line: Line) -> None:
    """Each upkeep is a row with its counts, the newest first; the oldest are forgotten."""
    await line.workspace.db.write(notify, "urgent", {"m1": "old"}, line.clock())
    line.clock.forward((NOTIFICATION_DAYS + 1) * DAY)
    await tidy(line.house, line.workspace)
    (done,) = await line.workspace.db.read(upkeeps.list_upkeeps)
    assert (done.notifications, done.raw_mail, done.program_chats) == (1, 0, 0)
    assert done.sentence == "1 notification removed."
    for day in range(upkeeps.KEPT):
        later = done.model_copy(update={"tidied_at": done.tidied_at + timedelta(days=day + 1)})
        await line.workspace.db.write(upkeeps.note, later)
    listed = await line.workspace.db.read(upkeeps.list_upkeeps)
    assert len(listed) == upkeeps.KEPT
    assert listed[0].tidied_at == done.tidied_at + timedelta(days=upkeeps.KEPT)


async def test_a_changed_event_of_the_audit_log_is_told_by_the_nightly_upkeep(line: Line) -> None:
    """Nothing is told while the chain holds; a word changed beside Postern is a notification."""
    write, now = line.workspace.db.write, line.clock()
    for number in range(3):
        subject, detail = f"case:{number}", "quince"
        await write(
            lambda cursor, about=subject, why=detail: audit.append(
                cursor, actor="ida", action="approve", subject=about, detail=why, now=now
            )
        )
    assert await verify_audit(line.house, line.workspace) == 0
    assert await line.rows("SELECT kind FROM notifications") == []
    await write(
        lambda cursor: cursor.execute("UPDATE audit_events SET detail = 'pear' WHERE sequence = 2")
    )
    assert await verify_audit(line.house, line.workspace) == 1
    (notice,) = await line.rows("SELECT kind, subject_id FROM notifications")
    assert notice == {"kind": "audit_broken", "subject_id": "2"}
