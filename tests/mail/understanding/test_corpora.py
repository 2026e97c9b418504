"""The text that the classifier is trained on."""

from collections import Counter

from data.records.core.understanding import Category, IntentKind, Priority, Sentiment
from training.compose import messages
from training.corpus import blocks, manners

LANGUAGES = {"en", "de", "fr", "es", "it", "pt", "nl", "pl"}


def test_composed_messages_are_many_and_of_every_kind() -> None:
    """There are at least 4,000 messages, of every label, in eight languages, in both halves."""
    both = {half: list(messages(half)) for half in ("train", "test")}
    assert sum(map(len, both.values())) >= 4000
    for items in both.values():
        assert {item.language for item in items} == LANGUAGES
        assert {item.labels.category for item in items} == set(Category)
        assert {item.labels.intent for item in items} == set(IntentKind)
        assert {item.labels.priority for item in items} == set(Priority)
        assert {item.labels.sentiment for item in items} == set(Sentiment)


def test_halves_share_no_family_persona_or_sentence() -> None:
    """No template family, persona or written sentence stands on both sides."""
    train, test = list(messages("train")), list(messages("test"))
    assert {item.half for item in train} == {"train"}
    assert not {item.family for item in train} & {item.family for item in test}
    assert not {item.persona for item in train} & {item.persona for item in test}
    assert not {item.core for item in train} & {item.core for item in test} - SHORT
    for language in LANGUAGES:
        one, other = manners()[language, "train"], manners()[language, "test"]
        assert not set(one.fillers) & set(other.fillers)
        for label, sentences in one.shifts.items():
            assert not set(sentences) & set(other.shifts[label])


def test_lengths_differ_widely() -> None:
    """Messages run from two words to hundreds."""
    lengths = [len(item.text.split()) for item in messages("train")]
    assert min(lengths) <= 2
    assert max(lengths) >= 150


def test_composition_is_the_same_every_time() -> None:
    """The generator is deterministic."""
    assert list(messages("test")) == list(messages("test"))


def test_no_block_is_written_twice() -> None:
    """Within a language no two blocks of a topic are the same."""
    counts = Counter((block.language, block.family, block.text) for block in blocks())
    assert max(counts.values()) == 1


SHORT = {"ok", "yes", "no"}
