"""The share of one part of a case that a draft answers, for who reviews the parts together."""

from data.records.mail.drafting import Draft
from tasks.core.words.questions import questions


def answered_share(wish: str, draft: Draft | None) -> float | None:
    """Return the share of a wish's questions that a draft does not list as open, 0 to 1.

    None without a draft, or when the wish asks nothing. A draft that a person edited keeps the
    list of the one before.
    """
    asked = {" ".join(question.text.split()) for question in questions(wish)}
    if draft is None or not draft.body.strip() or not asked:
        return None
    left = {" ".join(text.split()) for text in draft.unanswered}
    return 1 - len(asked & left) / len(asked)
