"""The first steps of an organization, as its state says which are done; and a test mail."""

from enum import StrEnum

from pydantic import Field

from data.records.core.record import Line, Record


class StepName(StrEnum):
    """What has to be there before mail is answered."""

    ADDRESS = "address"  #: its name, and what it answers for
    PEOPLE = "people"  #: who can be given a case, or signs in
    VOICE = "voice"  #: how it writes, and what stands under each reply
    KNOWLEDGE = "knowledge"  #: what drafts may rest on
    POLICY = "policy"  #: what may leave without a person
    TRIAL = "trial"  #: a message has come as far as a draft
    MAIL = "mail"  #: mail comes in from outside
    LEAVING = "leaving"  #: somebody has said how approved replies leave


class SetupStep(Record):
    """One step."""

    name: StepName
    done: bool
    sentence: str
    """What is there, or what to do."""


class Setup(Record):
    """The steps in their order."""

    steps: tuple[SetupStep, ...]
    hostname: str
    """The name under which the receiver greets, for an MX record."""
    port: int
    """The port on which it listens."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return all(step.done for step in self.steps)


class TrialOrder(Record):
    """An order to hand in a test mail."""

    subject: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1, max_length=5000)
    sender: Line = Field(default="test@example.com", pattern=r"^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$")
    """Whom the draft would answer."""


class TrialMail(Record):
    """How far a test mail has come."""

    id: str
    status: str
    """`accepted` until it is taken in; then where the message is."""
    case_id: str = ""
    state: str = ""
    """Where its case is."""
    drafted: bool = False
    note: str = ""
    """Why it went where it is."""
