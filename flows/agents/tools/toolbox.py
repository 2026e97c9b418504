"""All tools of the agents' own."""

from flows.agents.tools.calendar import CALENDAR_TOOLS
from flows.agents.tools.changing import CHANGING_TOOLS
from flows.agents.tools.context import CONTEXT_TOOLS
from flows.agents.tools.memory import MEMORY_TOOLS
from flows.agents.tools.profile import PROFILE_TOOLS
from flows.agents.tools.tasks import TASK_TOOLS
from flows.core.tools import Tool

AGENT_TOOLS: tuple[Tool, ...] = (
    *TASK_TOOLS,
    *CALENDAR_TOOLS,
    *CHANGING_TOOLS,
    *MEMORY_TOOLS,
    *PROFILE_TOOLS,
    *CONTEXT_TOOLS,
)
