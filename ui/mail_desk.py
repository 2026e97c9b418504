"""What a person can ask and do about mail."""

from ui.api.cases import CaseApi
from ui.api.contacts import ContactApi
from ui.api.forwards import ForwardApi
from ui.api.letters import LetterApi
from ui.api.mailboxes import MailboxApi
from ui.api.messages import MessageApi
from ui.api.notes import NoteApi
from ui.api.organization_client import OrganizationClient
from ui.api.outbox import OutboxApi
from ui.api.policy import PolicyApi
from ui.api.promises import PromiseApi
from ui.api.proposals import ProposalApi
from ui.api.quarantine import QuarantineApi
from ui.api.questions import QuestionApi
from ui.api.reports import ReportApi
from ui.api.rules import RuleApi
from ui.api.saved_replies import SavedReplyApi
from ui.api.senders import SenderApi
from ui.api.setting_up import SetupApi
from ui.api.threads import ThreadApi
from ui.api.tickets import TicketApi
from ui.session import organization_client


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
