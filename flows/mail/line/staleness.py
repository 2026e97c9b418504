"""Staleness of a draft: somebody wrote again, or its context is no longer the case's.

A case's version moves on when its conversation is merged or split, a person acts on it, or it is
worked on again. A draft was made for the version that its context was gathered for.
"""

from data.records.core.briefing import Briefing
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import messages
from data.store.mail.cases import CaseRow

NEWER = "somebody wrote again since this was drafted"
CHANGED = "its case was changed since this was drafted"


def is_stale(row: CaseRow, briefing: Briefing) -> bool:
    """Return whether a case has moved on since its context was gathered; unknown is yes."""
    return bool(row.version != briefing.version)


def explain_staleness(cursor: Connection, row: CaseRow) -> str:
    """Return why a draft must not leave by itself any more, or nothing; for open transactions.

    Asked again at the last moment, because mail comes and people act while a case is decided.
    """
    context_output = journal.read_results(cursor, "context", [row.id]).get(row.id)
    if context_output is None or is_stale(row, Briefing.model_validate_json(context_output)):
        return CHANGED
    return NEWER if messages.list_cases_with_newer(cursor, {row.id: row.received_at}) else ""
