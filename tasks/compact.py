"""Cutting context to its token budget (docs/pipeline.md#context).

The local provider counts by rule and summarizes by picking sentences. First version: a model's own
tokenizer and summaries come in behind the same functions.
"""

from collections.abc import Sequence

from data.lexicons.drafting import LANGUAGES, phrases
from data.records.briefing import Snippet
from tasks.draft_words import sentences

BYTES_PER_TOKEN = 4
"""One token for every four UTF-8 bytes begun: near the truth for European languages, and for
scripts of three bytes a letter on the safe side of it."""
TOKENS_PER_SNIPPET = 4
"""What naming a snippet's source costs."""

_SUMMARY_SHARE = 3
"""A summary keeps about one third of a text."""


def estimate_tokens(text: str) -> int:
    """Return the estimated size of `text` in tokens, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def snippet_tokens(snippets: Sequence[Snippet]) -> int:
    """Return the estimated size of snippets with their labels, in tokens."""
    return sum(estimate_tokens(s.title + s.text) + TOKENS_PER_SNIPPET for s in snippets)


def binding_sentences(text: str, *, outbound: bool) -> list[str]:
    """Return what must survive every tier: our commitments, and questions put to us."""
    marks = _commitments() if outbound else ()
    return [
        sentence
        for sentence in sentences(text)
        if sentence.endswith("?") or any(mark in f" {sentence.lower()} " for mark in marks)
    ]


def summarize(snippet: Snippet) -> Snippet:
    """Return a snippet cut to its first and its binding sentences, about a third of its length."""
    parts = list(dict.fromkeys(sentences(snippet.text)))
    keep = set(binding_sentences(snippet.text, outbound=snippet.outbound))
    room = len(snippet.text) // _SUMMARY_SHARE
    for part in parts:
        if room <= 0 and keep:
            break
        if part not in keep:
            keep.add(part)
            room -= len(part)
    text = " ".join(part for part in parts if part in keep)
    return snippet if len(text) >= len(snippet.text) else snippet.model_copy(update={"text": text})


def bound(snippet: Snippet) -> Snippet | None:
    """Return only the binding sentences of a snippet, or None when there are none."""
    text = " ".join(binding_sentences(snippet.text, outbound=snippet.outbound))
    return snippet.model_copy(update={"text": text}) if text else None


def truncate(snippet: Snippet, tokens: int) -> Snippet:
    """Return a snippet cut to at most `tokens`, at the end of a sentence where one fits."""
    if snippet_tokens((snippet,)) <= tokens:
        return snippet
    room = max(0, tokens - TOKENS_PER_SNIPPET - estimate_tokens(snippet.title)) * BYTES_PER_TOKEN
    kept: list[str] = []
    for part in sentences(snippet.text):
        if len(" ".join((*kept, part)).encode("utf-8", "surrogatepass")) > room:
            break
        kept.append(part)
    text = " ".join(kept) or snippet.text.encode("utf-8", "ignore")[:room].decode("utf-8", "ignore")
    return snippet.model_copy(update={"text": text})


def _commitments() -> tuple[str, ...]:
    """Return the phrases that bind us, of every language, with a space on both sides."""
    return tuple(f" {mark} " for code in LANGUAGES for mark in phrases(code).commitments)
