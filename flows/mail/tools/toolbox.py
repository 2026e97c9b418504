"""All tools that the mail line offers to agents."""

from flows.core.tools import Tool
from flows.mail.tools.contacts import CONTACT_TOOLS
from flows.mail.tools.figures import FIGURE_TOOLS
from flows.mail.tools.knowledge import KNOWLEDGE_TOOLS
from flows.mail.tools.noting import NOTING_TOOLS
from flows.mail.tools.promised import PROMISE_TOOLS
from flows.mail.tools.queue import QUEUE_TOOLS
from flows.mail.tools.this_case import CASE_TOOLS
from flows.mail.tools.this_contact import THIS_CONTACT_TOOLS

MAIL_TOOLS: tuple[Tool, ...] = (
    *QUEUE_TOOLS,
    *CASE_TOOLS,
    *THIS_CONTACT_TOOLS,
    *PROMISE_TOOLS,
    *KNOWLEDGE_TOOLS,
    *CONTACT_TOOLS,
    *FIGURE_TOOLS,
    *NOTING_TOOLS,
)
