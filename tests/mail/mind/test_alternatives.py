"""Other drafts beside one of low quality, and what a person gets who asks for another."""

from data.lexicons.drafting import phrases
from data.records.mail.deciding import RejectReason
from data.records.mail.drafting import AlternativeKind, Checked, Draft
from data.records.mail.redrafting import RedraftWish
from tasks.mail.draft.alternatives import SAME, alternatives, redraft
from tests.mail.mind.examples import FRAME, ORGANIZATION, POLICY, SENDER, intent
from tests.mail.mind.test_draft import drafted

KIND = AlternativeKind
HALF = intent("What does a single kayak cost? Do you sell tents?")


def others(made: Draft, confidence: float = 0.9) -> dict[AlternativeKind, Draft]:
    """Return the alternatives of a draft."""
    return alternatives(made, SENDER, ORGANIZATION, POLICY, confidence)


def again(made: Draft, reason: str, note: str = "", *rejected: str) -> Draft:
    """Return the draft after a rejection."""
    wish = RedraftWish(reason=RejectReason(reason), note=note, rejected=rejected or (made.body,))
    return redraft(made, wish, SENDER, ORGANIZATION, POLICY)


def test_three_other_drafts_differ() -> None:
    """The answers alone, a question back, a handing over: each another text, each with greeting."""
    made = drafted(HALF, saved=(FRAME,))
    found = others(made)
    assert list(found) == [KIND.SHORTER, KIND.ASK_BACK, KIND.HAND_OVER]
    bodies = {made.body, *(one.body for one in found.values())}
    assert len(bodies) == 4
    assert "Come and paddle." not in found[KIND.SHORTER].body
    assert "31.50" in found[KIND.ASK_BACK].body
    assert phrases("en").ask_back in found[KIND.ASK_BACK].body
    assert "Odile Marsh" in found[KIND.HAND_OVER].body
    assert all(one.body.startswith("Hello Wim Tulip,") for one in found.values())


def test_a_quality_that_was_kept_with_one_is_left_out() -> None:
    """Drafts that were checked when alternatives had a quality of their own are read as ever."""
    alternative = others(drafted(HALF, saved=(FRAME,)))[KIND.HAND_OVER]
    stored = {"kind": "hand_over", "draft": alternative.model_dump(), "quality": 0.25}
    checked = Checked.model_validate({"quality": 0.3, "alternatives": [stored]})
    assert checked.alternatives[0].draft == alternative


def test_an_unsure_reading_puts_a_person_first() -> None:
    """The classifier's confidence shapes the order of the alternatives, and nothing else."""
    assert next(iter(others(drafted(HALF), confidence=0.3))) is KIND.HAND_OVER


def test_nothing_open_means_no_question_back() -> None:
    """A complete answer is not followed by a request to say more."""
    found = others(drafted(intent("What does a single kayak cost?")))
    assert KIND.ASK_BACK not in found


def test_a_rejected_text_does_not_come_again() -> None:
    """Each further rejection gives another text, until nothing is left, which is said."""
    made = drafted(HALF, saved=(FRAME,))
    seen = [made.body]
    for _ in range(3):
        next_one = again(made, "tone", "", *seen)
        assert next_one.body not in seen
        assert next_one.note.startswith("Rejected (tone)")
        seen.append(next_one.body)
    assert again(made, "tone", "", *seen).note == SAME


def test_the_wish_decides_what_comes() -> None:
    """Too long, or a note that asks for less, gives the answers alone; a wrong fact a person."""
    made = drafted(HALF, saved=(FRAME,))
    assert again(made, "too_long").body == others(made)[KIND.SHORTER].body
    assert again(made, "tone", "bitte kürzer").body == others(made)[KIND.SHORTER].body
    assert again(made, "wrong_fact").body == others(made)[KIND.HAND_OVER].body
    assert "31.50" not in again(made, "wrong_fact").body


def test_words_that_cannot_be_followed_are_named() -> None:
    """The embedded provider says that it did not follow an instruction word by word."""
    assert "cannot follow words" in again(drafted(HALF), "tone", "mention the regatta").note
