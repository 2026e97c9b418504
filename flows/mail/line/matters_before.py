"""The matter of a case's conversation before, which a short answer does not say again."""

from collections.abc import Sequence

from data.records.core.understanding import Category
from data.store.core.database import Connection
from data.store.mail import cases
from tasks.mail.thread.matter import CARRIED


def find_earlier_matters(cursor: Connection, ids: Sequence[str]) -> dict[str, Category]:
    """Return what the conversations of these cases were about before, where a case says it."""
    matters = cases.list_matters_before(
        cursor, ids, [str(carried_category) for carried_category in CARRIED]
    )
    return {case: Category(category) for case, category in matters.items()}
