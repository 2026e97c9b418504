"""Several replies to one sender as one: one greeting, one closing, the parts in their order."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from data.lexicons.drafting import phrases
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address
from data.records.mail.drafting import Draft
from tasks.mail.draft.names import closing, greeting

_T = TypeVar("_T")


def merge_parts(
    parts: Sequence[Draft],
    sender: Address,
    organization: Organization,
    policy: Policy,
    *,
    rest_follows: bool = False,
) -> Draft:
    """Return one reply that says what the parts say, each paragraph once.

    `parts`, at least one, are in the order of the sender's words and in one language; those with an
    empty body say nothing. `rest_follows` adds that the rest of the message is answered later.
    """
    first = parts[0]
    words = phrases(first.language, policy.formality)
    opening = greeting(words, first.language, policy, sender, organization)
    ending = closing(words, first.language, policy, organization)
    speaking = [part for part in parts if part.body.strip()]
    if not speaking:
        return _build_merged(parts, "")
    paragraphs = _unique(p for part in speaking for p in _paragraphs(part.body, opening, ending))
    lines = [
        paragraph
        for paragraph in paragraphs
        if paragraph not in (words.unknown, words.unknown_rest)
    ]
    if len(lines) < len(paragraphs) and words.request not in lines:
        lines.append(words.unknown_rest if lines else words.unknown)
    if rest_follows:
        lines.append(words.rest_follows)
    return _build_merged(parts, "\n\n".join((opening, *lines, ending)))


def _paragraphs(body: str, opening: str, ending: str) -> list[str]:
    """Return what stands between greeting and closing."""
    inner = body.strip().removeprefix(opening).removesuffix(ending)
    return [paragraph.strip() for paragraph in inner.split("\n\n") if paragraph.strip()]


def _build_merged(parts: Sequence[Draft], body: str) -> Draft:
    """Return the parts' citations and what they leave open, under that body."""
    return Draft(
        subject=parts[0].subject,
        body=body,
        language=parts[0].language,
        citations=tuple(_unique(citation for part in parts for citation in part.citations)),
        unanswered=tuple(
            _unique(open_question for part in parts for open_question in part.unanswered)
        ),
        suggestions=tuple(_unique(suggestion for part in parts for suggestion in part.suggestions)),
        provider=next((part.provider for part in parts if part.provider != "local"), "local"),
        fallback=next((part.fallback for part in parts if part.fallback), ""),
        note=" ".join(_unique(part.note for part in parts if part.note)),
    )


def _unique(items: Iterable[_T]) -> list[_T]:
    """Return items in order, each once."""
    return list(dict.fromkeys(items))
