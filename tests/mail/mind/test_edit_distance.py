"""How much of a draft a person changed."""

from data.records.mail.drafting import Draft
from tasks.mail.compose.edit_distance import MOST_WORDS, measure_edit


def draft(body: str) -> Draft:
    """Return a draft with this text."""
    return Draft(subject="Kettle", body=body, language="en")


def test_the_share_of_changed_words_is_measured() -> None:
    """The same words are 0, other ones 1, and one word of four replaced is a quarter."""
    assert measure_edit(draft("the kettle is ready"), "the kettle\nis ready") == 0
    assert measure_edit(draft("the kettle is ready"), "come at nine") == 1
    assert measure_edit(draft("the kettle is ready"), "the kettle is gone") == 0.25
    assert measure_edit(None, "the kettle") == 1


def test_long_texts_are_compared_by_lines() -> None:
    """Beyond the limit one changed line of many counts as a line."""
    lines = ["a b c d e f g h i j"] * (MOST_WORDS // 10)
    body = "\n".join(lines)
    assert measure_edit(draft(body), "\n".join([*lines[:-1], "quince"])) == round(1 / len(lines), 4)
