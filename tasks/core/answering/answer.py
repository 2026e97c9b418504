"""Answers picked from the organization's own sentences, or none (docs/pipeline.md#draft).

A sentence answers a question when enough speaks for it (`tasks.core.answering.answer_signs`): its
words and those of its title say what is asked, in the same words or in others, and no other entry
says as much. What is not sure enough is no answer: a wrong one is far worse than an open question.
Nothing is rephrased. A question may be answered by two entries, when each says a part of it.
"""

from collections.abc import Sequence
from functools import lru_cache

from data.records.core.briefing import INTERNAL, Snippet, SourceKind
from data.records.core.citations import Citation, Suggestion
from data.records.core.record import Record
from tasks.core.answering.account_answers import is_account, knowledge_in, of_account
from tasks.core.answering.answer_score import CandidateSentence
from tasks.core.answering.answer_signs import WeighedQuestion
from tasks.core.answering.question_kinds import goes_on
from tasks.core.answering.replies import REPLY
from tasks.core.answering.situations import holds
from tasks.core.asking.model_view import line_view
from tasks.core.language.comparable_words import topics
from tasks.core.memo import Memo
from tasks.core.words.questions import AskedQuestion
from tasks.core.words.sentences import sentences, statements, terms, words

THRESHOLD = 0.7
"""Score from which a sentence is an answer: the lowest that told nothing wrong where it was set."""
_SECOND = 0.45
"""Score from which a second entry is told, when it says a word of the question that the first,
which is sure, leaves out."""
_SUGGESTED = 0.5
"""Score from which knowledge in another language is shown to a person."""
_CONTEXT = 0.15
"""Most that the words before the question add to a rank; they never make an answer."""
_ALSO = 0.9
_ALSO_LEAST = 0.35
"""Share of the best sentence's own cover from which another of its entry is told too."""
_MORE = 1e-6
"""What it must be beyond that: words taken over from the sentence before weigh exactly as much
(`_GOES_ON`), and are no answer of their own, however a processor rounds."""
_BESIDE = 0.75
"""Share of the best sentence's cover that one needs which is told for a word that it adds."""
_MOST_SENTENCES = 3
_LEAST_SHARED = 3
"""Words that two questions must end in alike to be one."""


class DraftedAnswer(Record):
    """Sentences that answer one question."""

    question: str
    citations: tuple[Citation, ...]
    """The sentences in the order of their source."""
    score: float
    """How likely they are the answer, 0 to 1."""
    fit: float = 1.0
    """Share of the question that the best of them itself covers, 0 to 1."""


def citable(snippets: Sequence[Snippet], language: str) -> list[Snippet]:
    """Return what a draft in `language` may tell: public knowledge, and the sender's own account.

    The account is in a briefing only where the sender is established.
    """
    tellables = [*tellable(snippets), *(snippet for snippet in snippets if is_account(snippet))]
    return [snippet for snippet in tellables if snippet.language == language]


def tellable(snippets: Sequence[Snippet]) -> list[Snippet]:
    """Return public knowledge and saved replies, all vouched for, in whatever language."""
    return [
        snippet
        for snippet in snippets
        if (snippet.source is SourceKind.KNOWLEDGE or snippet.ref.startswith(REPLY))
        and snippet.trusted
        and snippet.citable
        and not snippet.ref.startswith(INTERNAL)
    ]


def answer(question: AskedQuestion, snippets: Sequence[Snippet]) -> DraftedAnswer | None:
    """Return the best answer from citable `snippets` of one language, or None without any."""
    if (owner_answer := _answer_of_owner(question, snippets)) is not None:
        return owner_answer
    if (own := of_account(question, snippets)) is not None:
        return DraftedAnswer(question=question.text, citations=own, score=1.0)
    known_entries = knowledge_in(snippets)
    return _answers.get(
        (question.text, question.context, _keys_of(known_entries)),
        lambda: _of_knowledge(question, known_entries),
    )


