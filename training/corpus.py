"""Reading the building blocks under `training/corpora/understanding`.

A topic file holds, by topic, one block a line for each half: `subject :: [labels] text`, where the
labels change the topic's own, the subject is optional, and ` / ` stands for a line break. A manner
file holds a language's personas (how they open and close), sentences that shift a label, sentences
that shift none, and the words for the slots in braces.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import yaml

from data.errors import ManifestError
from data.records.core.understanding import Category, IntentKind, Priority, Sentiment

CORPUS = Path(__file__).parent / "corpora" / "understanding"

Half = Literal["train", "test"]
HALVES: tuple[Half, ...] = get_args(Half)


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What is true of a text."""

    category: Category
    intent: IntentKind
    priority: Priority
    sentiment: Sentiment

    def changed(self, words: list[str]) -> "Labels":
        """These labels with intent, priority or sentiment replaced by what `words` name."""
        intent, priority, sentiment = self.intent, self.priority, self.sentiment
        for word in words:
            if word in set(IntentKind):
                intent = IntentKind(word)
            elif word in set(Priority):
                priority = Priority(word)
            else:
                sentiment = Sentiment(word)
        return Labels(category=self.category, intent=intent, priority=priority, sentiment=sentiment)


@dataclass(frozen=True, kw_only=True)
class Block:
    """One line of a topic: the part of a message that carries its labels."""

    text: str
    subject: str
    labels: Labels
    language: str
    family: str
    """`<topic>/<half>`: no family stands in both halves."""
    half: Half
    whole: bool
    """Complete as it is: gets no opening or closing."""


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How people of one language write in one half."""

    personas: dict[str, dict[str, Any]]
    shifts: dict[str, list[str]]
    """Sentences by the label that they bring, such as `urgent` or `negative`."""
    fillers: list[str]
    slots: dict[str, list[str]]


def _read(path: Path) -> dict[str, Any]:
    loaded = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    if not isinstance(loaded, dict) or "language" not in loaded:
        raise ManifestError(f"The corpus file {path.name!r} has no language; add the key.")
    return loaded


def _block(line: str, topic: str, spec: dict[str, Any], language: str, half: Half) -> Block:
    category, intent, priority, sentiment = str(spec["labels"]).split()
    labels = Labels(
        category=Category(category),
        intent=IntentKind(intent),
        priority=Priority(priority),
        sentiment=Sentiment(sentiment),
    )
    subject, mark, text = line.strip().rpartition(" :: ")
    if text.startswith("["):
        words, _, text = text[1:].partition("]")
        labels = labels.changed(words.split())
    elif subject.startswith("["):
        words, _, subject = subject[1:].partition("]")
        labels = labels.changed(words.split())
    return Block(
        text=text.strip().replace(" / ", "\n"),
        subject=subject.strip() if mark else "",
        labels=labels,
        language=language,
        family=f"{topic}/{half}",
        half=half,
        whole=bool(spec.get("whole")),
    )


@cache
def blocks() -> tuple[Block, ...]:
    """All blocks of all topic files, in the order of file names and lines.

    Raises `ManifestError` when a file is not as described above.
    """
    found = []
    for path in sorted(CORPUS.glob("topics-*.yaml")):
        file = _read(path)
        for topic, spec in file["topics"].items():
            for half in HALVES:
                for line in str(spec.get(half) or "").splitlines():
                    try:
                        found.append(_block(line, topic, spec, file["language"], half))
                    except ValueError as error:
                        raise ManifestError(
                            f"{path.name!r}, topic {topic!r}: {error} in {line!r}; correct it."
                        ) from error
    return tuple(found)


@cache
def manners() -> dict[tuple[str, Half], Manner]:
    """The manners by language and half."""
    found: dict[tuple[str, Half], Manner] = {}
    for path in sorted(CORPUS.glob("manner-*.yaml")):
        file = _read(path)
        for half in HALVES:
            found[file["language"], half] = Manner(
                personas=file[half]["personas"],
                shifts=file[half]["shifts"],
                fillers=file[half]["fillers"],
                slots=file["slots"],
            )
    return found


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """Words and phrases of one language that speak for a label; they only train."""

    language: str
    phrases: dict[str, dict[str, list[str]]]
    """By head (`category`, `sentiment`, `priority`, `intent`), by label."""


@cache
def lexicons() -> tuple[Lexicon, ...]:
    """The lexicons of all languages that have one, in the order of file names."""
    found = []
    for path in sorted(CORPUS.glob("lexicon-*.yaml")):
        file = _read(path)
        found.append(
            Lexicon(
                language=file.pop("language"),
                phrases={
                    head: {
                        label: [phrase.strip() for phrase in str(text).split(";") if phrase.strip()]
                        for label, text in own.items()
                    }
                    for head, own in file.items()
                },
            )
        )
    return tuple(found)


@cache
def plain_sentences() -> tuple[tuple[str, str], ...]:
    """Pairs of language and sentence for the languages that are only told apart, not understood."""
    path = CORPUS / "languages.yaml"
    if not path.exists():
        return ()
    return tuple(
        (language, sentence)
        for language, text in _read(path)["sentences"].items()
        for sentence in str(text).splitlines()
    )
