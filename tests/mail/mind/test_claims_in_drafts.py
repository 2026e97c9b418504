"""Claims of drafts in eight languages: what is invented is underlined, another notation is not."""

from pathlib import Path
from typing import Any

import pytest

from data.records.core.briefing import Briefing, Snippet, SourceKind
from data.records.core.citations import Citation
from data.records.core.organization import Policy
from data.records.mail.drafting import Draft, Finding
from data.word_lists import word_list
from tasks.core.words.sentences import fold
from tasks.mail.check.checking import check
from tests.mail.mind.examples import ORGANIZATION, SENDER

ROWS: list[dict[str, Any]] = [
    row
    for name in ("claims_in_drafts.yaml", "claims_in_drafts_further.yaml")
    for row in word_list(Path(__file__).with_name(name))
]
INVENTED = [(row["language"], row["source"], *pair) for row in ROWS for pair in row["invented"]]
FAITHFUL = [(row["language"], row["source"], one) for row in ROWS for one in row["faithful"]]


def underlined(language: str, source: str, sentence: str) -> list[Finding]:
    """Return the findings about single words of a sentence that cites a source."""
    snippet = Snippet(
        source=SourceKind.KNOWLEDGE,
        ref="knowledge:all",
        text=source,
        trusted=True,
        language=language,
    )
    made = Draft(
        subject="Re: Looms",
        body=sentence,
        language=language,
        citations=(Citation(sentence=sentence, ref="knowledge:all"),),
    )
    organization = ORGANIZATION.model_copy(update={"addresses": ("care@teasel.example",)})
    found = check(
        made,
        Briefing(snippets=(snippet,)),
        new_text="",
        organization=organization,
        policy=Policy(),
        sender=SENDER,
    )
    whole = ("unsupported_sentence", "uncited_sentence", "language_mismatch")
    return [one for one in found.findings if one.check not in whole]


@pytest.mark.parametrize(("language", "source", "sentence", "word"), INVENTED)
def test_what_is_invented_is_underlined(
    language: str, source: str, sentence: str, word: str
) -> None:
    """The invented word itself, or what it is a part of, is among the findings."""
    words = [fold(one.excerpt) for one in underlined(language, source, sentence)]
    wanted = fold(word)
    assert any(wanted in one or (one in wanted and len(one) > 1) for one in words), words


@pytest.mark.parametrize(("language", "source", "sentence"), FAITHFUL)
def test_another_notation_is_not_underlined(language: str, source: str, sentence: str) -> None:
    """The same number, date, time or name in other letters rests on the source."""
    assert [(one.check, one.excerpt) for one in underlined(language, source, sentence)] == []
