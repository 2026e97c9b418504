"""The state of an organization made larger: its rows again and again, as older mail of others.

Real intake of tens of thousands of messages takes the better part of an hour. So what a few hundred
really left is copied: each copy is twelve and a half days older than the one before, has ids that
sort by that, and is of other senders, so that nothing of it belongs to what is there already. What
is not copied is the audit log, whose events are a chain, and what a sync loads.
"""

from datetime import timedelta

from data.store.core.database import Connection

COPIED = (
    "actions", "branches", "cases", "contacts", "drafts", "events", "letterheads", "mail_to_index",
    "messages", "named_ids", "notifications", "owner_questions", "security_flags", "steps",
    "thread_changes", "thread_links", "thread_tags", "threads", "ticket_notes", "tickets", "waits",
)  # fmt: skip
STEP = timedelta(milliseconds=1 << 30)
"""How much older each copy is: a one in the fourth character of an id (`data.ids`)."""
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_SPOOL_STEP = (1_000_000 << 30) >> 36
"""The same in the first seven digits of a spool's id, which counts nanoseconds."""
_OURS = "@fieldfare.example"
_ALIKE = ("raw_sha256", "stage", "state", "status", "said", "input_hash", "config_version")
"""Columns that are the same in every copy; the raw file is in the archive once."""


def remember(cursor: Connection) -> None:
    """Keep aside, until the connection ends, what is to be copied."""
    for table in COPIED:
        cursor.execute(f"CREATE TEMP TABLE original_{table} AS FROM {table}")


def copy_once(cursor: Connection, number: int) -> None:
    """Write one older copy of what was kept aside: the first is the newest of them."""
    beginnings = _beginnings(cursor)
    found = cursor.execute("SELECT coalesce(max(number), 0) FROM original_tickets").fetchall()
    for table in COPIED:
        _copy(cursor, table, number, beginnings, int(found[0][0]))


def _beginnings(cursor: Connection) -> tuple[list[str], list[str]]:
    """Return what our ids and those of the spool begin with."""
    ours = cursor.execute(
        "SELECT DISTINCT id[1:4] FROM (SELECT id FROM original_cases UNION ALL "
        "SELECT id FROM original_contacts UNION ALL SELECT id FROM original_threads UNION ALL "
        "SELECT id FROM original_tickets) WHERE NOT starts_with(id, 'nobody')"
    ).fetchall()
    spooled = cursor.execute("SELECT DISTINCT id[1:7] FROM original_messages").fetchall()
    own = {str(row[0]) for row in ours}
    return sorted(own - {str(row[0])[:4] for row in spooled}), [str(row[0]) for row in spooled]


def _older(beginning: str, number: int) -> str:
    value = 0
    for letter in beginning:
        value = value * 32 + _LETTERS.index(letter)
    value -= number
    return "".join(_LETTERS[(value >> shift) & 31] for shift in (15, 10, 5, 0))


def _copy(
    cursor: Connection,
    table: str,
    number: int,
    beginnings: tuple[list[str], list[str]],
    tickets: int,
) -> None:
    columns = cursor.execute(
        "SELECT column_name, data_type FROM duckdb_columns() "
        "WHERE schema_name = 'main' AND table_name = ? AND NOT internal ORDER BY column_index",
        [table],
    ).fetchall()
    shown = ", ".join(
        _value(str(name), str(kind), number, beginnings, tickets) for name, kind in columns
    )
    names = ", ".join(f'"{name}"' for name, _ in columns)
    where = ""
    if table == "contacts":  # loaded by a sync, and in nobody's mail
        where = " WHERE id IN (SELECT contact_id FROM original_messages)"
    cursor.execute(f"INSERT INTO {table} ({names}) SELECT {shown} FROM original_{table}{where}")  # noqa: S608  # our names


def _value(
    name: str, kind: str, number: int, beginnings: tuple[list[str], list[str]], tickets: int
) -> str:
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f'"{name}" - INTERVAL {number * (1 << 30)} MILLISECOND'
    if kind == "VARCHAR":
        return _text(name, number, beginnings)
    if kind == "VARCHAR[]":
        return f'list_transform("{name}", lambda one: {_text("one", number, beginnings)})'
    return f'"{name}" + {number * tickets}' if name == "number" else f'"{name}"'


def _text(name: str, number: int, beginnings: tuple[list[str], list[str]]) -> str:
    """Return an expression for a text in which ids, addresses and keys are another copy's."""
    if name in _ALIKE:
        return f'"{name}"'
    if name == "content_key":
        return f"\"{name}\" || '-{number}'"
    ours, spooled = beginnings
    made, tag = f'"{name}"', f"{number:02x}"
    changes = [(f"{one}([0-9a-z]{{20}})[0-9a-z]{{2}}", _older(one, number)) for one in ours] + [
        (f"{one}([0-9a-f]{{17}})[0-9a-f]{{2}}", f"{int(one, 16) - number * _SPOOL_STEP:07x}")
        for one in spooled
    ]
    for pattern, beginning in changes:
        made = rf"regexp_replace({made}, '\b{pattern}', '{beginning}\1{tag}', 'g')"
    return f"replace(replace({made}, '@', '.c{number}@'), '.c{number}{_OURS}', '{_OURS}')"
