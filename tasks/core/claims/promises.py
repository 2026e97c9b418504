"""Promises in what is sent: sentences that bind us, and the day by which.

First version: marker words in eight languages. What a reply tells out of the knowledge is a fact
about how we work and no promise of this letter.
"""

import unicodedata
from collections.abc import Collection, Sequence
from datetime import date, timedelta

from data.records.core.record import Record
from tasks.core.claims.claims import has_negation
from tasks.core.claims.due_dates import due_date, listed_as_written, read_list, says
from tasks.core.words.sentences import sentences, single_spaced, words

_LONGEST = 500
_SHORTEST = 4
"""Letters of the shortest verb that is known by its ending: *farò*, *irai*."""
_EDGES = "\"'«»“”„()[]¿¡,;:.!?…"
_ANY_DAY = date(2000, 1, 3)
"""Where only whether a sentence names a day counts."""
_MOST = 20
"""Promises of one letter that are kept."""


class Promise(Record):
    """One thing that a letter says we will do."""

    sentence: str
    """As written."""
    due: date
    """The day by which, in the organization's time zone."""
    dated: bool
    """Whether the sentence names the day; else the policy's days were counted."""


def promises(
    body: str,
    language: str,
    today: date,
    *,
    within: int,
    facts: Collection[str] = (),
    days_off: Collection[date] = (),
) -> list[Promise]:
    """Return what a sent body promises.

    `within` are the days for promises without a day. `facts` are sentences that were told out of
    the knowledge. Quoted lines and the line above them are left out. `days_off` are holidays.
    """
    known_facts = {single_spaced(fact) for fact in facts}
    promises_read: list[Promise] = []
    for sentence in sentences(_unquoted(body)):
        if single_spaced(sentence) in known_facts or len(promises_read) >= _MOST:
            continue
        due = due_date(sentence, language, today, days_off)
        # "We do not know yet; we will ask" promises in its second half what the first only denies.
        if any(_binds(clause, language, due is not None) for clause in sentence.split(";")):
            promises_read.append(
                Promise(
                    sentence=sentence[:_LONGEST],
                    due=due or today + timedelta(days=within),
                    dated=due is not None,
                )
            )
    return promises_read


def is_promise(sentence: str, language: str) -> bool:
    """Return whether a sentence says what we will do, whenever that is."""
    dated = due_date(sentence, language, _ANY_DAY) is not None
    return any(_binds(clause, language, dated) for clause in sentence.split(";"))


def is_of_one_letter(sentence: str, language: str) -> bool:
    """Return whether a sentence promises, tells of its writer, or grants something once."""
    return says(words(sentence), "ties", language) or is_promise(sentence, language)


def without_promises(text: str, language: str) -> str:
    """Return a text without the sentences that promise; as it is when none does."""
    text_sentences = sentences(text)
    other_sentences = [
        sentence for sentence in text_sentences if not is_promise(sentence, language)
    ]
    return text if len(other_sentences) == len(text_sentences) else " ".join(other_sentences)


def _binds(clause: str, language: str, dated: bool) -> bool:
    """Whether words of a promise stand in a clause, and nothing that denies them."""
    clause_words = words(clause)
    away = says(clause_words, "away", language)
    binds = says(clause_words, "always", language) or (not away and _shall(clause, language))
    binds = binds or (dated and not away and says(clause_words, "dated", language))
    return binds and not has_negation(clause, language)


def _shall(clause: str, language: str) -> bool:
    """Return whether a verb ends as one by which somebody says what he or we shall do."""
    endings = tuple(listed_as_written("future", language))
    wanting = bool(read_list("subject", language))
    if not endings or (wanting and not says(words(clause), "subject", language)):
        return False
    present = listed_as_written("present", language)
    clause_words = (
        word.strip(_EDGES) for word in unicodedata.normalize("NFC", clause.casefold()).split()
    )
    return any(
        len(word) >= _SHORTEST and word.endswith(endings) and word not in present
        for word in clause_words
    )


def _unquoted(body: str) -> str:
    """Return a body up to its first quoted line, without the line that says whose that is."""
    lines: Sequence[str] = body.split("\n")
    at = next((n for n, line in enumerate(lines) if line.startswith(">")), len(lines))
    quoted = at < len(lines)
    return "\n".join(lines[: max(0, at - 1)] if quoted else lines)
