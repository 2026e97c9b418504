"""The parts of a message: whose words each has, what is left out, and replies made one."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.lexicons.drafting import LANGUAGES, phrases
from data.records.core.citations import Citation
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
)
from data.records.mail.drafting import Draft
from tasks.core.claims.promises import promises
from tasks.mail.check.checking import check
from tasks.mail.classify.message_parts import (
    by_itself,
    leave_out_sentences,
    narrow_classification,
    order_of,
    pieces,
    words_of,
)
from tasks.mail.draft.merging import merge_parts
from tasks.mail.draft.names import closing, greeting
from tests.mail.mind.examples import ORGANIZATION, POLICY, SENDER, briefing, classification

PRICE = "What does a single kayak cost per day?"
PAID = "I paid twice, please send one payment back."
TEXT = f"Hello,\n\n{PRICE} I look forward to it.\n\n{PAID}\n"
COST = "A single kayak costs 31.50 euros per day."


def wish(text: str, category: Category, kind: IntentKind = IntentKind.QUESTION) -> Intent:
    """Return an intent with these words."""
    return Intent(intent=kind, category=category, confidence=0.9, text=text)


MONEY = wish(PAID, Category.BILLING, IntentKind.REQUEST)
ASKED = wish(PRICE, Category.SALES)


def reply(*paragraphs: str, **more: object) -> Draft:
    """Return a draft with our greeting and closing around paragraphs."""
    words = phrases("en")
    opening = greeting(words, "en", POLICY, SENDER, ORGANIZATION)
    ending = closing(words, "en", POLICY, ORGANIZATION)
    body = "\n\n".join((opening, *paragraphs, ending)) if paragraphs else ""
    return Draft.model_validate({"subject": "Re: Kayaks", "body": body, "language": "en"} | more)


def test_every_sentence_has_one_owner() -> None:
    """Words that no intent holds go to the first; nothing is in two parts."""
    money, asked = words_of(TEXT, (MONEY, ASKED))
    assert asked == PRICE
    assert PAID in money
    assert "look forward" in money
    assert PRICE not in money


@given(st.lists(st.sampled_from([PRICE, PAID, "Hello,", "See you soon!", "1. bread"]), max_size=12))
def test_what_one_part_leaves_out_is_what_the_others_have(lines: list[str]) -> None:
    """Each part's words and those that it leaves out make the whole, whatever the order."""
    text, intents = "\n".join(lines), (MONEY, ASKED)
    owners = pieces(text, intents)
    for place in (0, 1):
        others = [piece for piece, owner in owners if owner != place]
        own = [piece for piece, owner in owners if owner == place]
        kept = leave_out_sentences(text, others)
        assert all(piece in kept for piece in own)
        assert not any(line in others for line in kept.split("\n"))


def test_nothing_left_out_leaves_the_text_alone() -> None:
    """A case that answers everything reads its mail as it was written."""
    assert leave_out_sentences(TEXT, ()) == TEXT
    assert words_of(TEXT, (ASKED,)) == (TEXT,)


def test_parts_are_in_the_order_of_the_senders_questions() -> None:
    """A greeting that counts to another part does not change the order."""
    assert order_of((MONEY, ASKED), TEXT) == [1, 0]


def test_several_replies_become_one_letter() -> None:
    """One greeting, one closing, each paragraph and citation once, in order."""
    cited = Citation(sentence=COST, ref="knowledge:rental-price")
    line = phrases("en").request
    made = merge_parts(
        [reply(COST, citations=(cited,)), reply(line, unanswered=(PAID,)), reply(line), reply()],
        SENDER,
        ORGANIZATION,
        POLICY,
    )
    assert made == reply(COST, line, citations=(cited,), unanswered=(PAID,))


def test_what_is_not_known_is_said_once_and_last() -> None:
    """Of two parts of which one has no answer, the rest is open, not everything."""
    words = phrases("en")
    made = merge_parts([reply(words.unknown), reply(COST)], SENDER, ORGANIZATION, POLICY)
    assert made == reply(COST, words.unknown_rest)
    nothing = merge_parts(
        [reply(words.unknown), reply(words.unknown)], SENDER, ORGANIZATION, POLICY
    )
    assert nothing == reply(words.unknown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_the_rest_follows_needs_no_source_and_is_a_promise(language: str) -> None:
    """The check lets the sentence stand in every language, and the ledger keeps it."""
    made = merge_parts(
        [reply(COST).model_copy(update={"language": language})],
        SENDER,
        ORGANIZATION,
        POLICY,
        rest_follows=True,
    )
    line = phrases(language).rest_follows
    assert line in made.body
    found = check(
        made,
        briefing(),
        new_text=PRICE,
        organization=ORGANIZATION,
        policy=POLICY,
        sender=SENDER,
    )
    assert not [one for one in found.findings if one.excerpt in line]
    kept = promises(made.body, language, date(2026, 3, 4), within=3, facts=[COST])
    assert [one.sentence for one in kept] == [line]


def test_a_part_does_not_repeat_the_words_of_another() -> None:
    """A draft of one part that copies the rest of the message is held all the same."""
    copied = "Please send the whole sum to the account that I told you about yesterday."
    found = check(
        reply(copied),
        briefing(),
        new_text=PRICE,
        whole_text=f"{PRICE} {copied}",
        organization=ORGANIZATION,
        policy=POLICY,
        sender=SENDER,
    )
    assert "copied_from_sender" in {one.check for one in found.findings}


def heard(category: Category, priority: Priority = Priority.NORMAL) -> Classification:
    """Return what the embedded classifier says of one part alone."""
    return classification(wish("", category), priority=priority)


def test_a_part_has_its_own_category_and_haste() -> None:
    """What one part is about and how soon does not colour the other."""
    seen = classification(MONEY, ASKED)
    low = heard(Category.SALES, Priority.LOW)
    parts = (by_itself(seen, MONEY, heard(Category.BILLING)), by_itself(seen, ASKED, low))
    seen = seen.model_copy(update={"parts": parts})
    alone = narrow_classification(seen, [1])
    assert (alone.category, alone.priority, alone.intents) == ("sales", "low", (ASKED,))
    urgent = seen.model_copy(update={"priority": Priority.URGENT})
    assert narrow_classification(urgent, [1]).priority is Priority.URGENT
    assert narrow_classification(seen, [0, 1]).intents == (MONEY, ASKED)


def test_a_models_part_is_judged_by_what_the_embedded_provider_hears_in_it() -> None:
    """A model that calls a complaint a question does not get it past the gates as a part."""
    seen = classification(MONEY, ASKED, embedded=heard(Category.BILLING))
    parts = tuple(by_itself(seen, one, heard(Category.COMPLAINT)) for one in seen.intents)
    seen = seen.model_copy(update={"parts": parts})
    assert narrow_classification(seen, [1]).category is Category.SALES
    assert narrow_classification(seen, [1]).judged.category is Category.COMPLAINT
