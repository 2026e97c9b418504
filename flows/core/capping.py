"""Setting caps on what models use: whom a cap names has to be there."""

from collections.abc import Collection
from pathlib import Path

from data.errors import NotFoundError
from data.manifest import load_roster
from data.records.core.caps import Cap, CapScope


def check_subject(cap: Cap, folder: Path, users: Collection[str]) -> None:
    """Refuse a cap that names an agent or a user that is not there.

    Args:
        cap: a cap to set.
        folder: the organization's.
        users: the ids of all users.

    Raises:
        NotFoundError: there is no such agent or user.

    """
    if cap.subject and cap.scope is CapScope.AGENT:
        load_roster(override=folder / "manifests").of(cap.subject)
    if cap.subject and cap.scope is CapScope.USER and cap.subject not in users:
        raise NotFoundError(f"no user has the id {cap.subject!r}; `postern user list` shows all")
