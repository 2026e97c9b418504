"""Allowances and blocks: what a person says about a sender, for one organization only."""

from datetime import datetime

from data.errors import ConflictError, NotFoundError
from data.free_mail import is_free_mail
from data.records.core.principals import Principal
from data.records.core.screening import FilterLayer
from data.records.mail.orders import Allow
from data.store.core import audit
from data.store.core.database import Connection
from data.store.mail import decisions
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.sender_patterns import read_sender
from tasks.core.screen import CHAIN
from tasks.core.screen.organization_facts import NEVER_EXCUSED

ALLOWABLE = frozenset(rule.name for rule in CHAIN) | {"classifier"}
ABOUT_CONTENT = frozenset(rule.name for rule in CHAIN if rule.layer is FilterLayer.CONTENT)
"""Rules that find no attack on a machine."""


async def allow(house: House, workspace: Workspace, order: Allow, principal: Principal) -> None:
    """Let a rule not count for a sender from now on.

    Raises:
        ConflictError: that holds already, the rule is about who the sender is, or there is none;
            or it is about attacks, and the domain is one where anybody has an address.
        UnfitSenderError: the sender is neither an address nor `@domain`.

    """
    await workspace.db.write(allow_in_transaction, order, principal, house.clock())


async def disallow(
    house: House, workspace: Workspace, allowance_id: str, principal: Principal
) -> None:
    """Take an allowance back.

    Raises:
        NotFoundError: there is none with this id.

    """
    await workspace.db.write(disallow_in_transaction, allowance_id, principal, house.clock())


async def unblock(house: House, workspace: Workspace, pattern: str, principal: Principal) -> None:
    """Take a block of an address or domain back.

    Raises:
        NotFoundError: it is not blocked.

    """
    await workspace.db.write(unblock_in_transaction, pattern, principal, house.clock())


def allow_in_transaction(
    cursor: Connection, order: Allow, principal: Principal, now: datetime
) -> None:
    """Do what `allow` does, in an open transaction."""
    sender = read_sender(order.sender)
    if decisions.find_allowance(cursor, order.rule, sender):
        raise ConflictError(f"rule {order.rule!r} is allowed for {sender!r} already")
    domain = sender.removeprefix("@")
    if (
        order.rule in ALLOWABLE - ABOUT_CONTENT - NEVER_EXCUSED
        and domain != sender
        and is_free_mail(domain)
    ):
        raise ConflictError(
            f"{domain!r} is used by many unrelated people; allow rule {order.rule!r} "
            "for an address instead"
        )
    add_allowances(cursor, (order.rule,), sender, None, principal, now)


def disallow_in_transaction(
    cursor: Connection, allowance_id: str, principal: Principal, now: datetime
) -> None:
    """Do what `disallow` does, in an open transaction."""
    if not remove_allowances(cursor, [allowance_id], principal, now):
        raise NotFoundError(f"there is no allowance {allowance_id!r}; list them to see their ids")


def unblock_in_transaction(
    cursor: Connection, pattern: str, principal: Principal, now: datetime
) -> None:
    """Do what `unblock` does, in an open transaction."""
    scope = "sender" if "@" in pattern else "domain"
    if not decisions.unblock(cursor, pattern.lower(), scope):
        raise NotFoundError(f"{pattern!r} is not blocked; list the blocks to see what is")
    subject = f"sender:{pattern.lower()}"
    audit.append(
        cursor, actor=principal.name, action="unblock", subject=subject, detail=scope, now=now
    )


def add_allowances(
    cursor: Connection,
    rules: tuple[str, ...],
    sender: str,
    message_id: str | None,
    principal: Principal,
    now: datetime,
) -> list[str]:
    """Let each rule not count for a sender, in the transaction of the decision.

    Returns the ids of the allowances that hang on decisions: those made now, and those that an
    earlier one has made. What a person has allowed without a message hangs on none.

    Raises:
        ConflictError: a rule is about who the sender is, or unknown; or the sender is no address.

    """
    address = sender.strip().lower()
    if not rules:
        return []
    if "@" not in address or address.endswith("@"):
        raise ConflictError(f"{sender!r} is neither an address nor @domain; there is no allowance")
    allowances_held = []
    for rule in rules:
        if rule in NEVER_EXCUSED:
            raise ConflictError(
                f"rule {rule!r} is about who the sender is; it is never excused for a sender"
            )
        if rule not in ALLOWABLE:
            names = ", ".join(sorted(ALLOWABLE - NEVER_EXCUSED))
            raise ConflictError(f"there is no rule {rule!r} to allow; those are {names}")
        before = decisions.find_allowance(cursor, rule, address)
        if before is None:
            identity = decisions.allow(cursor, rule, address, message_id, principal.name, now)
            _audit(cursor, principal, "allow", identity, f"{rule} {address}", now)
            allowances_held.append(identity)
        elif before.message_id is not None:
            allowances_held.append(before.id)
    return allowances_held


def remove_allowances(
    cursor: Connection, ids: list[str], principal: Principal, now: datetime
) -> bool:
    """Take allowances back, each an event; return whether there were any."""
    disallowed = decisions.disallow(cursor, ids)
    for row in disallowed:
        _audit(cursor, principal, "disallow", row.id, f"{row.rule} {row.sender}", now)
    return bool(disallowed)


def _audit(
    cursor: Connection, principal: Principal, action: str, identity: str, detail: str, now: datetime
) -> None:
    subject = f"allowance:{identity}"
    audit.append(
        cursor, actor=principal.name, action=action, subject=subject, detail=detail, now=now
    )
