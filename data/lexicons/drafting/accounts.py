"""Words of customers about their own account, and the sentences that tell it, by language."""

from functools import cache
from pathlib import Path

from data.lexicons.drafting.phrases import INFORMAL, LANGUAGES
from data.records.core.record import Record
from data.word_lists import word_list

FIELDS = ("plan", "renewal", "balance", "orders", "status")


class AccountWords(Record):
    """The words of one language; a word that ends in `*` stands for all that begin so."""

    title: str
    """What the account is called as a source."""
    own: tuple[str, ...]
    """Words that say whose it is: the writer's."""
    neutral: tuple[str, ...]
    """Words that may stand in such a question and ask for nothing."""
    fields: dict[str, tuple[str, ...]]
    """Words for what is asked, by field."""
    asks: tuple[str, ...]
    """Words of who wants to be told something."""
    acts: dict[str, tuple[str, ...]]
    """Words of who wants something done, by the field that it is done to."""
    sentences: dict[str, str]
    """What is told, by field, with `{value}`."""


@cache
def account_words(language: str, formality: str = "") -> AccountWords:
    """Return the words of `language`; English for a language without a list.

    `formality` is the policy's; with `informal` the sentences address by du, tu and their like.
    """
    code = language if language in LANGUAGES else "en"
    row = word_list(Path(__file__).parent / "accounts.yaml")[code]
    otherwise = row.get(INFORMAL, {}) if formality == INFORMAL else {}
    return AccountWords(
        title=row["title"],
        own=_words(row["own"]),
        neutral=_words(row["neutral"]),
        fields={name: _words(row["fields"][name]) for name in FIELDS},
        asks=_words(row["asks"]),
        acts={name: _words(words) for name, words in row["acts"].items()},
        sentences={name: (row["sentences"] | otherwise)[name] for name in FIELDS},
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
