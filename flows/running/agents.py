"""The agents' tools, and the loop that goes on with turns which an engine before this one left."""

from flows.agents.chats import resume_turns
from flows.agents.lifecycle import install_catalogue
from flows.core.house import House
from flows.core.tools import Toolbox
from flows.mail.tools.toolbox import MAIL_TOOLS

TOOLS = Toolbox(MAIL_TOOLS)


class AgentsLoop:
    """Installs what the catalogue has, once a start, and resumes turns."""

    def __init__(self) -> None:
        self._installed: set[str] = set()

    async def round(self, house: House) -> bool:
        """Do what is due; return whether there was anything."""
        for workspace in await house.all_workspaces():
            if workspace.slug not in self._installed:
                await install_catalogue(house, workspace)
                self._installed.add(workspace.slug)
        return await resume_turns(house, TOOLS)
