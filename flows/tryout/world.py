"""The world of `postern try` beside the message, and the message on its way through the stages.

The command knows worlds and starts processes; what reads mail is imported there, when it runs.
"""

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from connectors.line_ends import from_storage
from connectors.mail_files import envelope_sender
from data.policy_files import load_policy
from data.records.core.briefing import Briefing
from data.records.core.envelope import Channel, Envelope
from data.records.core.knowledge import KnowledgeEntry, SavedReply
from data.records.core.memory import LearnedFromMail
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address, Automated, ParsedMail, Segments
from data.records.core.record import Record
from data.records.core.screening import Authentication, Screening
from data.records.core.understanding import Classification
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import CaseText, Examined, Written

if TYPE_CHECKING:
    from tasks.mail.read import Reading
    from tasks.mail.route.case_evidence import CaseEvidence

STRANGER = "unknown@sender.invalid"
"""Stands for an envelope sender that is not shown; the null sender is another thing."""
NEUTRAL = Organization(
    slug="try", name="Your organization", addresses=("you@organization.invalid",)
)
FindEntries = Callable[[str], Sequence[tuple[KnowledgeEntry, float]]]


class World(Record):
    """What the stages know besides the message."""

    organization: Organization = NEUTRAL
    policy: Policy
    saved_replies: tuple[SavedReply, ...] = ()
    now: datetime
    """The moment of all decisions, UTC."""
    trusted_authserv_ids: tuple[str, ...] = ()
    context_tokens: int = 4000
    context_recent_messages: int = 5
    context_knowledge_entries: int = 10
    owner_answer_hours: float = 48
    memory: LearnedFromMail = LearnedFromMail()
    """What people have taught the organization."""

    @property
    def domains(self) -> tuple[str, ...]:
        """Domains of the organization's addresses; none for the neutral one."""
        if self.organization == NEUTRAL:
            return ()
        address_domains = {
            address.rpartition("@")[2].lower() for address in self.organization.addresses
        }
        return tuple(sorted(address_domains))

    @property
    def used(self) -> dict[str, object]:
        """What an answer says of whose knowledge it uses: `used`; nothing for the neutral one."""
        if self.organization == NEUTRAL:
            return {}
        return {"used": {"organization": self.organization.slug, **self.memory.used}}


def neutral_world(now: datetime) -> World:
    """Return the world of nobody in particular: the built-in policy, no knowledge."""
    return World(policy=load_policy(), now=now)


class TriedMail:
    """A message on its way; each stage leaves its result here for those after it."""

    mail: ParsedMail
    segments: Segments
    reading: "Reading"
    automated: Automated
    screening: Screening
    authentication: Authentication
    classification: Classification
    passed_on: Address | None = None
    """Whose mail a colleague passes on, where one does."""
    briefing: Briefing
    plans: tuple[Plan, ...]
    written: Written
    checked: Examined

    def __init__(self, raw: bytes, world: World, find: FindEntries) -> None:
        self.raw, self.bare_eol = from_storage(raw)
        self.world, self.find = world, find
        self.envelope = _envelope(self.raw, self.bare_eol, world)

    def keep_segments(self, segments: Segments) -> None:
        """Keep whose words the body is, and whose mail a colleague passes on with it."""
        from tasks.mail.read import Reading, with_writer

        house = self.world.organization
        people = [person.email for person in house.people]
        read = Reading(mail=self.mail, segments=segments)
        self.reading = with_writer(read, house.own_addresses, people)
        self.segments, self.passed_on = self.reading.segments, self.reading.passed_on

    @property
    def sender(self) -> Address:
        """Who wrote it, as far as it says."""
        from tasks.mail.read import writer_of

        own = self.world.organization.own_addresses
        return writer_of(self.reading, own) or Address(email=STRANGER)

    @property
    def wrote(self) -> CaseText:
        """What a case of this message alone would be about."""
        from tasks.mail.case_text import case_text

        return case_text([self.reading])

    @property
    def evidence(self) -> "CaseEvidence":
        """What speaks for and against a reply to a case of this message alone."""
        from tasks.mail.compose.copies import add_copies
        from tasks.mail.compose.recipients import choose_recipients
        from tasks.mail.route.case_evidence import MessageEvidence, combine_evidence

        message = MessageEvidence(
            reading=self.reading,
            envelope=self.envelope,
            screening=self.screening,
            authentication=self.authentication,
            automated=self.automated,
        )
        house, policy = self.world.organization, self.world.policy
        recipients = choose_recipients(self.mail, self.envelope, house, self.passed_on)
        if house != NEUTRAL:  # to whom nobody has written: everybody in To would be offered a copy
            recipients = add_copies(recipients, self.mail, house, policy)
        return combine_evidence([message], recipients)


def _envelope(raw: bytes, bare_eol: bool, world: World) -> Envelope:
    sender = envelope_sender(raw)
    null = b"\nreturn-path: <>" in b"\n" + raw[:65_536].lower()
    return Envelope(
        spool_id="0" * 26,
        channel=Channel.INGEST,
        received_at=world.now,
        mail_from="" if null else sender or STRANGER,
        rcpt_to=world.organization.addresses[:1],
        bare_eol=bare_eol,
        size_bytes=len(raw),
        sha256=hashlib.sha256(raw).hexdigest(),
    )
