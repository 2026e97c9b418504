"""A person chooses who gets a copy of a reply, seen by all or blind.

What is shown and hashed changes with it.
"""

from collections.abc import Sequence

from data.errors import UnfitError
from data.records.core.organization import Organization
from data.records.core.principals import Principal
from data.records.mail.copies import ChooseCopies
from data.store.mail import cases
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.people.deciding import Deciding, decide
from tasks.mail.compose.recipients import is_own, is_valid_address, reduce_address


async def choose_copies(
    house: House, workspace: Workspace, case_id: str, order: ChooseCopies, principal: Principal
) -> None:
    """Keep who gets a copy; the case's version moves on, so that nothing unseen is approved.

    Raises:
        UnfitError: an address is not valid, or is ours, or would get a copy of both kinds.
        ConflictError: the case is decided or has changed.

    """
    own = workspace.organization
    cc = None if order.cc is None else checked_copies(order.cc, own)
    bcc = None if order.bcc is None else checked_copies(order.bcc, own)
    changed = {name: those for name, those in (("cc", cc), ("bcc", bcc)) if those is not None}

    def act(deciding: Deciding) -> None:
        case = deciding.case
        copies_shown = case.cc if cc is None else cc
        blind = case.bcc if bcc is None else bcc
        refuse_both(copies_shown or (), blind or ())
        if changed:
            cases.change(deciding.cursor, [{"id": case_id, **changed}])
        ask(deciding.cursor, workspace, [case_id], principal.name, deciding.now)

    await decide(
        house,
        workspace,
        case_id,
        order.version,
        principal,
        "choose-copies",
        act,
        detail=_described(cc, bcc),
    )


def checked_copies(addresses: Sequence[str], organization: Organization) -> list[str]:
    """Return the addresses that get a copy, each mailbox once.

    Raises:
        UnfitError: one is not valid, or is ours.

    """
    name_by_address: dict[str, str] = {}
    for copy in addresses:
        address = copy.strip()
        if not is_valid_address(address) or not address.isascii():
            raise UnfitError(f"{address!r} is no address that a copy can go to")
        if is_own(address, organization):
            raise UnfitError(f"{address!r} is the organization's own; it has the reply already")
        name_by_address.setdefault(reduce_address(address), address)
    return list(name_by_address.values())


def refuse_both(addresses: Sequence[str], blind: Sequence[str]) -> None:
    """Refuse a blind copy to whom the headers name.

    Raises:
        UnfitError: there is one.

    """
    bare_addresses = {reduce_address(one) for one in addresses}
    for address in blind:
        if reduce_address(address) in bare_addresses:
            raise UnfitError(
                f"{address!r} gets a copy that everybody sees; take it off there first"
            )


def _described(cc: Sequence[str] | None, bcc: Sequence[str] | None) -> str:
    """Return what the audit log says of a choice."""
    parts = [] if cc is None else [", ".join(cc) or "nobody"]
    parts += [] if bcc is None else [f"blind: {', '.join(bcc) or 'nobody'}"]
    return "; ".join(parts)
