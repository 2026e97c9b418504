"""The branches of a case that is parted: who has which from now on, with what was made of them."""

from collections.abc import Sequence

from data.store.database import Connection


def move_branches(
    cursor: Connection, case: str, first: Sequence[int], fresh: str, rest: Sequence[int]
) -> None:
    """Give the branches at the places of `rest` to another case, and number all of them anew.

    Their tickets and questions go along, and the wait for an answer.
    """
    for number, place in enumerate(rest):
        _rename(cursor, f"{case}-{place}", fresh, number)
    for number, place in enumerate(first):
        if number != place:
            _rename(cursor, f"{case}-{place}", case, number)
    cursor.execute(
        "UPDATE waits SET case_id = ? WHERE case_id = ? AND ended_at IS NULL AND EXISTS "
        "(SELECT 1 FROM owner_questions WHERE case_id = ? AND state = 'open')",
        [fresh, case, fresh],
    )


def _rename(cursor: Connection, branch: str, case: str, number: int) -> None:
    named = f"{case}-{number}"
    cursor.execute(
        "UPDATE branches SET id = ?, case_id = ?, position = ? WHERE id = ?",
        [named, case, number, branch],
    )
    for table in ("tickets", "owner_questions"):
        cursor.execute(
            f"UPDATE {table} SET branch_id = ?, case_id = ? WHERE branch_id = ?",  # our names
            [named, case, branch],
        )
