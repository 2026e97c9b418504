"""The kinds of approvals that agents ask for."""

from data.records.core.approvals import ApprovalKind, register_kind
from data.records.core.principals import Permission

TOOL_CALL = register_kind(
    ApprovalKind(
        name="tool_call",
        permission=Permission.SEE,
        meaning="An agent calls a tool with exactly these arguments.",
    )
)
