"""The scope in which a planner looks up, as planning a case makes it."""

from flows.mail.thinking.planning_tools import ToolScope
from tests.core.small import Line


async def scope_of(line: Line, case_id: str) -> ToolScope:
    """Return the scope of a case."""
    (row,) = await line.rows("SELECT thread_id, contact_email FROM cases WHERE id = ?", case_id)
    thread, contact = str(row["thread_id"]), str(row["contact_email"])
    return ToolScope(line.workspace, case_id, thread, contact, line.clock(), line.house)
