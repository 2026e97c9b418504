"""Setting caps on what models use: whom a cap names has to be there."""

from collections.abc import Collection
from pathlib import Path

from data.errors import NotFoundError
from data.manifest import load_roster
from data.records.core.caps import Cap, CapScope


def check_subject(
    cap: Cap,
    folder: Path,
    users: Collection[str],
    teams: Collection[str],
    agents: Collection[str],
) -> None:
    """Refuse a cap that names an agent, a user or a team that is not there.

    Args:
        cap: a cap to set.
        folder: the organization's.
        users: the ids of all users.
        teams: the ids of the organization's teams.
        agents: the slugs of the agents that people talk to; those of the line stand in manifests.

    Raises:
        NotFoundError: there is no such agent, user or team.

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
    if cap.subject and cap.scope is CapScope.TEAM and cap.subject not in teams:
        raise NotFoundError(f"no team has the id {cap.subject!r}; `postern team list` shows all")
