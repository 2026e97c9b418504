"""The knowledge's answers to what a colleague looks up (docs/agents.md#triage).

Drafts answer customers' questions; here colleagues type what they look for as well: *warranty*,
*info on repairs*. What is looked up needs a sentence that covers it: one shared word is no answer.
"""

from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path

import data.lexicons.drafting as lexicon
from data.records.core.briefing import Snippet
from data.records.core.citations import Citation
from data.word_lists import word_list
from tasks.core.answering.answer import DraftedAnswer, answer
from tasks.core.patterns import compiled
from tasks.core.words.questions import AskedQuestion, questions, wants_number
from tasks.core.words.sentence_rows import asking_words, words
from tasks.core.words.sentences import fold, is_stop_word, statements, term_of, terms
from tasks.core.words.typing_slips import is_slip
from tasks.mail.draft.rephrased_questions import (
    in_other_words,
    name_asked_for,
    strays_from_question,
)

_FILE = Path(lexicon.__file__).with_name("looked_up.yaml")
_FITS_QUESTION = 0.55
"""Share of a question that the best sentence covers at least."""
_FITS_WORDS = 0.75
"""The same of words that ask nothing."""
_FITS_ELSEWHERE = 0.85
"""The same where it is in another language than it was asked in, in which few entries compete."""
_FEWEST_ELSEWHERE = 2
"""Topics of such a question at least: one name that stands in an entry is no answer."""
_UNKNOWN = "und"
_NAMED = 3
"""Topics of what is looked up, beyond which it is no name of an entry."""
_FIGURES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "30")
_FIGURE = compiled(r"(^|\s)(\d{1,2})\b")
_LONG = 6
"""Letters of a word from which one letter more or less is seldom another word."""
_TOLD = 3
"""Sentences of an entry that are told where its name was said."""


def look_up(
    asked: str,
    snippets: Sequence[Snippet],
    spoken: str,
    *,
    titles_alone: bool = False,
    further: Sequence[Snippet] = (),
) -> list[DraftedAnswer]:
    """Return the answers to a message, those in the language of the message before others.

    `further` are entries that fit less by their words; they may say it in others.
    `titles_alone` is for what asks nothing, and shares words with sentences that do not answer it:
    then an entry is told whose title says all of it, and nothing else.
    """
    if titles_alone:
        by_title = _of_title(asked, snippets, spoken)
        return [by_title] if by_title is not None else []
    asked_questions = questions(asked)
    if not asked_questions:
        by_words = _of_words(asked, snippets, spoken)
        return [by_words] if by_words is not None else []
    answers = (_of_any(question, snippets, further, spoken) for question in asked_questions)
    return [drafted for drafted in answers if drafted is not None]


def _of_any(
    question: AskedQuestion, snippets: Sequence[Snippet], further: Sequence[Snippet], spoken: str
) -> DraftedAnswer | None:
    """Return the answer to a question; what says all of it in other words goes first."""
    name = name_asked_for(question, spoken)
    if name and (of_name := _of_title(name, snippets, spoken)) is not None:
        return of_name.model_copy(update={"question": question.text})
    in_others = None if name else in_other_words(question, (*snippets, *further), spoken)
    if in_others is not None and in_others.fit >= 1.0:
        return in_others
    return _of_spelled(question, snippets, spoken) or in_others


def _of_spelled(
    question: AskedQuestion, snippets: Sequence[Snippet], spoken: str
) -> DraftedAnswer | None:
    """Return the answer to a question, or to it with its slips of typing mended."""
    as_typed = _of_either(question, snippets, spoken)
    mended = _mended(question.text, snippets)
    if as_typed is not None or mended == question.text:
        return as_typed
    spelled = _of_either(question.model_copy(update={"text": mended}), snippets, spoken)
    return None if spelled is None else spelled.model_copy(update={"question": question.text})


def _mended(text: str, snippets: Sequence[Snippet]) -> str:
    """Return a text in which long words that no entry has stand as the one that they may be."""
    written = {word for entry in snippets for word in words(f"{entry.title} {entry.text}")}
    terms_written = {term_of(word) for word in written}
    mended = text
    for word in words(text):
        if len(word) < _LONG or is_stop_word(word) or term_of(word) in terms_written:
            continue
        meant = sorted(each for each in written if word[0] == each[0] and is_slip(word, each))
        if len({term_of(each) for each in meant}) == 1:
            mended = str(compiled(rf"(?i)\b{word}\b").sub(meant[0], fold(mended)))
    return mended


