"""The desk of agents: the parts of the API about agents, by what they are about."""

from ui.agents.api.agents import AgentApi
from ui.agents.api.business import BusinessProfileApi
from ui.agents.api.calendar import CalendarApi
from ui.agents.api.chats import ChatApi
from ui.agents.api.intents import IntentApi
from ui.agents.api.library import LibraryApi
from ui.agents.api.memories import MemoryApi
from ui.agents.api.tasks import TaskApi
from ui.agents.api.turns import TurnApi
from ui.core.api.organization_client import OrganizationClient
from ui.core.session import organization_client


class AgentsDesk:
    """The parts of the API about agents, by what they are about."""

    def __init__(self, client: OrganizationClient) -> None:
        self.agents = AgentApi(client)
        self.business = BusinessProfileApi(client)
        self.calendar = CalendarApi(client)
        self.chats = ChatApi(client)
        self.intents = IntentApi(client)
        self.library = LibraryApi(client)
        self.memories = MemoryApi(client)
        self.tasks = TaskApi(client)
        self.turns = TurnApi(client)


def agents_desk() -> AgentsDesk:
    """Return the desk of the organization that is open.

    Raises:
        SignedOutError: there is no organization to open.

    """
    return AgentsDesk(organization_client())
