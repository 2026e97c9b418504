"""The check that the audit log, and what it vouches for, is as it was written."""

from data.records.core.audit_views import AuditChain
from data.store.core import audit, turn_seals
from data.store.core.database import Connection
from data.store.core.statements import first


def verify_log(cursor: Connection) -> AuditChain:
    """Compute every event's hash again, and what every sealed turn did; return what does not fit.

    It does not notice when the newest events are gone: nothing that is left covers them.
    """
    counted = first(cursor, "SELECT count(*) FROM audit_events")
    return AuditChain(
        events=int(counted[0]) if counted else 0,
        broken_at=audit.find_break(cursor),
        altered=tuple(turn_seals.list_altered(cursor)),
    )
