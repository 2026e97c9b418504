"""Outputs of the stages: of a message, of a case, and of each part of a case.

A case with one branch has no parts: what is said of it is said of both (docs/pipeline.md#parts).
"""

from data.records.core.parsed_mail import Automated
from data.records.core.record import Record
from data.records.core.screening import Screening
from data.records.mail.deciding import Decision
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan


class Written(Draft):
    """The output of the stage *draft*: one reply, and what it says to each branch."""

    parts: tuple[Draft, ...] = ()
    """The reply to each branch by itself, in the order of the intents; empty with one branch."""

    @property
    def whole(self) -> Draft:
        """The one reply to everything."""
        return Draft.model_validate({name: getattr(self, name) for name in Draft.model_fields})


class Examined(Checked):
    """The output of the stage *check*: of the one reply, and of each part."""

    branches: tuple[Checked, ...] = ()
    """What the check says of each part's draft, in their order; empty with one branch."""

    @property
    def whole(self) -> Checked:
        """What it says of the one reply."""
        return Checked.model_validate({name: getattr(self, name) for name in Checked.model_fields})


class Portion(Record):
    """What one case answers of a message that two cases answer."""

    places: tuple[int, ...]
    """Which branches, by their place in the case that is parted."""
    draft: Draft
    checked: Checked
    decision: Decision


class Parting(Record):
    """A case on its way to become two: what is answered first, and what stays before a person."""

    first: Portion
    rest: Portion


class Routed(Decision):
    """The output of the stage *route*."""

    parting: Parting | None = None
    """How the case becomes two, where what may leave is answered without the rest."""


class PartLink(Record):
    """Another case that answers a part of the same messages; its words must be drawn inert."""

    id: str
    state: str
    wishes: tuple[str, ...]
    """What the sender wants there, in the sender's words."""


class Screened(Record):
    """What the screen found out about one message."""

    screening: Screening
    automated: Automated


class Plans(Record):
    """The plan of each branch, in the order of the intents."""

    plans: tuple[Plan, ...]
    embedded: tuple[Plan, ...] = ()
    """What the embedded provider plans for what it understood, where a model's plans are shown."""
    by_itself: tuple[tuple[Plan, ...], ...] = ()
    """The same by branch: what it plans for what it understands of the branch's words alone."""

    @property
    def provider(self) -> str:
        """Who planned, a model's name where any branch was planned by one."""
        return next((plan.provider for plan in self.plans if plan.provider != "local"), "local")


class CaseText(Record):
    """What the contact wrote in a burst, joined: the words that a case is about."""

    subject: str
    text: str
    """New text of every message, oldest first."""
    to: tuple[str, ...] = ()
    """Whom the messages were sent to (To and Cc), in lower case."""
    quoted: str = ""
    """What the oldest message quotes."""
