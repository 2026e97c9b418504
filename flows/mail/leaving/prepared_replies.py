"""Replies made ready before the transaction that decides on them.

There is one writing thread; to word, render, sign and keep a reply is done before it is asked.
"""

from typing import NamedTuple

from data.errors import PosternError
from data.records.core.approvals import ApprovalRequest, Floor
from data.records.mail.delivery import Outgoing
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import request_for, request_of
from flows.mail.leaving.letters import Letter, hash_of, render
from flows.mail.leaving.outgoing_check import fault_of
from flows.mail.leaving.signing import sign_outgoing


class Ready(NamedTuple):
    """A reply that is made ready, as far as it could be."""

    request: ApprovalRequest | None
    """What is to be approved; None where nothing can leave."""
    outgoing: Outgoing | None = None
    """Signed, where it is to leave by itself."""
    fault: str = ""
    """Why it must not, in a sentence."""


def await_person(workspace: Workspace, case_id: str, letter: Letter | None) -> Ready:
    """Return the reply of a case that a person decides on."""
    return Ready(request_of(workspace, case_id, letter))


def leave_by_itself(house: House, workspace: Workspace, case_id: str, letter: Letter) -> Ready:
    """Return the reply of a case that the policy lets leave, rendered and signed."""
    hostname = house.settings.smtp_hostname
    try:
        outgoing = render(workspace, letter, hostname=hostname, auto=True, now=house.clock())
        fault = fault_of(workspace, outgoing, letter.draft.language)
        if fault:
            return Ready(None, fault=fault)
        signed = sign_outgoing(house.settings, workspace.organization, outgoing)
    except PosternError as error:  # one that cannot be written or signed stops no other
        return Ready(None, fault=str(error))
    return Ready(request_for(case_id, outgoing, hash_of(outgoing), Floor.POLICY), signed)
