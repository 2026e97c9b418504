"""Results of several stages in one query: each costs the same, whatever it asks for."""

from collections.abc import Sequence

from data.store.database import Connection


def kept(
    cursor: Connection, stages: Sequence[str], ids: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return the journalled results as JSON: for each stage those ids that have one."""
    found = cursor.execute(
        "SELECT stage, item_id, output FROM steps WHERE stage IN (SELECT unnest(?)) "
        "AND status = 'done' AND NOT superseded AND item_id IN (SELECT unnest(?)) "
        "ORDER BY started_at",
        [list(stages), list(ids)],
    ).fetchall()
    results: dict[str, dict[str, str]] = {stage: {} for stage in stages}
    for stage, item, output in found:
        results[str(stage)][str(item)] = str(output)
    return results