def covers(
    question: AskedQuestion, draft_sentences: Sequence[str], snippets: Sequence[Snippet]
) -> float:
    """Return how well sentences of a draft answer a question, 0 to 1, by the same measure.

    `snippets` are the candidates that give the words their weight.
    """
    owner_answer = _answer_of_owner(question, snippets)
    if owner_answer is not None and any(
        cited.sentence in draft_sentences for cited in owner_answer.citations
    ):
        return 1.0
    own = of_account(question, snippets)
    if own is not None:
        return float(all(cited.sentence in draft_sentences for cited in own))
    return _placed(question, knowledge_in(snippets)).best_score(draft_sentences)


_REMEMBERED = 512
"""Questions that are remembered with their words weighed, and with their answers: a plan, a draft
and its check ask the same ones among the same candidates, a batch of cases after the other."""
_SnippetKey = tuple[str, str, str, str]
_weighed: Memo[tuple[str, str, str, tuple[_SnippetKey, ...]], WeighedQuestion] = Memo(_REMEMBERED)
_answers: Memo[tuple[str, str, tuple[_SnippetKey, ...]], DraftedAnswer | None] = Memo(_REMEMBERED)


def _keys_of(snippets: Sequence[Snippet]) -> tuple[_SnippetKey, ...]:
    return tuple((entry.ref, entry.title, entry.text, entry.language) for entry in snippets)


def _asked(
    question: AskedQuestion, snippets: Sequence[Snippet], asked_in: str = ""
) -> WeighedQuestion:
    """Return a question with its words weighed among the candidates; nobody may change it."""
    return _weighed.get(
        (question.asked, question.text, asked_in, _keys_of(snippets)),
        lambda: WeighedQuestion(question, snippets, asked_in=asked_in),
    )


def _placed(question: AskedQuestion, snippets: Sequence[Snippet]) -> WeighedQuestion:
    """Return a question as it is, or with the names before it where only these settle it.

    *We are in Ireland. What is the delivery?* has an answer for each country without its name.
    """
    asked = _asked(question, snippets)
    leans = question.asked != question.text
    if leans or asked.language == "de" or asked.candidates(THRESHOLD):
        return asked
    before = topics(question.context, asked.language)
    names = " ".join(term.word.capitalize() for term in before if term.name)
    if not names:
        return asked
    named_question = _asked(
        question.model_copy(update={"text": f"{question.text} ({names})"}), snippets
    )
    return named_question if named_question.candidates(THRESHOLD) else asked


def suggested(
    question: AskedQuestion, snippets: Sequence[Snippet], language: str
) -> Suggestion | None:
    """Return the sentence in another language that best answers a question in `language`.

    It is for a person, who may translate it; so it needs to be less sure than an answer.
    """
    candidates: list[CandidateSentence] = []
    for other in sorted({snippet.language for snippet in snippets} - {language}):
        group = [snippet for snippet in snippets if snippet.language == other]
        candidates += _asked(question, group, language).candidates(_SUGGESTED)
    best = max(candidates, key=lambda candidate: candidate.score, default=None)
    if best is None:
        return None
    return Suggestion(
        question=question.text,
        sentence=best.sentence,
        ref=best.snippet.ref,
        title=best.snippet.title,
        language=best.snippet.language,
    )


def _of_knowledge(question: AskedQuestion, snippets: Sequence[Snippet]) -> DraftedAnswer | None:
    """Return the best answer from the knowledge, or None."""
    asked = _placed(question, snippets)
    sure = asked.candidates(THRESHOLD)
    if not sure:
        return None
    best = max(sure, key=lambda item: item.score + _around(question, item.snippet, item.sentence))
    chosen_lines = [(best.snippet, _with_company(asked, best, question))]
    chosen_lines += _second(asked, chosen_lines[0])
    return DraftedAnswer(
        question=question.text,
        citations=tuple(
            Citation(sentence=sentence, ref=snippet.ref, title=snippet.title)
            for snippet, chosen in chosen_lines
            for sentence in statements(snippet.text)
            if sentence in chosen
        ),
        score=best.score,
        fit=best.signs.own,
    )