def _of_either(
    question: AskedQuestion, snippets: Sequence[Snippet], spoken: str
) -> DraftedAnswer | None:
    """Return the answer to a question, or to it with its numbers in words where that fits more."""
    as_typed = _of_question(question, snippets, spoken)
    in_words = question.model_copy(update={"text": _in_words(question.text, spoken)})
    if in_words.text == question.text:
        return as_typed
    reworded = _of_question(in_words, snippets, spoken)
    answer_text = " ".join(citation.sentence for citation in reworded.citations) if reworded else ""
    newly = set(words(in_words.text)) - set(words(question.text))
    if reworded is None or (as_typed is not None and newly.isdisjoint(words(answer_text))):
        return as_typed
    return reworded.model_copy(update={"question": question.text})


def _of_question(
    question: AskedQuestion, snippets: Sequence[Snippet], spoken: str
) -> DraftedAnswer | None:
    by_title = None if wants_number(question.text) else _of_title(question.text, snippets, spoken)
    best = by_title or _best(question, snippets, spoken, _FITS_QUESTION)
    return (
        None
        if best is not None and strays_from_question(question, best, snippets, spoken)
        else best
    )


def _of_words(asked: str, snippets: Sequence[Snippet], spoken: str) -> DraftedAnswer | None:
    """Return what is known of words that ask nothing."""
    by_title = _of_title(asked, snippets, spoken)
    bare = " ".join(word for word in words(asked) if word not in _around()) or asked
    return by_title or _best(AskedQuestion(text=bare), snippets, spoken, _FITS_WORDS)


def _of_title(asked: str, snippets: Sequence[Snippet], spoken: str) -> DraftedAnswer | None:
    """Return how an entry begins whose title says all that was said; None where none does."""
    sought = [word for word in words(asked) if word not in _around()]
    topics = set(terms(" ".join(sought)))
    if not topics or len(topics) > _NAMED or not asking_words().isdisjoint(sought):
        return None
    in_language = [snippet for snippet in snippets if spoken in (snippet.language, _UNKNOWN)]
    entries = [snippet for snippet in in_language if topics <= set(terms(snippet.title))]
    if not entries:
        return None
    # *Opening hours*, and not *Opening hours over Christmas*.
    entry = min(entries, key=lambda each: len(set(terms(each.title))))
    return DraftedAnswer(
        question=asked,
        citations=tuple(
            Citation(sentence=sentence, ref=entry.ref, title=entry.title)
            for sentence in _told_of(statements(entry.text), topics)
        ),
        score=1.0,
    )


def _told_of(entry_sentences: Sequence[str], topics: set[str]) -> Sequence[str]:
    """Return how an entry begins, behind the sentence of a topic that is only told further down.

    *Parking at the depot* names the entry about the depot's address, collection and parking.
    """
    first = entry_sentences[:_TOLD]
    missing = topics - set(terms(" ".join(first)))
    further = [each for each in entry_sentences[_TOLD:] if missing & set(terms(each))]
    return [*further[:1], *first][:_TOLD]


def _best(
    question: AskedQuestion, snippets: Sequence[Snippet], spoken: str, fits: float
) -> DraftedAnswer | None:
    """Return the likeliest answer that fits, in the language that was asked in where there is.

    An entry in another language answers only where none in that language is likelier than it; where
    the likelier one is named by the question, it tells how it begins.
    """
    languages = dict.fromkeys(snippet.language for snippet in snippets)
    answers = []
    for language in languages:
        drafted = answer(question, [entry for entry in snippets if entry.language == language])
        own = spoken in (language, _UNKNOWN)
        if not own and len(set(terms(question.text))) < _FEWEST_ELSEWHERE:
            continue
        if drafted is not None and drafted.fit >= (fits if own else _FITS_ELSEWHERE):
            answers.append((own, drafted.score, drafted))
    if not answers:
        return None
    own, _, best = max(answers, key=lambda each: each[:2])
    refs = {citation.ref for citation in best.citations}
    likelier = takewhile(lambda entry: entry.ref not in refs, snippets)
    rivals = [] if own else [entry for entry in likelier if entry.language == spoken]
    return _of_title(_without_asking(question.text), rivals, spoken) if rivals else best


def _without_asking(asked: str) -> str:
    """Return a question without the words that ask."""
    return " ".join(word for word in words(asked) if word not in asking_words())


@cache
def _around() -> frozenset[str]:
    """Return the words around what is looked up, of all languages: none of them names a thing."""
    lists: dict[str, str] = word_list(_FILE)["around"]
    return frozenset(
        word for listed in lists.values() for part in listed.split(",") for word in words(part)
    )


def _in_words(text: str, spoken: str) -> str:
    """Return a text with its small numbers in words: *7 days* and *seven days* ask alike."""
    lists: dict[str, str] = word_list(_FILE)["numbers"]
    listed = [part.strip() for part in lists.get(spoken, lists["en"]).split(",")]
    figures = dict(zip(_FIGURES, listed, strict=True))
    return str(_FIGURE.sub(lambda mark: f"{mark[1]}{figures.get(mark[2], mark[2])}", text))
