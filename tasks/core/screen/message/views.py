"""A message as the rules see it: every place, in every form it may hide in."""

from dataclasses import dataclass, field
from functools import cached_property

from data.records.core.envelope import Envelope
from data.records.core.organization import Policy
from data.records.core.parsed_mail import Automated, ParsedMail, Segments
from tasks.core.screen.disguises.disguise_names import ALL, Disguises
from tasks.core.screen.disguises.hidden_forms import forms
from tasks.core.screen.message.attack_surface import places
from tasks.core.screen.message.hosts import Target, list_targets
from tasks.core.screen.organization_facts import KnownSenders
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.scanned import ScannedText, Text


@dataclass(frozen=True)
class Views:
    """A message as the rules see it; each form is made when the first rule asks for it."""

    mail: ParsedMail
    segments: Segments
    automated: Automated
    envelope: Envelope
    policy: Policy
    known: KnownSenders = field(default_factory=KnownSenders)
    undone: Disguises = ALL
    """Disguises and codes that are read."""

    @cached_property
    def plain(self) -> tuple[Text, ...]:
        """Every place as it came."""
        return tuple(places(self.mail, self.segments))

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """Every place as it came, unmasked and decoded."""
        return tuple(form for text in self.plain for form in forms(text, self.undone))

    @cached_property
    def scanned(self) -> tuple[ScannedText, ...]:
        """Every form of every place with its words looked up; texts without any are left out."""
        scanned_texts = (ScannedText(text, text.spotted) for text in self.texts)
        return tuple(text for text in scanned_texts if text.spotted.mask)

    @cached_property
    def links(self) -> tuple[Target, ...]:
        """Where the message's links lead."""
        return list_targets(self.mail)

    @cached_property
    def body(self) -> str:
        """What a person reads of the message."""
        return self.mail.text

    @cached_property
    def folded_body(self) -> str:
        """Subject and body in the form words are compared in."""
        return fold(f"{self.mail.subject}\n\n{self.mail.text}")

    @property
    def sender_domain(self) -> str:
        """Domain of From, lower case; empty when From is not one address."""
        return self.mail.sender.email.rpartition("@")[2].lower() if self.mail.sender else ""
