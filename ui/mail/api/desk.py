"""The desk of mail: the parts of the API about mail, by what they are about."""

from ui.core.api.organization_client import OrganizationClient
from ui.core.session import organization_client
from ui.mail.api.cases import CaseApi
from ui.mail.api.contacts import ContactApi
from ui.mail.api.forwards import ForwardApi
from ui.mail.api.letters import LetterApi
from ui.mail.api.mailboxes import MailboxApi
from ui.mail.api.messages import MessageApi
from ui.mail.api.notes import NoteApi
from ui.mail.api.outbox import OutboxApi
from ui.mail.api.policy import PolicyApi
from ui.mail.api.promises import PromiseApi
from ui.mail.api.proposals import ProposalApi
from ui.mail.api.quarantine import QuarantineApi
from ui.mail.api.questions import QuestionApi
from ui.mail.api.reports import ReportApi
from ui.mail.api.rules import RuleApi
from ui.mail.api.saved_replies import SavedReplyApi
from ui.mail.api.senders import SenderApi
from ui.mail.api.setting_up import SetupApi
from ui.mail.api.threads import ThreadApi
from ui.mail.api.tickets import TicketApi


class MailDesk:
    """The parts of the API about mail, by what they are about."""

    def __init__(self, client: OrganizationClient) -> None:
        self.cases = CaseApi(client)
        self.contacts = ContactApi(client)
        self.forwards = ForwardApi(client)
        self.letters = LetterApi(client)
        self.mailboxes = MailboxApi(client)
        self.messages = MessageApi(client)
        self.notes = NoteApi(client)
        self.outbox = OutboxApi(client)
        self.policy = PolicyApi(client)
        self.promises = PromiseApi(client)
        self.proposals = ProposalApi(client)
        self.quarantine = QuarantineApi(client)
        self.questions = QuestionApi(client)
        self.reports = ReportApi(client)
        self.rules = RuleApi(client)
        self.saved_replies = SavedReplyApi(client)
        self.senders = SenderApi(client)
        self.setup = SetupApi(client)
        self.threads = ThreadApi(client)
        self.tickets = TicketApi(client)


def mail_desk() -> MailDesk:
    """Return the desk of the organization that is open.

    Raises:
        SignedOutError: there is no organization to open.

    """
    return MailDesk(organization_client())
