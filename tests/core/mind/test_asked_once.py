"""A plan, a draft and its check ask the same things of the same knowledge, which works once."""

from data.records.core.briefing import Snippet, SourceKind
from tasks.core.answering.answer import answer
from tasks.core.answering.situations import situations
from tasks.core.memo import Memo
from tasks.core.words.questions import AskedQuestion

_HOURS = Snippet(
    source=SourceKind.KNOWLEDGE,
    ref="knowledge:opening-hours",
    title="Opening hours",
    text="The shop is open from nine to six.",
    trusted=True,
    language="en",
)
_PARCEL = _HOURS.model_copy(
    update={
        "ref": "knowledge:parcels",
        "title": "Parcels",
        "text": "If a parcel has not arrived after eight days, tell us its number.",
    }
)


def test_a_value_is_made_once_until_it_is_pushed_out() -> None:
    """What was asked for last stays."""
    made: list[str] = []
    memo: Memo[str, str] = Memo(2)

    def ask(key: str) -> str:
        return memo.get(key, lambda: made.append(key) or key.upper())

    assert [ask(key) for key in ("a", "b", "a", "c", "a", "b")] == list("ABACAB")
    assert made == ["a", "b", "c", "b"]


def test_nothing_is_remembered_of_what_could_not_be_made() -> None:
    """A failure is met again, and an absent value is remembered."""
    memo: Memo[str, int | None] = Memo(2)
    answers = iter((None, 1))
    assert [memo.get("a", lambda: next(answers)) for _ in range(2)] == [None, None]
    try:
        memo.get("b", lambda: int("b"))
    except ValueError:
        assert memo.get("b", lambda: 2) == 2
    else:
        raise AssertionError


def test_the_same_question_of_other_knowledge_is_another() -> None:
    """Who changes an entry is answered from what it says now."""
    question = AskedQuestion(text="When is the shop open?")
    later = _HOURS.model_copy(update={"text": "The shop is open from ten to four."})
    for _ in range(2):
        for entry in (_HOURS, later):
            answered = answer(question, [entry])
            assert answered is not None
            assert [cited.sentence for cited in answered.citations] == [entry.text]
    assert answer(question, []) is None


def test_the_same_letter_of_other_knowledge_is_helped_otherwise() -> None:
    """The list may be changed by whoever asked for it."""
    letter = "My parcel has not arrived."
    helped = situations(letter, [_PARCEL], "en")
    assert [cited.sentence for cited in helped] == [_PARCEL.text]
    helped.clear()
    assert len(situations(letter, [_PARCEL], "en")) == 1
    assert situations(letter, [_HOURS], "en") == []
