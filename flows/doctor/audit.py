"""What `postern doctor` finds out about the audit logs: whether their chains of hashes hold."""

import asyncio
from collections.abc import Iterator
from typing import Literal

from data.records.core.audit_views import AuditChain
from data.settings import Settings
from data.store.core.audit import verify_chain
from data.store.core.database import Database
from flows.operating.control_state import known_organizations
from flows.operating.engine_api import Engine

Line = tuple[str, Literal["ok", "fail"], str, str]
"""Name, status, sentence, and what to do about it."""


def audit_findings(settings: Settings) -> Iterator[Line]:
    """Verify the audit log of every organization."""
    engine = Engine.find(settings)
    for organization in known_organizations(settings):
        slug = organization.slug
        if engine is None:
            chain = asyncio.run(_verify_here(settings, slug))
        else:
            chain = AuditChain.model_validate(engine.get(f"/v1/{slug}/audit/chain"))
        if chain.broken_at is None:
            yield f"audit {slug}", "ok", f"{chain.events} events fit their hashes.", ""
        else:
            yield (
                f"audit {slug}",
                "fail",
                f"Event {chain.broken_at} does not fit its hash.",
                "It was changed, or one before it removed, beside Postern: compare with a backup.",
            )


async def _verify_here(settings: Settings, slug: str) -> AuditChain:
    path = settings.organizations / slug / "state.duckdb"
    if not path.exists():
        return AuditChain(events=0)
    database = Database(path, "organization", readers=1)
    try:
        return await database.read(verify_chain)
    finally:
        database.close()
