"""The kinds of approvals that the mail line asks for."""

from data.records.core.approvals import ApprovalKind, register_kind
from data.records.core.principals import Permission

REPLY = register_kind(
    ApprovalKind(
        name="reply",
        permission=Permission.DECIDE,
        meaning="The reply of a case goes into the outbox.",
    )
)
PASS_ON = register_kind(
    ApprovalKind(
        name="pass_on",
        permission=Permission.DECIDE,
        meaning="The messages of a case go to a colleague.",
    )
)
