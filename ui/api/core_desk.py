"""What a person can ask and do about what every part stands on."""

from ui.api.audit import AuditApi
from ui.api.installation import InstallationApi
from ui.api.knowledge import KnowledgeApi
from ui.api.models import ModelApi
from ui.api.notifications import NotificationApi
from ui.api.organization_client import OrganizationClient
from ui.api.organizations import OrganizationApi
from ui.api.settings import SettingApi
from ui.api.teams import TeamApi
from ui.api.users import UserApi


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
