import pytest

from data.records.core.briefing import SourceKind, Tier
from data.records.core.knowledge import HistoryEntry
from tasks.mail.context.compacting import count_tokens, snippet_tokens, summarize, truncate
from tasks.mail.context.gathering import MixedContextError
from tests.core.mind.entries import KNOWLEDGE, entry
from tests.mail.mind.examples import briefing, message

LONG = "The river was calm and we saw two herons near the old mill. " * 12


def talk(count: int) -> list[HistoryEntry]:
    """Return a long exchange with one commitment and one question early in it."""
    made = [message(n, f"Part {n}. {LONG}", outbound=n % 2 == 1) for n in range(count)]
    made[1] = message(1, f"{LONG} We promise to keep the red kayak for you. {LONG}", outbound=True)
    made[2] = message(2, f"{LONG} Is the slipway wide enough? {LONG}")
    return made


def test_everything_stays_verbatim_within_budget() -> None:
    """What fits is passed on word for word, in the order of the four sources."""
    made = briefing(thread=[message(2, "second"), message(1, "first")], contact=[message(9, "old")])
    assert made.tier is Tier.NORMAL
    assert made.omitted == 0
    assert [s.text for s in made.of(SourceKind.THREAD)] == ["first", "second"]
    order = [s.source for s in made.snippets]
    assert order == sorted(order, key=["thread", "contact", "knowledge", "organization"].index)


def test_size_counts_the_case_itself() -> None:
    """The new message counts against the budget and is reported with the rest."""
    small, large = briefing(case_text="red boat"), briefing(case_text=" ".join(["red boat"] * 100))
    assert large.tokens - small.tokens == 198
    assert small.tokens == 2 + snippet_tokens(small.snippets)


def test_beyond_the_budget_old_messages_are_summarized() -> None:
    """Up to three times the budget: recent messages verbatim, older ones shorter, within budget."""
    thread = talk(10)
    made = briefing(thread=thread, budget_tokens=1600, recent_messages=3)
    assert made.tier is Tier.COMPACTED
    assert made.tokens <= 1600
    assert made.omitted > 0
    kept = {s.ref: s.text for s in made.of(SourceKind.THREAD)}
    assert [kept[e.ref] for e in thread[-3:]] == [e.text for e in thread[-3:]]
    assert len(kept["message:4"]) < len(thread[4].text)


def test_far_beyond_the_budget_it_is_an_emergency() -> None:
    """Beyond three times the budget only the latest messages and the best knowledge remain."""
    thread = talk(40)
    made = briefing(thread=thread, budget_tokens=900, recent_messages=3)
    assert made.tier is Tier.EMERGENCY
    assert made.tokens <= 900
    assert made.of(SourceKind.THREAD)[-1].text == thread[-1].text
    assert made.of(SourceKind.KNOWLEDGE)[0].ref == "knowledge:rental-price"


@pytest.mark.parametrize("count", [10, 40])
def test_commitments_and_questions_survive_every_tier(count: int) -> None:
    """What we promised and what was asked stays in the briefing however much is cut."""
    made = briefing(thread=talk(count), budget_tokens=1600 if count == 10 else 1200)
    assert made.tier is (Tier.COMPACTED if count == 10 else Tier.EMERGENCY)
    text = " ".join(s.text for s in made.of(SourceKind.THREAD))
    assert "We promise to keep the red kayak for you." in text
    assert "Is the slipway wide enough?" in text


def test_a_case_larger_than_the_budget_stays_whole() -> None:
    """A huge message is not cut: its size is told, and what binds stays beside it."""
    made = briefing(case_text="x" * 40_000, thread=talk(4), budget_tokens=500)
    assert made.tier is Tier.EMERGENCY
    assert made.tokens >= 10_000
    text = " ".join(s.text for s in made.of(SourceKind.THREAD))
    assert text == "We promise to keep the red kayak for you. Is the slipway wide enough?"


def test_internal_knowledge_is_marked() -> None:
    """Knowledge that is not public bears a reference that no draft may cite."""
    refs = [s.ref for s in briefing().of(SourceKind.KNOWLEDGE)]
    assert "internal:margin" in refs
    assert "knowledge:margin" not in refs


def test_untrusted_knowledge_is_left_out() -> None:
    """What was learned from mail and not confirmed never enters a briefing."""
    learned = entry("rumour", "Rumour", "Kayaks are free.", trusted=False)
    assert not briefing(knowledge=[(learned, 0.9)]).of(SourceKind.KNOWLEDGE)


def test_mail_is_never_trusted() -> None:
    """Neither the sender's messages nor ours count as a source that vouches."""
    made = briefing(thread=[message(1, "hi"), message(2, "ours", outbound=True)])
    assert not any(s.trusted for s in made.of(SourceKind.THREAD))
    assert [s.outbound for s in made.of(SourceKind.THREAD)] == [False, True]


def test_messages_of_two_contacts_are_refused() -> None:
    """A history that mixes contacts is a bug of the caller and never becomes a briefing."""
    with pytest.raises(MixedContextError, match="2 contacts"):
        briefing(contact=[message(1, "a", who="wim"), message(2, "b", who="eve")])


def test_a_message_is_told_once() -> None:
    """A message that is part of the thread does not come again as contact history."""
    made = briefing(thread=[message(1, "one")], contact=[message(1, "one"), message(2, "two")])
    assert [s.ref for s in made.of(SourceKind.CONTACT)] == ["message:2"]


def test_knowledge_is_ranked_when_room_is_short() -> None:
    """When cutting, the best entries by score are kept, up to the limit."""
    found = [(e, score) for e, score in zip(KNOWLEDGE, (0.1, 0.9, 0.5, 0.2, 0.3, 0.4), strict=True)]
    made = briefing(
        knowledge=found, thread=talk(10), budget_tokens=2000, recent_messages=2, knowledge_limit=2
    )
    assert [s.ref for s in made.of(SourceKind.KNOWLEDGE)] == [
        "knowledge:opening-hours",
        "knowledge:cancel",
    ]


def test_tokens_are_counted_by_a_tokenizer() -> None:
    """Short words are a token each, other scripts weigh more, great lengths are extrapolated."""
    assert [count_tokens(text) for text in ("", "hello", "the red boat")] == [0, 1, 3]
    assert count_tokens("語語語") > 3
    words = "the red boat " * 10_000
    assert abs(count_tokens(words) - 30_000) < 1_000
    assert count_tokens("half \ud83d a pair") > 0


def test_a_text_without_sentences_is_cut_inside() -> None:
    """What has no end of a sentence is cut where the room ends, whatever its letters."""
    for text in ("word " * 5_000, "x" * 50_000, "語" * 5_000, "\U0001f6b2" * 5_000):
        snippet = briefing("rental-price").of(SourceKind.KNOWLEDGE)[0]
        cut = truncate(snippet.model_copy(update={"text": text}), 60)
        assert 0 < len(cut.text) < len(text)
        assert snippet_tokens((cut,)) <= 60


def test_truncation_ends_at_a_sentence() -> None:
    """A truncated snippet keeps whole sentences and obeys its limit."""
    snippet = briefing("rental-price").of(SourceKind.KNOWLEDGE)[0]
    cut = truncate(snippet, 30)
    assert cut.text == "A single kayak costs 31.50 euros per day."
    assert snippet_tokens((cut,)) <= 30


def test_a_summary_is_never_longer() -> None:
    """Summarizing a short message changes nothing."""
    snippet = briefing(thread=[message(1, "Yes.")]).of(SourceKind.THREAD)[0]
    assert summarize(snippet) == snippet
