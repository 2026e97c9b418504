"""The agents' tools, and the loop that goes on with turns which an engine before this one left."""

import time
from collections.abc import Callable

from flows.agents.extracting import resume_extracting
from flows.agents.lifecycle import install_catalogue
from flows.agents.running import resume_turns
from flows.agents.tools.tasks import remind_owners
from flows.agents.tools.toolbox import AGENT_TOOLS
from flows.core.house import House
from flows.core.rounds import do_for_organizations
from flows.core.tools import Toolbox
from flows.core.workspace import Workspace
from flows.mail.tools.toolbox import MAIL_TOOLS

TOOLS = Toolbox((*MAIL_TOOLS, *AGENT_TOOLS))
EVERY = 5.0
"""Seconds between two looks for turns that nothing works on."""


class AgentsLoop:
    """Installs what the catalogue has, once for each organization; goes on with turns; reminds.

    Turns of this engine run by themselves. It looks for those that one before it left, and for any
    that nothing works on for whatever reason: the state says what is to go on, no timer does.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._begun: set[str] = set()
        self._seconds, self._next = seconds, 0.0

    async def round(self, house: House) -> bool:
        """Do what is due; return whether there was anything."""
        look = self._seconds() >= self._next
        if look:
            self._next = self._seconds() + EVERY

        async def work(workspace: Workspace) -> bool:
            busy = False
            if workspace.slug not in self._begun:
                await install_catalogue(house, workspace)
                busy = await resume_extracting(house, workspace) > 0 or busy
                self._begun.add(workspace.slug)
            if look:
                busy = await resume_turns(house, workspace, TOOLS) or busy
            return await remind_owners(workspace, house.clock()) > 0 or busy

        return await do_for_organizations(house, work)
