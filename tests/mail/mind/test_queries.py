"""What the knowledge is searched for: each question of a long message, and all of it."""

from tasks.mail.context.queries import LONGEST, merge_results, queries_of
from tests.core.mind.entries import KNOWLEDGE

PRICE, HOURS, CANCEL = KNOWLEDGE[:3]


def test_a_short_message_with_one_question_is_one_query() -> None:
    """Nothing is searched for twice where a message asks one thing."""
    assert queries_of("Price", "What does a kayak cost?") == ["Price\nWhat does a kayak cost?"]


def test_every_question_of_a_message_is_searched_for_first() -> None:
    """Two questions give two queries before the message itself, and no more than four in all."""
    text = "What does a kayak cost? When do you open? May dogs come? Who drives us? Is there tea?"
    made = queries_of("Trip", text)
    assert made[:2] == ["What does a kayak cost?", "When do you open?"]
    assert made[-1].startswith("Trip\n")
    assert len(made) == 4
    assert all(len(one) <= LONGEST for one in queries_of("x" * 9000, f"{'y ' * 9000}Why? How?"))


def test_what_is_found_comes_in_turn_with_its_best_score() -> None:
    """Each query's best comes before any second best; an entry is there once."""
    found = merge_results([[(PRICE, 0.9), (HOURS, 0.8)], [(CANCEL, 0.4), (PRICE, 1.0)]], 3)
    assert [entry.id for entry, _ in found] == [PRICE.id, CANCEL.id, HOURS.id]
    assert found[0][1] == 1.0
    assert len(merge_results([[(PRICE, 0.9), (HOURS, 0.8)], [(CANCEL, 0.4)]], 2)) == 2
    assert merge_results([], 3) == []
