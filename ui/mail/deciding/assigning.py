"""The callback that takes a case, or puts it back for everybody."""

from data.records.mail.orders import Reassign
from data.records.mail.views import CaseView
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, me, say
from ui.mail.api.desk import mail_desk
from ui.mail.deciding import decisions
from ui.mail.deciding.undoing import offer_to_give_back

NO_ADDRESS = (
    "Nobody has said what your mail address is, so no case can be with you. Whoever manages users "
    "enters it under Administration."
)


def is_mine(case: CaseView) -> bool:
    """Return whether a case is with who looks at it."""
    return bool(case.item.assignee) and case.item.assignee == me().email.lower()


def take_or_return(case: CaseView) -> None:
    """Take a case, also from somebody else; put one back that one has. It stays open."""
    mine = me().email.lower()
    if not mine:
        say("warning", NO_ADDRESS)
        redraw("item")
    if not decisions.is_meant(case):
        return
    to = "" if is_mine(case) else mine
    order = Reassign(version=case.version, assignee=to)
    answer = attempt(lambda: mail_desk().cases.reassign(case.id, order))
    if answer is not None:
        offer_to_give_back(case, answer.version, to)
    redraw(*ALL)
