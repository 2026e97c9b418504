"""Letters, drafts and what the check says is left of them."""

from data.lexicons.drafting import phrases
from data.records.core.citations import Citation
from data.records.core.understanding import Intent
from data.records.mail.drafting import Checked, Disposition, Draft
from data.records.mail.planning import ActionType, Plan
from tasks.mail.actions import make_action
from tasks.mail.check.checking import check
from tasks.mail.draft.names import closing, greeting
from tests.mail.mind.examples import ORGANIZATION, POLICY, SENDER, briefing

HOURS = "The boathouse is open from 08:30 to 19:00 between April and October."
ASKED = "When is the boathouse open in April?"
TICKET = Plan(actions=(make_action(ActionType.CREATE_TICKET, "A person carries it out."),))
REPLY = Plan(actions=(make_action(ActionType.REPLY, "A question."),))


def answering(*told: str, cite: str = "knowledge:opening-hours", **more: object) -> Draft:
    """Return a draft that tells these sentences of the knowledge."""
    words = phrases("en")
    head, tail = (
        greeting(words, "en", POLICY, SENDER, ORGANIZATION),
        closing(words, "en", POLICY, ORGANIZATION),
    )
    values: dict[str, object] = {
        "subject": "Re: Boats",
        "body": "\n\n".join((head, " ".join(told), tail)),
        "language": "en",
        "citations": tuple(Citation(sentence=one, ref=cite) for one in told),
    }
    return Draft.model_validate(values | more)


def looked_at(
    letter: str,
    made: Draft | None = None,
    *intents: Intent,
    plan: Plan = REPLY,
    subject: str = "",
) -> Checked:
    """Return what the check says of a draft, the hours without another one, to a letter."""
    return check(
        made or answering(HOURS),
        briefing(),
        new_text=letter,
        organization=ORGANIZATION,
        policy=POLICY,
        sender=SENDER,
        intents=intents,
        plans=(plan,) * len(intents),
        subject=subject,
    )


def left(checked: Checked) -> list[str]:
    """Return what is not dealt with."""
    return [one.text for one in checked.accounts if one.disposition is Disposition.OPEN]
