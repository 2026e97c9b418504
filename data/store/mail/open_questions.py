"""Questions that the knowledge did not answer, as the first drafts said."""

from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import records


class OpenRow(NamedTuple):
    """One question."""

    question: str
    category: str | None
    case_id: str
    asked_at: datetime


_OPEN = """
SELECT question, c.category, d.case_id, c.received_at AS asked_at
FROM (
    SELECT case_id, unnest(from_json(draft->'$.unanswered', '["VARCHAR"]')) AS question
    FROM drafts WHERE revision = 0 AND unanswered > 0 ORDER BY created_at DESC LIMIT $most
) d JOIN cases c ON c.id = d.case_id
WHERE c.state <> 'superseded' AND trim(question) <> ''
QUALIFY row_number() OVER (PARTITION BY lower(trim(question)) ORDER BY c.received_at DESC) = 1
ORDER BY asked_at DESC, question LIMIT $limit
"""


def list_open_questions(cursor: Connection, limit: int = 100) -> list[OpenRow]:
    """Return the newest questions that drafts left open, each wording once."""
    return records(cursor, OpenRow, _OPEN, {"most": limit * 5, "limit": limit})
