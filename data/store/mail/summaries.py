"""Summaries by models of the older parts of conversations, one version for each contact."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.store.core.database import Connection
from data.store.core.statements import insert


def list_kept_summaries(cursor: Connection, versions: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the shorter texts by reference, for each version that there is."""
    rows = cursor.execute(
        "SELECT version, texts FROM thread_summaries WHERE version IN (SELECT unnest(?))",
        [list(versions)],
    ).fetchall()
    return {str(version): json.loads(texts) for version, texts in rows}


def keep(
    cursor: Connection,
    *,
    thread_id: str,
    contact_email: str,
    version: str,
    texts: Mapping[str, str],
    model: str,
    now: datetime,
) -> None:
    """Keep one version; it takes the place of what was made of the conversation before."""
    cursor.execute(
        "DELETE FROM thread_summaries WHERE thread_id = ? AND contact_email = ?",
        [thread_id, contact_email],
    )
    insert(
        cursor,
        "thread_summaries",
        [
            {
                "thread_id": thread_id,
                "contact_email": contact_email,
                "version": version,
                "texts": json.dumps(dict(texts), ensure_ascii=False),
                "model": model,
                "made_at": now,
            }
        ],
    )
