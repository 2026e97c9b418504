"""Owners' answers, as context of the conversation that the question came from."""

from collections.abc import Mapping, Sequence

from data.records.core.briefing import Briefing, Snippet, SourceKind
from data.records.core.organization import Organization
from data.records.mail.questions import QuestionState
from data.store.core.database import Connection
from data.store.mail import questions
from data.store.mail.cases import CaseRow
from data.store.mail.questions import QuestionRow
from tasks.core.words.sentence_rows import words
from tasks.mail.context.compacting import snippet_tokens
from tasks.mail.context.owner_words import answer_in
from tasks.mail.route.gates import OWNER


def list_answers(
    cursor: Connection, organization: Organization, case_by_id: Mapping[str, CaseRow]
) -> dict[str, list[Snippet]]:
    """Return by case what owners have answered in its conversation to its own contact."""
    threads = sorted({row.thread_id for row in case_by_id.values()})
    questions_answered = [
        question_row
        for question_row in questions.list_of_threads(cursor, threads)
        if question_row.state == QuestionState.ANSWERED
    ]
    return {
        case: [
            _as_snippet(question_row, organization)
            for question_row in questions_answered
            if question_row.thread_id == row.thread_id
            and question_row.contact_email == row.contact_email
            and (row.contact_email or question_row.case_id == case)  # two without an address differ
        ]
        for case, row in case_by_id.items()
    }


def add_answers(briefing: Briefing, answers: Sequence[Snippet]) -> Briefing:
    """Return a briefing with the owners' answers; they are never cut, and count."""
    if not answers:
        return briefing
    return briefing.model_copy(
        update={
            "snippets": (*briefing.snippets, *answers),
            "tokens": briefing.tokens + snippet_tokens(answers),
        }
    )


def _as_snippet(row: QuestionRow, organization: Organization) -> Snippet:
    """Return an answer as a source that a draft may tell, cited as the answer of who gave it."""
    name = _find_person_name(str(row.answered_by or row.owner), organization)
    return Snippet(
        source=SourceKind.KNOWLEDGE,
        ref=f"{OWNER}{row.id}",
        title=f"Answer by {name}",
        text=cut_told_part(row, organization),
        at=row.answered_at,
        trusted=True,
        language=row.language,
        answers=row.question,
        score=1.0,
    )


def cut_told_part(row: QuestionRow, organization: Organization) -> str:
    """Return what of an owner's answer is for the customer."""
    answerers = (str(row.answered_by), str(row.owner))
    names = (*answerers, *(_find_person_name(answerer, organization) for answerer in answerers))
    return answer_in(str(row.answer), _fold_names(*names))


def _fold_names(*given: str) -> frozenset[str]:
    """Return the folded words of the names and addresses of who may have signed an answer."""
    return frozenset(word for address in given for word in words(address.partition("@")[0]))


def _find_person_name(user: str, organization: Organization) -> str:
    """Return the name of the person that a user is, by address or its local part, or the user."""
    folded_user = user.casefold()
    for person in organization.people:
        email = person.email.casefold()
        if folded_user in (email, email.partition("@")[0], person.name.casefold()):
            return person.name
    return user
