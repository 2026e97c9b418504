"""What a person can ask of agents, and do about them."""

from ui.api.agents import AgentApi
from ui.api.business import BusinessProfileApi
from ui.api.calendar import CalendarApi
from ui.api.chats import ChatApi
from ui.api.intents import IntentApi
from ui.api.library import LibraryApi
from ui.api.memories import MemoryApi
from ui.api.organization_client import OrganizationClient
from ui.api.tasks import TaskApi
from ui.api.turns import TurnApi
from ui.session import organization_client


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
