"""The branches of a case: what was made of each, and who has which once the case is parted."""

from collections.abc import Mapping, Sequence

from data.ids import branch_id
from data.records.core.record import Record
from data.store.core.database import Connection
from data.store.core.statements import update


def keep_by_branch(
    cursor: Connection, column: str, records_by_branch: Mapping[str, Sequence[Record]]
) -> None:
    """Keep one record for each branch of the cases, in their order, as JSON in `column`."""
    update(
        cursor,
        "branches",
        [
            {"id": branch_id(case, place), column: record.model_dump_json()}
            for case, records in records_by_branch.items()
            for place, record in enumerate(records)
        ],
    )


def move_branches(
    cursor: Connection, case: str, first: Sequence[int], fresh: str, rest: Sequence[int]
) -> None:
    """Give the branches at the places of `rest` to another case, and number all of them anew.

    Their tickets and questions go along, and the wait for an answer.
    """
    for number, place in enumerate(rest):
        _rename_branch(cursor, branch_id(case, place), fresh, number)
    for number, place in enumerate(first):
        if number != place:
            _rename_branch(cursor, branch_id(case, place), case, number)
    cursor.execute(
        "UPDATE waits SET case_id = ? WHERE case_id = ? AND ended_at IS NULL AND EXISTS "
        "(SELECT 1 FROM owner_questions WHERE case_id = ? AND state = 'open')",
        [fresh, case, fresh],
    )


def _rename_branch(cursor: Connection, branch: str, case: str, number: int) -> None:
    branch_named = branch_id(case, number)
    cursor.execute(
        "UPDATE branches SET id = ?, case_id = ?, position = ? WHERE id = ?",
        [branch_named, case, number, branch],
    )
    cursor.execute("UPDATE actions SET branch_id = ? WHERE branch_id = ?", [branch_named, branch])
    for table in ("tickets", "owner_questions"):
        cursor.execute(
            f"UPDATE {table} SET branch_id = ?, case_id = ? WHERE branch_id = ?",  # our names
            [branch_named, case, branch],
        )
