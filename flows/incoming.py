"""What the classifier gets of a case: its words, and how the sender stands to the organization."""

from collections.abc import Sequence

from data.records.briefing import Briefing, SourceKind
from data.records.organization import Organization
from data.records.screening import Authentication, AuthResult
from flows.evidence import is_first_contact
from flows.stages.case_stage import CaseText
from tasks.classify import Incoming


def incoming(
    text: CaseText,
    sender: str,
    checked: Sequence[Authentication | None],
    briefing: Briefing,
    organization: Organization,
) -> Incoming:
    """Join what is known of a case; `checked` says of each of its messages who sent it.

    A sender is a colleague only when every message comes from a domain of the organization's and
    is established to: anybody can write an address into From.
    """
    own = {address.lower() for address in organization.addresses}
    domains = {address.rpartition("@")[2].lower() for address in organization.addresses}
    established = bool(checked) and all(
        one is not None and one.dmarc is AuthResult.PASS for one in checked
    )
    return Incoming(
        text=text.text,
        subject=text.subject,
        internal=established and sender.rpartition("@")[2].lower() in domains,
        known_sender=not is_first_contact(briefing),
        reply=bool(briefing.of(SourceKind.THREAD)),
        addressed=tuple(address for address in text.to if address in own),
    )
