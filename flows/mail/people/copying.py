"""A person chooses who gets a copy of a reply; what is shown and hashed changes with it."""

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.mail.copies import ChooseCopies
from data.store.mail import cases
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.people.deciding import Deciding, decide
from tasks.compose.recipients import bare, is_own, is_valid_address


async def choose_copies(
    house: House, workspace: Workspace, case_id: str, given: ChooseCopies, principal: Principal
) -> None:
    """Keep who gets a copy; the case's version moves on, so that nothing unseen is approved.

    Raises:
        ConflictError: an address is not valid, or is ours; or the case is decided or has changed.

    """
    wanted: dict[str, str] = {}
    for one in given.cc:
        address = one.strip()
        if not is_valid_address(address) or not address.isascii():
            raise ConflictError(f"{address!r} is no address that a copy can go to")
        if is_own(address, workspace.organization):
            raise ConflictError(f"{address!r} is the organization's own; it has the reply already")
        wanted.setdefault(bare(address), address)

    copies = list(wanted.values())

    def act(deciding: Deciding) -> None:
        cases.change(deciding.cursor, [{"id": case_id, "cc": copies}])
        ask(deciding.cursor, workspace, [case_id], principal.name, deciding.now)

    await decide(
        house,
        workspace,
        case_id,
        given.version,
        principal,
        "choose-copies",
        act,
        detail=", ".join(copies) or "nobody",
    )
