"""The agents' tools, and the loop that goes on with turns which an engine before this one left."""

from flows.agents.chats import resume_turns
from flows.agents.extracting import resume_extracting
from flows.agents.lifecycle import install_catalogue
from flows.agents.tools.tasks import remind
from flows.agents.tools.toolbox import AGENT_TOOLS
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.mail.tools.toolbox import MAIL_TOOLS

TOOLS = Toolbox((*MAIL_TOOLS, *AGENT_TOOLS))


class AgentsLoop:
    """Installs what the catalogue has and resumes turns, once for each organization; reminds.

    Turns of this engine run by themselves; only one before it leaves any behind.
    """

    def __init__(self) -> None:
        self._begun: set[str] = set()

    async def round(self, house: House) -> bool:
        """Do what is due; return whether there was anything."""
        busy = False
        for workspace in await house.all_workspaces():
            if workspace.slug not in self._begun:
                await install_catalogue(house, workspace)
                busy = await resume_turns(house, workspace, TOOLS) or busy
                busy = await resume_extracting(house, workspace) > 0 or busy
                self._begun.add(workspace.slug)
            busy = await remind(workspace, house.clock()) > 0 or busy
        return busy
