"""Notifications of what people should know, and whether anybody has read them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from data.ids import new_id
from data.store.core.database import Connection
from data.store.core.statements import RowPage, first, insert, table_page


class NotificationRow(NamedTuple):
    """Something that people should know."""

    id: str
    kind: str
    subject_id: str
    sentence: str
    created_at: datetime
    seen_at: datetime | None
    addressee: str


class Listener(NamedTuple):
    """Who looks at notifications, and which of them are that person's."""

    email: str
    """The person's address, empty when nobody has entered it."""
    user_id: str = ""
    others: tuple[str, ...] | None = None
    """For who is also told what names nobody that can be told: the addresses of all users."""

    @property
    def parameters(self) -> list[object]:
        """The values of `_MINE`."""
        return [self.email, self.user_id, self.others is not None, list(self.others or ())]


_MINE = (
    "(addressee = '' OR addressee = ? OR addressee = 'user:' || ? "
    "OR (? AND NOT starts_with(addressee, 'user:') AND NOT list_contains(?::VARCHAR[], addressee)))"
)
"""What is for one person alone, whatever others may see, is addressed to `user:` and the id."""


_TABLES = {
    "chat": "chats",
    "task": "tasks",
    "delivery": "deliveries",
    "case": "cases",
    "message": "messages",
    "thread": "threads",
}
"""The kinds of things that have a page, with their tables."""


def list_page(
    cursor: Connection, listener: Listener, *, unseen: bool, limit: int, offset: int
) -> RowPage[NotificationRow]:
    """Return one page of a person's notifications, newest first, and how many there are in all.

    What is for somebody else by name is not among them, whoever looks. What names an address that
    no user has would be told nobody; it is told whom `Listener.others` says.
    """
    return table_page(
        cursor,
        NotificationRow,
        "notifications",
        _MINE + (" AND seen_at IS NULL" if unseen else ""),
        order="created_at DESC, id DESC",
        parameters=listener.parameters,
        limit=limit,
        offset=offset,
    )


def count_unseen(cursor: Connection, listener: Listener) -> int:
    """Return how many of a person's notifications nobody has read."""
    statement = f"SELECT count(*) FROM notifications WHERE {_MINE} AND seen_at IS NULL"
    row = first(cursor, statement, listener.parameters)
    return int(row[0]) if row else 0


def list_kinds(cursor: Connection, ids: Sequence[str]) -> dict[str, str]:
    """Return what each of these things is, where it has a page."""
    kinds: dict[str, str] = {}
    for kind, table in _TABLES.items():
        rows = cursor.execute(f"SELECT id FROM {table} WHERE id IN ?", [list(ids)]).fetchall()
        kinds.update(dict.fromkeys((str(row[0]) for row in rows), kind))
    return kinds


def settle(
    cursor: Connection,
    kind: str,
    subjects: Sequence[str],
    now: datetime,
    *,
    addressee: str = "",
    but: Sequence[str] = (),
) -> None:
    """Mark what was told of that kind about these things as seen: nobody has to act any more.

    With an addressee only what that person was told; what says one of `but` is left alone.
    """
    if not subjects:
        return
    cursor.execute(
        "UPDATE notifications SET seen_at = ? WHERE seen_at IS NULL AND kind = ? "
        "AND subject_id IN (SELECT unnest(?)) AND (? = '' OR addressee = ?) "
        "AND NOT list_bool_or(list_transform([''] || ?::VARCHAR[], "
        "lambda one: one <> '' AND contains(sentence, one)))",
        [now, kind, list(subjects), addressee.lower(), addressee.lower(), list(but)],
    )


def prune(cursor: Connection, before: datetime) -> int:
    """Remove what was told before then, read or not; return how many."""
    pruning = "DELETE FROM notifications WHERE created_at < ? RETURNING id"
    return len(cursor.execute(pruning, [before]).fetchall())


def see(cursor: Connection, listener: Listener, ids: Sequence[str] | None, now: datetime) -> int:
    """Mark a person's notifications as seen, all of them for None; return how many were new."""
    marked = cursor.execute(
        f"UPDATE notifications SET seen_at = ? WHERE seen_at IS NULL AND {_MINE} "
        "AND (? OR id IN (SELECT unnest(?))) RETURNING id",
        [now, *listener.parameters, ids is None, list(ids or ())],
    ).fetchall()
    return len(marked)


def notify(
    cursor: Connection,
    kind: str,
    sentences: Mapping[str, str],
    now: datetime,
    addressees: Mapping[str, str] | None = None,
) -> None:
    """Tell people about something, once per thing.

    `addressees` are the mail addresses of those whom it is for alone, by thing; what it leaves out
    is for everybody.
    """
    insert(
        cursor,
        "notifications",
        [
            {
                "id": new_id(now),
                "kind": kind,
                "subject_id": item,
                "sentence": sentence[:500],
                "created_at": now,
                "seen_at": None,
                "addressee": (addressees or {}).get(item, "").lower(),
            }
            for item, sentence in sentences.items()
        ],
    )
