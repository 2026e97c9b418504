"""To whom an agent is available, and what is taken away from it for some of them."""

from collections.abc import Collection
from datetime import datetime

from data.counting import plural
from data.errors import ConflictError, UnfitError
from data.records.agents.agents import (
    AssigneeKind,
    Assignment,
    AssignmentList,
    Restrictions,
)
from data.store.agents import agents
from data.store.core import audit
from data.store.core.database import Connection
from flows.agents.available import read_existing


def assign_agent(
    cursor: Connection,
    slug: str,
    order: AssignmentList,
    known_tools: Collection[str],
    actor: str,
    now: datetime,
) -> AssignmentList:
    """Make an agent available to these, and to nobody else, each with what is taken away.

    To these already, it changes nothing.

    Raises:
        ConflictError: somebody has changed meanwhile to whom it is available.
        UnfitError: a user or a team is not named, or named twice, the organization's assignment
            takes something away, or what is taken away is not there.

    """
    current = read_existing(cursor, slug)
    if order.version not in (None, current.assigned_version):
        raise ConflictError(
            f"somebody has changed meanwhile who may ask {current.name}; look at it "
            f"(version {current.assigned_version})"
        )
    _refuse_unfit_list(order, known_tools)
    before, after = agents.set_assignments(cursor, slug, order.items)
    if before != after:
        had = _describe_other_assignments(before, after)
        has = _describe_other_assignments(after, before)
        detail = f"before: {had}. now: {has}"
        subject = f"agent:{slug}"
        audit.append(
            cursor, actor=actor, action="assign agent", subject=subject, detail=detail, now=now
        )
    return read_assignments(cursor, slug)


def _refuse_unfit_list(order: AssignmentList, known_tools: Collection[str]) -> None:
    """Refuse assignments that name nobody, somebody twice, or what is not there."""
    if len({(item.kind, item.subject) for item in order.items}) < len(order.items):
        raise UnfitError("somebody is named twice; say in one place what is taken away for them")
    for assigned in order.items:
        if (assigned.kind is AssigneeKind.ORGANIZATION) == bool(assigned.subject):
            raise UnfitError("name the user or the team, and nobody for the organization")
        whole = assigned.restrictions == Restrictions()
        if assigned.kind is AssigneeKind.ORGANIZATION and not whole:
            raise UnfitError("restrict teams and users; for everybody, change the agent's manifest")
        unknown = sorted(set(assigned.restrictions.without) - set(known_tools))
        if unknown:
            raise UnfitError(f"there is no tool or group {unknown[0]!r} to take away")


def read_assignments(cursor: Connection, slug: str) -> AssignmentList:
    """Return to whom an agent is available, with the version of that."""
    version = agents.read_agent(cursor, slug).assigned_version
    return AssignmentList(items=agents.list_assignments(cursor, slug), version=version)


def _describe_other_assignments(
    items: Collection[Assignment], others: Collection[Assignment]
) -> str:
    """Return in words the assignments that are not among the others, each with what it takes."""
    return (
        "; ".join(
            ", ".join(
                (
                    f"{item.kind}:{item.subject}".rstrip(":"),
                    *_describe_restrictions(item.restrictions),
                )
            )
            for item in items
            if item not in others
        )
        or "nobody"
    )


def _describe_restrictions(restrictions: Restrictions) -> list[str]:
    """Return what an assignment takes away, in words."""
    words = [f"without {', '.join(restrictions.without)}"] if restrictions.without else []
    if restrictions.trust is not None:
        words.append(f"trusted to {restrictions.trust}")
    if restrictions.most_calls is not None:
        words.append(f"{plural(restrictions.most_calls, 'call')} at most")
    if restrictions.budget is not None:
        words.append(f"US$ {restrictions.budget:g} at most")
    return words
