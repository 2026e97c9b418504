"""The account of each sentence of a letter: answered, acted on, courtesy, background, or open.

The check does not look for questions; it accounts for sentences, and what it cannot account for is
open (docs/pipeline.md#what-becomes-of-each-sentence). No model has a say: what a draft calls
answered counts only where its own sentences, grounded in the sources they cite, say it.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from data.records.core.briefing import Snippet
from data.records.core.citations import Citation
from data.records.core.record import Record
from data.records.core.understanding import Category, Intent
from data.records.mail.drafting import AccountedSentence, Disposition, Draft
from data.records.mail.planning import ActionType, Plan
from tasks.core.answering.account_answers import of_account
from tasks.core.answering.answer import THRESHOLD, covers
from tasks.core.answering.situations import settles
from tasks.core.asking.model_view import line_view
from tasks.core.words.clauses import Clause, clauses
from tasks.core.words.questions import AskedQuestion, asks, has_topic, questions
from tasks.core.words.sentence_signs import (
    asks_open_question,
    asks_status,
    contains_wish,
    continues_circumstance,
    is_circumstance,
    is_good_news,
    is_order,
    is_wish_for_once,
    looks_like_figures,
    mentions_repair,
    names_own_matter,
    only_announces,
    tells_fault,
)
from tasks.core.words.sentences import single_spaced, terms
from tasks.core.words.subject_signs import speaks_for_itself

STRONG = 0.75
"""How sure an answer must be to count as a whole one."""
_NEAR = 3
"""Clauses between a circumstance and the answer that it belongs to, at most."""
_LEFT = (Disposition.OPEN, Disposition.ACTION)
_CARRIED = {
    ActionType.CREATE_TICKET: "A person carries it out: there is a ticket with these words.",
    ActionType.ESCALATE: "A person has it.",
    ActionType.FORWARD: "It is proposed to pass it on to a colleague.",
}
"""Actions of a plan that put an intent's words before a person."""


class Handed(Record):
    """Words that an action of the plan puts before a person."""

    text: str
    action: ActionType
    suggestion: bool = False
    """Whether it is a suggestion, to which thanks are enough."""


class DraftText(Record):
    """What the draft says that counts: its sentences whose source holds them."""

    sentences: tuple[str, ...]
    citations: tuple[Citation, ...]
    """Those of the sentences."""
    snippets: tuple[Snippet, ...]
    """What could be told, which gives words their weight."""


class Tally(Record):
    """The accounts of a letter, and how much of what it wants is answered."""

    accounts: tuple[AccountedSentence, ...]
    shares: tuple[float, ...]
    """How far each clause that wants something is answered, 0 to 1; an order that only a person
    can carry out counts as not answered."""
    asked: frozenset[str]
    """The questions among them, as the draft lists them."""


def list_handed(
    intents: Sequence[Intent], plans: Sequence[Plan], judged: Sequence[Intent] = ()
) -> tuple[Handed, ...]:
    """Return the words that plans put before a person, one plan for each intent.

    `judged` is what no model had a say in: thanks are enough for a suggestion there alone.
    """
    wished = [
        judged_intent.text
        for judged_intent in judged or intents
        if judged_intent.category is Category.FEATURE_REQUEST
    ]
    carried_out: list[Handed] = []
    for intent, plan in zip(intents, plans, strict=False):
        for action in plan.actions:
            if action.type is ActionType.ASK_OWNER:
                carried_out.append(Handed(text=action.argument, action=action.type))
            elif action.type in _CARRIED:
                carried_out.append(
                    Handed(
                        text=intent.text,
                        action=action.type,
                        suggestion=action.type is ActionType.CREATE_TICKET
                        and contains_wish(intent.text)
                        and any(_holds(wish, intent.text) for wish in wished),
                    )
                )
    return tuple(carried_out)


