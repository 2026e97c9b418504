"""Events of what is kept for all organizations together: users, roles, teams and tokens.

That state has no audit log of its own. Each organization that a change concerns gets the event,
in a transaction of its own right after the change.
"""

import logging
from collections.abc import Iterable

from data.errors import StoreError
from data.records.core.principals import Principal
from data.store.core import audit, control
from flows.core.house import House

log = logging.getLogger("postern.audit")


async def note_access_change(
    house: House,
    organizations: Iterable[str | None],
    principal: Principal,
    *,
    action: str,
    subject: str,
    detail: str = "",
) -> None:
    """Write to the audit log of each of these organizations what was changed.

    Args:
        house: the engine's house.
        organizations: slugs; None stands for all of them.
        principal: who changed it.
        action: what the audit log calls it.
        subject: what was changed.
        detail: what else there is to say.

    """
    slugs = set(organizations)
    if None in slugs:
        slugs = {
            organization.slug
            for organization in await house.control.read(control.list_organizations)
        }
    for slug in sorted(known_slug for known_slug in slugs if known_slug is not None):
        try:
            workspace = await house.get_workspace(slug)
        except StoreError as error:  # what was changed is so, and the others are told
            log.error("not in the audit log: %r on %s: %s", action, subject, error)  # noqa: TRY400
            continue
        await workspace.db.write(
            audit.append,
            actor=principal.name,
            action=action,
            subject=subject,
            detail=detail,
            now=house.clock(),
        )
