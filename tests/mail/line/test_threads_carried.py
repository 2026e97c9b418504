"""What people see of a conversation goes along when it is merged, split or put back."""

from datetime import timedelta

from data.records.mail.conversations import MergeThreads, SplitThread
from data.store.core.database import Connection
from data.store.core.statements import insert
from data.store.mail import tags
from flows.mail.people import threading_merge, threading_split, threading_undo
from tests.core.small import CUSTOMER, Line
from tests.people import person

WHO = "ida"
Held = dict[str, set[str]]


async def two(line: Line) -> tuple[str, str]:
    """Return two conversations of one contact, each with everything that one can have."""
    line.send("When is the workshop open?", subject="Opening hours of the workshop")
    line.send("What does an inspection cost?", subject="Inspection of a table loom")
    await line.run()
    rows = await line.rows("SELECT * FROM cases ORDER BY subject")
    for row in rows:
        await line.workspace.db.write(give, str(row["thread_id"]), str(row["id"]), line)
    return str(rows[1]["thread_id"]), str(rows[0]["thread_id"])


def give(cursor: Connection, thread: str, case: str, line: Line) -> None:
    """Give a conversation a ticket, a question to an owner, a promise and two tags."""
    now = line.clock()
    base = {"case_id": case, "thread_id": thread, "contact_email": CUSTOMER}
    insert(cursor, "tickets", [{
        **base, "id": f"t-{case}", "number": 1, "state": "open", "title": "x", "text": "x",
        "category": "support", "branch_id": f"{case}-0", "created_at": now, "changed_at": now,
    }])  # fmt: skip
    insert(cursor, "owner_questions", [{
        **base, "id": f"q-{case}", "state": "open", "branch_id": f"{case}-0", "owner": WHO,
        "question": "x", "language": "en", "asked_at": now, "remind_at": now, "due_at": now,
    }])  # fmt: skip
    insert(cursor, "promises", [{
        **base, "id": f"p-{case}", "delivery_id": "d", "sentence": "x",
        "due_on": (now + timedelta(days=3)).date(), "dated": True, "made_at": now,
    }])  # fmt: skip
    tags.add(cursor, [(thread, "both"), (thread, f"own-{thread[-4:].lower()}")], WHO, now)


async def held(line: Line, thread: str) -> Held:
    """Return what a conversation has, by kind."""
    found: Held = {}
    for kind in ("tickets", "owner_questions", "promises"):
        rows = await line.rows(f"SELECT id FROM {kind} WHERE thread_id = ?", thread)  # noqa: S608  # of ours
        found[kind] = {str(row["id"]) for row in rows}
    found["tags"] = set(await line.workspace.db.read(tags.list_of_thread, thread))
    return found


def together(*all_of: Held) -> Held:
    """Return what several conversations have."""
    return {kind: set().union(*(one[kind] for one in all_of)) for kind in all_of[0]}


async def test_a_merge_carries_everything_and_undo_puts_it_back(line: Line) -> None:
    """The surviving conversation has both's; taken back, each has its own, shared tags too."""
    mine, other = await two(line)
    before = {thread: await held(line, thread) for thread in (mine, other)}
    assert all(len(one) == 1 for one in list(before[mine].values())[:3])
    change = await threading_merge.merge(
        line.house, line.workspace, mine, MergeThreads(other=other), person(WHO)
    )
    assert await held(line, mine) == together(*before.values())
    assert not any((await held(line, other)).values())
    counted = await line.workspace.db.read(tags.count_tags)
    assert dict(counted)["both"] == 1

    await threading_undo.undo(line.house, line.workspace, mine, change, person(WHO))
    assert {thread: await held(line, thread) for thread in (mine, other)} == before


async def test_a_tag_that_was_taken_away_meanwhile_stays_away(line: Line) -> None:
    """Undoing a merge gives no tag back that a person has removed."""
    mine, other = await two(line)
    change = await threading_merge.merge(
        line.house, line.workspace, mine, MergeThreads(other=other), person(WHO)
    )
    await line.workspace.db.write(tags.remove, mine, "both")
    await threading_undo.undo(line.house, line.workspace, mine, change, person(WHO))
    assert "both" not in (await held(line, mine))["tags"] | (await held(line, other))["tags"]


async def test_a_split_takes_along_what_its_cases_have(line: Line) -> None:
    """Tickets, questions and promises go with their case, tags stay; undo brings them back."""
    mine, other = await two(line)
    await threading_merge.merge(
        line.house, line.workspace, mine, MergeThreads(other=other), person(WHO)
    )
    whole = await held(line, mine)
    (case,) = await line.rows("SELECT * FROM cases WHERE subject LIKE 'Inspection%'")
    messages = tuple(str(one) for one in case["message_ids"])  # type: ignore[attr-defined]
    fresh = await threading_split.split(
        line.house, line.workspace, mine, SplitThread(messages=messages), person(WHO)
    )
    apart = await held(line, fresh)
    assert apart["tickets"] == {f"t-{case['id']}"}
    assert apart["owner_questions"] == {f"q-{case['id']}"}
    assert apart["promises"] == {f"p-{case['id']}"}
    assert apart["tags"] == set()
    assert (await held(line, mine))["tags"] == whole["tags"]

    (change,) = await line.rows("SELECT id FROM thread_changes WHERE kind = 'split'")
    await threading_undo.undo(line.house, line.workspace, fresh, str(change["id"]), person(WHO))
    assert await held(line, mine) == whole
