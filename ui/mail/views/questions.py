"""Questions to owners: what mail asks and the knowledge does not say."""

from ui.core.chips import empty
from ui.core.session import guard_refusals
from ui.core.widgets.heading import heading
from ui.core.widgets.pager import SIZE, pager, read_page
from ui.mail.api.desk import mail_desk
from ui.mail.widgets.knowledge.owner_question import draw_question
from ui.mail.widgets.queue.filters import choose_state

STATES = {"open": "Open", "answered": "Answered", "all": "All"}


def show() -> None:
    """Draw the page."""
    heading("Questions", "What the knowledge does not answer, and you may.")
    with guard_refusals():
        _questions()


def _questions() -> None:
    state = choose_state("question-state", STATES, "questions")
    questions_page = read_page(
        "questions", lambda skipped: mail_desk().questions.find(state, limit=SIZE, offset=skipped)
    )
    if not questions_page.items:
        empty(
            "No questions.",
            "Owners are asked what the knowledge does not say, once the policy names them.",
        )
        return
    for position, question in enumerate(questions_page.items):
        draw_question(question, with_case=True, is_folded=position > 0)
    pager("questions", questions_page.total)


if __name__ == "__main__":
    show()