def account(
    letter: str,
    draft: Draft,
    draft_text: DraftText,
    carried: Sequence[Handed],
    names: Collection[str],
    subject: str = "",
) -> Tally:
    """Return what becomes of each clause of a letter, in order, and how far it is answered.

    `names` are folded words of the names of the people involved. A `subject` that says something
    of which the letter says nothing is a clause as well.
    """
    letter_clauses = clauses(letter, names)
    if speaks_for_itself(subject, letter, letter_clauses):
        letter_clauses = [_of_subject(subject), *letter_clauses]
    marks = [_mark(clause, draft, draft_text) for clause in letter_clauses]
    accounts = [
        _by_itself(one, mark, draft_text, carried)
        for one, mark in zip(letter_clauses, marks, strict=True)
    ]
    accounts = _in_place(letter_clauses, accounts, draft_text)
    answered = any(tallied.disposition is Disposition.ANSWERED for tallied in accounts)
    shares = [
        _share(one, mark, account, carried, answered=answered)
        for one, mark, account in zip(letter_clauses, marks, accounts, strict=True)
    ]
    return Tally(
        accounts=tuple(accounts),
        shares=tuple(share for share in shares if share is not None),
        asked=frozenset(
            clause.question.text for clause in letter_clauses if clause.question is not None
        ),
    )


def _of_subject(subject: str) -> Clause:
    """Return a subject as the clause above all others."""
    asked = questions(subject)
    return Clause(
        text=subject,
        question=asked[0] if asked else None,
        asking=asks(subject),
        paragraph=-1,
        sentence=subject,
    )


def _mark(clause: Clause, draft: Draft, draft_text: DraftText) -> float:
    """Return how well the draft answers what a clause asks, 0 to 1; 0 below the threshold."""
    question = clause.question
    if question is None or question.text in draft.unanswered or is_order(clause.text):
        return 0.0
    if asks_status(clause.text):
        own = of_account(question, draft_text.snippets) or ()
        return float(bool(own) and all(cited.sentence in draft_text.sentences for cited in own))
    mark = (
        covers(question, draft_text.sentences, draft_text.snippets) if draft_text.sentences else 0.0
    )
    return min(1.0, mark / STRONG) if mark >= THRESHOLD else 0.0


def _by_itself(
    clause: Clause, mark: float, draft_text: DraftText, carried: Sequence[Handed]
) -> AccountedSentence:
    """Return what becomes of a clause, whatever stands around it."""
    if clause.polite:
        return _account(clause, Disposition.COURTESY, "It greets, thanks or takes leave.")
    if mark:
        return _account(clause, Disposition.ANSWERED, "The draft answers it.")
    if not clause.asking and _told_for(clause, draft_text):
        return _account(clause, Disposition.ANSWERED, "The draft says what to do in this case.")
    by = next((carried_part for carried_part in carried if _carries(carried_part, clause)), None)
    if by is not None:
        why = _CARRIED.get(by.action, "Somebody of the organization is asked.")
        return _account(clause, Disposition.ACTION, why, by.action)
    if not clause.asking and is_good_news(clause.text):
        return _account(clause, Disposition.BACKGROUND, "It says that all is well.")
    return _account(clause, Disposition.OPEN, "Nothing in the draft or the plan deals with this.")


def _carries(carried: Handed, clause: Clause) -> bool:
    """Return whether an action carries a clause; a suggestion's thanks answer no other question."""
    if carried.action is ActionType.ASK_OWNER:
        return clause.question is not None and line_view(clause.question.text) in carried.text
    return _holds(carried.text, clause.text)


def _told_for(clause: Clause, draft_text: DraftText) -> bool:
    """Return whether the draft tells what the knowledge says for a case that a clause tells."""
    if is_order(clause.text) or not draft_text.citations:
        return False
    language = draft_text.snippets[0].language if draft_text.snippets else ""
    if settles(AskedQuestion(text=clause.text), draft_text.citations, language):
        return True
    if not clause.sentence or _states_figures(clause.text):
        return False
    # Half of what happened may stand in the clause before; then this one speaks of the same.
    shared = set(terms(clause.text)) & {
        term for sentence in draft_text.sentences for term in terms(sentence)
    }
    return bool(shared) and settles(
        AskedQuestion(text=clause.sentence), draft_text.citations, language
    )


def _in_place(
    clauses_found: Sequence[Clause],
    accounted_sentences: list[AccountedSentence],
    draft_text: DraftText,
) -> list[AccountedSentence]:
    """Return accounts in which what belongs to a clause beside it is background."""
    said_terms = {term for sentence in draft_text.sentences for term in terms(sentence)}
    said_terms |= {term for citation in draft_text.citations for term in terms(citation.title)}
    for place, clause in enumerate(clauses_found):
        allowed = _LEFT if _asks_nothing(clause) else (Disposition.OPEN,)
        if accounted_sentences[place].disposition in allowed and _is_background(
            clauses_found, accounted_sentences, place, said_terms
        ):
            why = "It belongs to what is dealt with beside it, and asks for nothing itself."
            accounted_sentences[place] = _account(clause, Disposition.BACKGROUND, why)
    for place, (before, clause) in enumerate(pairwise(clauses_found), start=1):
        goes = (
            clause.continues
            and is_circumstance(before.text)
            and continues_circumstance(clause.text)
        )
        if goes and accounted_sentences[place].disposition is Disposition.OPEN:
            accounted_sentences[place] = accounted_sentences[place].model_copy(
                update={
                    "disposition": accounted_sentences[place - 1].disposition,
                    "why": accounted_sentences[place - 1].why,
                }
            )
    return accounted_sentences