def _answer_of_owner(question: AskedQuestion, snippets: Sequence[Snippet]) -> DraftedAnswer | None:
    """Return what an owner has answered to this question, all of it, or None."""
    owner_answers = [snippet for snippet in snippets if snippet.answers]
    viewed = line_view(question.text) if owner_answers else ""
    for snippet in owner_answers:
        if _is_same(snippet.answers, viewed):
            return DraftedAnswer(
                question=question.text,
                citations=tuple(
                    Citation(sentence=sentence, ref=snippet.ref, title=snippet.title)
                    for sentence in sentences(snippet.text)
                ),
                score=1.0,
            )
    return None


def _is_same(asked: str, wanted_words: str) -> bool:
    """Return whether two questions are one, or one is a part of what was asked in one sentence.

    What an owner was asked may have been cut from the mail otherwise than what is answered now:
    with a greeting before it, or with the other question of its sentence.
    """
    first, second = words(asked), words(wanted_words)
    shorter, longer = sorted((first, second), key=len)
    if first == second:
        return True
    places = range(len(longer) - len(shorter) + 1) if second == shorter else (-len(shorter),)
    return len(shorter) >= _LEAST_SHARED and any(
        longer[place:][: len(shorter)] == shorter for place in places
    )


def _with_company(
    asked: WeighedQuestion, best: CandidateSentence, question: AskedQuestion
) -> list[str]:
    """Return the best sentence with those of its entry that say as much, or what it leaves out."""
    chosen, snippet = [best.sentence], best.snippet
    needed = max(_ALSO * best.signs.own, _ALSO_LEAST) + _MORE
    beside = max(_BESIDE * best.signs.own, _ALSO_LEAST)
    around = _around(question, snippet, best.sentence)
    entry_lines = statements(snippet.text)
    if asked.asks_meaning_of_code_in(snippet.ref):
        return list(entry_lines[:_MOST_SENTENCES])
    if goes_on(best.sentence) and (at := entry_lines.index(best.sentence)):
        chosen.append(entry_lines[at - 1])
    letter = [*sentences(question.context), question.text]
    for sentence, own in asked.of_entry(snippet.ref):
        if sentence in chosen or len(chosen) >= _MOST_SENTENCES:
            continue
        if not holds(sentence, letter, asked.language):
            continue  # it says what to do in a case that is not the writer's
        level = own >= needed and _around(question, snippet, sentence) >= around
        if level or (own >= beside and asked.adds(sentence, chosen)):
            chosen.append(sentence)
    return chosen


def _second(
    asked: WeighedQuestion, first_answer: tuple[Snippet, list[str]]
) -> list[tuple[Snippet, list[str]]]:
    """Return a sentence of another entry that surely says what the first leaves out, if any.

    It is looked for as if the first entry were not there: two that answer a part each stand in
    each other's way.
    """
    first, chosen = first_answer
    lines_chosen = [first.title, *chosen]
    candidates = [
        candidate
        for candidate in asked.without(first.ref).candidates(_SECOND)
        if asked.adds(candidate.sentence, lines_chosen)
    ]
    best = max(candidates, key=lambda candidate: candidate.score, default=None)
    return [(best.snippet, [best.sentence])] if best is not None else []


def _around(question: AskedQuestion, snippet: Snippet, sentence: str) -> float:
    """Return a small bonus for the words that stand before the question."""
    wanted_topics = _topics_before(question.context)
    shared = wanted_topics & set(terms(f"{snippet.title} {sentence}"))
    return _CONTEXT * len(shared) / max(1, len(wanted_topics))


@lru_cache(maxsize=16)
def _topics_before(context: str) -> frozenset[str]:
    return frozenset(term for term in terms(context) if not term.isdigit())
