"""The callbacks about hearing of an answered case again, and about writing once more."""

from data.records.mail.follow_ups import AskFollowUp, WriteAgain
from data.records.mail.views import CaseView
from ui.core.parts_of_page import redraw
from ui.core.session import attempt, say
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import decisions
from ui.mail.deciding.undoing import select

DAYS = (2, 3, 5, 10)
"""Working days that are offered."""


def ask(case: CaseView, days: int | None) -> None:
    """Have an answered case come back, or no more."""
    if not decisions.is_meant(case):
        return
    order = AskFollowUp(version=case.version, days=days)
    if attempt(lambda: mail_desk().cases.ask_follow_up(case.id, order)):
        sentence = f"It comes back after {days} working days, unless they answer."
        say("done", sentence if days else "It does not come back by itself any more.")
    redraw("item", "queue")


def write_again(case: CaseView) -> None:
    """Begin another letter to the contact of a case, and open it."""
    if not decisions.is_meant(case):
        return
    letter = attempt(
        lambda: mail_desk().letters.write_again(case.id, WriteAgain(version=case.version))
    )
    if letter is not None:
        select(letter.id)
        decisions.panel("edit")
    redraw("item", "queue")
