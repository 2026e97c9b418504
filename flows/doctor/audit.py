"""What `postern doctor` finds out about the audit logs: whether their chains of hashes hold."""

from collections.abc import Iterator
from typing import Literal

from data.records.core.audit_views import AuditChain
from data.settings import Settings
from flows.operating.engine_api import Engine
from flows.operating.organizations import known_organizations

Line = tuple[str, Literal["ok", "fail"], str, str]
"""Name, status, sentence, and what to do about it."""


def audit_findings(settings: Settings) -> Iterator[Line]:
    """Verify the audit log of every organization."""
    with Engine.open(settings) as engine:
        chains = {
            one.slug: AuditChain.model_validate(engine.get(f"/v1/{one.slug}/audit/chain"))
            for one in known_organizations(engine)
        }
    for slug, chain in chains.items():
        if chain.broken_at is None:
            yield f"audit {slug}", "ok", f"{chain.events} events fit their hashes.", ""
        else:
            yield (
                f"audit {slug}",
                "fail",
                f"Event {chain.broken_at} does not fit its hash.",
                "It was changed, or one before it removed, beside Postern: compare with a backup.",
            )
