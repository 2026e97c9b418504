"""The desk of the core: the parts of the API about what every other part stands on."""

from ui.core.api.audit import AuditApi
from ui.core.api.installation import InstallationApi
from ui.core.api.knowledge import KnowledgeApi
from ui.core.api.models import ModelApi
from ui.core.api.notifications import NotificationApi
from ui.core.api.organization_client import OrganizationClient
from ui.core.api.organizations import OrganizationApi
from ui.core.api.settings import SettingApi
from ui.core.api.teams import TeamApi
from ui.core.api.users import UserApi


class CoreDesk:
    """The parts of the API that are of neither mail nor agents, by what they are about."""

    def __init__(self, client: OrganizationClient) -> None:
        self.audit = AuditApi(client)
        self.installation = InstallationApi(client)
        self.knowledge = KnowledgeApi(client)
        self.models = ModelApi(client)
        self.notifications = NotificationApi(client)
        self.organizations = OrganizationApi(client)
        self.settings = SettingApi(client)
        self.teams = TeamApi(client)
        self.users = UserApi(client)