def _is_background(
    clauses_found: Sequence[Clause],
    accounted_sentences: Sequence[AccountedSentence],
    place: int,
    terms_said: Collection[str],
) -> bool:
    """Return whether a clause is recognized as one that wants nothing where it stands."""
    clause = clauses_found[place]
    if only_announces(clause.text) or (clause.text.endswith(":") and not is_order(clause.text)):
        return any(not later.polite for later in clauses_found[place + 1 :])
    dispositions = _dealt_with(accounted_sentences, place)
    if clause.asking:
        return _asks_nothing(clause) and bool(dispositions)
    answered = [
        n for n in dispositions if accounted_sentences[n].disposition is Disposition.ANSWERED
    ]
    if not answered or is_order(clause.text):
        return False
    if is_circumstance(clause.text):
        return True
    own = set(terms(clause.text))
    if looks_like_figures(clause.text):
        return bool(own & set(terms_said))
    behind = next((n for n in answered if n > place), -1)
    asked = clauses_found[behind].question if behind >= 0 else None
    if asked is None or clauses_found[behind].paragraph != clause.paragraph:
        return False
    around = own <= set(terms_said) | set(terms(asked.text))
    remedy = (
        behind == place + 1
        and mentions_repair(asked.text)
        and tells_fault(clause.text)
        and not _states_figures(clause.text)
    )
    return bool(own) and (around or remedy)


def _asks_nothing(clause: Clause) -> bool:
    """Return whether a question is about nothing but what stands beside it: *What now?*."""
    empty = clause.asking and clause.question is None
    return empty and not has_topic(clause.text) and not is_order(clause.text)


def _dealt_with(accounted_sentences: Sequence[AccountedSentence], place: int) -> list[int]:
    """Return the places near a clause that are answered or carried by an action."""
    places = range(max(0, place - _NEAR), min(len(accounted_sentences), place + _NEAR + 1))
    near = [n for n in places if n != place]
    return [
        n
        for n in near
        if accounted_sentences[n].disposition in (Disposition.ANSWERED, Disposition.ACTION)
    ]


def _states_figures(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _share(
    clause: Clause,
    mark: float,
    accounted_sentence: AccountedSentence,
    carried: Sequence[Handed],
    *,
    answered: bool,
) -> float | None:
    """Return how far a clause that wants something is answered; None for one that wants nothing.

    What is carried out by a person is dealt with, and yet no answer: a draft that only says so is
    not sent by itself. `answered` says whether anything is. Thanks are enough for a suggestion.
    """
    if accounted_sentence.disposition is Disposition.OPEN:
        return 0.0
    if accounted_sentence.disposition is Disposition.ANSWERED:
        return mark or None
    if accounted_sentence.disposition is not Disposition.ACTION:
        return None
    if any(
        carried_part.suggestion and _holds(carried_part.text, clause.text)
        for carried_part in carried
    ):
        return None if _belongs_to_suggestion(clause) else 0.0
    wants = clause.question is not None or clause.asking or is_order(clause.text)
    return 0.0 if wants or not answered else None


def _belongs_to_suggestion(clause: Clause) -> bool:
    """Return whether thanks are enough: it suggests, or asks whether; it asks for nothing known."""
    if is_wish_for_once(clause.text) or (is_order(clause.text) and names_own_matter(clause.text)):
        return False
    return not asks_open_question(clause.text)


def _account(
    clause: Clause, standing: Disposition, why: str, action: ActionType | None = None
) -> AccountedSentence:
    return AccountedSentence(
        text=clause.text, disposition=standing, why=why, action=action, asks=clause.asking
    )


def _holds(text: str, piece: str) -> bool:
    """Return whether a text holds a piece of it, however its lines are broken."""
    return bool(piece.strip()) and single_spaced(piece) in single_spaced(text)
