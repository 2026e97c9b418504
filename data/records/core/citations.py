"""Sentences of an answer, each with what it rests on."""

from data.records.core.record import Record


class Citation(Record):
    """One sentence of the draft and what it rests on."""

    sentence: str
    """The sentence, verbatim from the draft."""
    ref: str
    """The snippet's `ref`."""
    title: str = ""
    """What to call the source on the screen."""


class Suggestion(Record):
    """Knowledge in another language that may answer a question; a person decides."""

    question: str
    """The sender's question."""
    sentence: str
    """The sentence of the knowledge, verbatim."""
    ref: str
    """The snippet's `ref`."""
    title: str = ""
    """What to call the source on the screen."""
    language: str
    """ISO 639-1 code of the sentence."""
