"""The classifier's view of a case: its words, and how the sender stands to the organization."""

from collections.abc import Sequence

from data.records.core.briefing import Briefing, SourceKind
from data.records.core.organization import Organization
from data.records.core.screening import Authentication, AuthResult
from data.records.core.understanding import Category
from data.records.mail.stage_outputs import CaseText
from tasks.mail.classify.classifying import Incoming


def incoming(
    text: CaseText,
    sender: str,
    checked: Sequence[Authentication | None],
    briefing: Briefing,
    organization: Organization,
    continued: Category | None = None,
) -> Incoming:
    """Join what is known of a case; `checked` says of each of its messages who sent it.

    `continued` is what its conversation was about before. Where no case says that (its mail is
    older than Postern, or was sent elsewhere), its words do, or what the case quotes.

    A sender is a colleague when every message comes from a domain of the organization's and is
    established to: anybody can write an address into From. Of who is named in the organization's
    people it is enough that nothing refutes it, for what is internal is answered by nobody's draft.
    """
    own = {address.lower() for address in organization.own_addresses}
    people = {person.email.lower() for person in organization.people}
    domains = {address.rpartition("@")[2].lower() for address in organization.addresses}
    established = bool(checked) and all(
        authentication is not None and authentication.dmarc is AuthResult.PASS
        for authentication in checked
    )
    is_colleague = sender.lower() in people and not any(
        authentication is not None and authentication.dmarc is AuthResult.FAIL
        for authentication in checked
    )
    before = briefing.of(SourceKind.THREAD)
    return Incoming(
        text=text.text,
        subject=text.subject,
        internal=is_colleague or (established and sender.rpartition("@")[2].lower() in domains),
        known_sender=not briefing.is_first_contact,
        reply=bool(before),
        addressed=tuple(address for address in text.to if address in own),
        continued=continued,
        earlier="\n".join(earlier_text.text for earlier_text in before) if before else text.quoted,
    )
