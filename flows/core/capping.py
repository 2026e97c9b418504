"""Setting caps on what models use: whom a cap names has to be there."""

from collections.abc import Collection
from pathlib import Path

from data.errors import NotFoundError
from data.manifest import load_roster
from data.records.core.caps import Cap, CapScope


def check_subject(cap: Cap, folder: Path, users: Collection[str], agents: Collection[str]) -> None:
    """Refuse a cap that names an agent or a user that is not there.

    Args:
        cap: a cap to set.
        folder: the organization's.
        users: the ids of all users.
        agents: the slugs of the agents that people talk to; those of the line stand in manifests.

    Raises:
        NotFoundError: there is no such agent or user.

    """
    if cap.subject and cap.scope is CapScope.AGENT:
        roster = load_roster(override=folder / "manifests")
        slugs = sorted({*agents, *(manifest.agent.slug for manifest in roster.manifests)})
        if cap.subject not in slugs:
            raise NotFoundError(
                f"no agent has the slug {cap.subject!r}; there are {', '.join(slugs)}"
            )
    if cap.subject and cap.scope is CapScope.USER and cap.subject not in users:
        raise NotFoundError(f"no user has the id {cap.subject!r}; `postern user list` shows all")
