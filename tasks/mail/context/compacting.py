"""Cutting context to its token budget (docs/pipeline.md#context).

Tokens are counted by a real tokenizer, which need not be the model's own: of European languages it
counts about the same, of other scripts more, which is the safe side. Summaries pick sentences.
"""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from data.lexicons.drafting import LANGUAGES
from data.records.core.briefing import Snippet
from data.word_vectors import word_vectors
from tasks.core.claims.claims import claims
from tasks.core.claims.promises import promises
from tasks.core.words.questions import asks
from tasks.core.words.sentences import sentences

COUNTED = 20_000
"""Characters that are counted; what is longer is taken to go on as it begins."""
TOKENS_PER_SNIPPET = 4
"""What naming a snippet's source costs."""

_MOST_LETTERS = 16
"""Letters that no token exceeds by much; longer text is not even counted."""
_ANY_DAY = date(2026, 1, 5)
"""A day to count from, where only whether a sentence names one matters."""
_LONGEST = 1000
"""Characters of one binding sentence: a question without an end does not take all the room."""
_SUMMARY_SHARE = 3
"""A summary keeps about one third of a text."""


def count_tokens(text: str) -> int:
    """Return the size of `text` in tokens; beyond 20,000 characters it is extrapolated."""
    if len(text) <= COUNTED:
        return _count_tokens(text)
    return -(-_count_tokens(text[:COUNTED]) * len(text) // COUNTED)


@lru_cache(maxsize=256)
def _count_tokens(text: str) -> int:
    """Return the count of tokens; remembered, because cutting asks for the same texts again."""
    return word_vectors().count(text)


def snippet_tokens(snippets: Sequence[Snippet]) -> int:
    """Return the size of snippets with their labels, in tokens."""
    return sum(count_tokens(s.title) + count_tokens(s.text) + TOKENS_PER_SNIPPET for s in snippets)


def binding_sentences(text: str, *, outbound: bool) -> list[str]:
    """Return what must survive every tier: our commitments, and questions put to us."""
    return [
        sentence
        for sentence in sentences(text)
        if asks(sentence) or (outbound and _commits(sentence))
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


def keep_binding(snippet: Snippet) -> Snippet | None:
    """Return only the binding sentences of a snippet, or None when there are none."""
    text = " ".join(
        binding_sentence[:_LONGEST]
        for binding_sentence in binding_sentences(snippet.text, outbound=snippet.outbound)
    )
    return snippet.model_copy(update={"text": text}) if text else None


def condense_snippet(snippet: Snippet, tokens: int) -> Snippet | None:
    """Return a snippet's beginning as far as `tokens` let it, and what binds in any case."""
    binding = set(binding_sentences(snippet.text, outbound=snippet.outbound))
    left = tokens - TOKENS_PER_SNIPPET - count_tokens(snippet.title)
    left -= sum(count_tokens(part[:_LONGEST]) + 1 for part in binding)
    kept_sentences: list[str] = []
    for part in dict.fromkeys(sentences(snippet.text)):
        if part not in binding and left >= 0:
            left -= count_tokens(part) + 1  # a joint may cost one
        if part in binding or left >= 0:
            kept_sentences.append(part[:_LONGEST] if part in binding else part)
    text = " ".join(kept_sentences)
    return snippet.model_copy(update={"text": text}) if text else None


def truncate(snippet: Snippet, tokens: int) -> Snippet:
    """Return a snippet cut to at most `tokens`, at the end of a sentence where one fits."""
    if snippet_tokens((snippet,)) <= tokens:
        return snippet
    room = max(0, tokens - TOKENS_PER_SNIPPET - count_tokens(snippet.title))
    kept_sentences: list[str] = []
    left = room
    for part in sentences(snippet.text):
        left -= count_tokens(part) + 1  # a joint may cost one
        if left < 0:
            break
        kept_sentences.append(part)
    return snippet.model_copy(
        update={"text": " ".join(kept_sentences) or _beginning(snippet.text, room)}
    )


def _beginning(text: str, room: int) -> str:
    """Return the beginning of `text` that fits into `room` tokens, cut inside a sentence."""
    text = text[: room * _MOST_LETTERS]
    while text and (size := count_tokens(text)) > room:
        text = text[: min(len(text) - 1, len(text) * room // size)]
    return text


@lru_cache(maxsize=4096)
def _commits(sentence: str) -> bool:
    """Return whether a sentence of ours binds us, in any of the drafting languages."""
    if any(claim.kind == "commitment" for claim in claims(sentence)):
        return True
    return any(promises(sentence, code, _ANY_DAY, within=1) for code in LANGUAGES)
