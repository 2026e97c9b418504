"""The reply (docs/pipeline.md#draft), assembled from the organization's own sentences.

Every intent with a reply in its plan gets its part, in the order of the sender's words. What the
knowledge does not answer is said to be open and listed; nothing of the sender's text is repeated
but a name that is one. Knowledge in another language than the sender's is suggested to the reviewer
and stays out of the letter, which is in one language.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from data.lexicons.drafting import Phrases, phrases
from data.records.core.briefing import Briefing, Snippet
from data.records.core.citations import Citation
from data.records.core.knowledge import SavedReply
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address
from data.records.core.record import Record
from data.records.core.understanding import Category, Classification, Intent, IntentKind
from data.records.mail.drafting import Draft
from data.records.mail.planning import ActionType, Plan
from tasks.core.answering.account_answers import knowledge_in
from tasks.core.answering.answer import answer, citable, suggested, tellable
from tasks.core.answering.frames import Frame, find_frame
from tasks.core.answering.situations import settles, situations, with_situations
from tasks.core.words.clauses import orders, wants_something
from tasks.core.words.contact_changes import is_contact_news, tells_contact_change
from tasks.core.words.grievances import complains
from tasks.core.words.questions import AskedQuestion, has_topic, questions
from tasks.core.words.sentences import sentences
from tasks.mail.draft.names import closing, greeting, letter_names, reply_language

_SUBJECT_BYTES = 200
_T = TypeVar("_T")


class _Part(Record):
    """What is said to one intent."""

    before: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    unanswered: tuple[str, ...] = ()


def draft(
    *,
    intents: Sequence[Intent],
    new_text: str,
    subject: str,
    sender: Address,
    classification: Classification,
    briefing: Briefing,
    plans: Sequence[Plan],
    organization: Organization,
    policy: Policy,
    saved_replies: Sequence[SavedReply],
) -> Draft:
    """Return one reply to all intents; its body is empty when no plan holds a reply.

    `plans` has one plan per intent, in the same order. `new_text` is what the sender wrote now,
    without quotations; questions in it that no intent holds are answered or listed as well.
    """
    language = reply_language(classification.language, organization)
    words = phrases(language, policy.formality)
    replied = [(i, p) for i, p in zip(intents, plans, strict=True) if p.replies]
    if not replied:
        return Draft(subject=reply_subject(subject), body="", language=language)
    snippets = citable(briefing.snippets, language)
    asked = questions(new_text)
    whole = {question.text: question for question in asked}
    names = letter_names(organization, sender)
    parts: list[_Part] = []
    for intent, plan in sorted(replied, key=lambda pair: _position(pair[0], new_text)):
        own = _questions_of(intent, asked, alone=len(replied) == 1)
        asked = [question for question in asked if question not in own]
        frame = find_frame(
            intent,
            language,
            saved_replies,
            is_suggestion=intent.category is Category.FEATURE_REQUEST,
        )
        intent_text = new_text if len(replied) == 1 else intent.text
        helped = situations(intent_text, knowledge_in(snippets), language)
        parts.append(
            _part(intent, plan, own, snippets, helped, frame, language, organization, policy, names)
        )
    if asked:
        parts.append(_answers(asked, snippets, []))
    body = _body(parts, words)
    unanswered = _unique(text for part in parts for text in part.unanswered)
    tellables = tellable(briefing.snippets)
    left = [whole.get(text, AskedQuestion(text=text)) for text in unanswered]
    suggestions = (suggested(question, tellables, language) for question in left)
    return Draft(
        subject=reply_subject(subject),
        body="\n\n".join(
            (
                greeting(words, language, policy, sender, organization),
                *body,
                closing(words, language, policy, organization),
            )
        ),
        language=language,
        citations=tuple(_unique(citation for part in parts for citation in part.citations)),
        unanswered=tuple(unanswered),
        suggestions=tuple(
            {
                suggestion.sentence: suggestion
                for suggestion in suggestions
                if suggestion is not None
            }.values()
        ),
    )


def reply_subject(subject: str) -> str:
    """Return `Re: ` with the subject, without repeating it and without control characters."""
    text = fresh_subject(subject)
    while text[:3].lower() in ("re:", "aw:", "sv:"):
        text = text[3:].strip()
    return f"Re: {text}".strip()


def fresh_subject(subject: str) -> str:
    """Return the subject of a letter that answers nothing, without control characters, cut."""
    text = "".join(letter if letter.isprintable() else " " for letter in subject)
    text = " ".join(text.split())
    return text.encode("utf-8", "ignore")[:_SUBJECT_BYTES].decode("utf-8", "ignore").strip()


def _part(
    intent: Intent,
    plan: Plan,
    asked: list[AskedQuestion],
    snippets: list[Snippet],
    helped: list[Citation],
    frame: Frame | None,
    language: str,
    organization: Organization,
    policy: Policy,
    names: frozenset[str],
) -> _Part:
    """Return what is said to one intent; `helped` is for what its writer says has happened."""
    words = phrases(language, policy.formality)
    if plan.escalates:
        answers = _answers(
            [asked_question for asked_question in asked if "?" in asked_question.text], snippets, []
        )
        return _handed(intent, plan, answers, frame, language, organization, words)
    if intent.category is Category.FEATURE_REQUEST:
        noted = plan.handed
        return _around(
            _Part(), frame if noted else None, words.feature if noted else words.information
        )
    news = tells_contact_change(intent.text)
    if news:
        asked = [
            asked_question for asked_question in asked if not is_contact_news(asked_question.text)
        ]
    answered_part = _answers(asked, snippets, helped, short=policy.length == "short")
    if news:
        return answered_part.model_copy(update={"before": (words.information,)})
    silent = intent.intent in (IntentKind.ACKNOWLEDGMENT, IntentKind.INFORMATION) and not asked
    if silent and not answered_part.answers and wants_something(intent.text, names):
        return answered_part.model_copy(update={"before": (words.information, words.request)})
    if intent.intent is IntentKind.ACKNOWLEDGMENT and not asked:
        return _around(answered_part, frame, words.acknowledgment)
    if silent:
        return _around(answered_part, frame, words.information)
    if intent.intent is IntentKind.REQUEST and not answered_part.answers:
        return answered_part.model_copy(
            update={"before": (words.request,), "unanswered": answered_part.unanswered}
        )
    framed = _around(answered_part, frame, "")
    if answered_part.answers and orders(intent.text):
        return framed.model_copy(update={"after": (words.request, *framed.after)})
    return framed


def _answers(
    asked: Sequence[AskedQuestion],
    snippets: list[Snippet],
    helped: Sequence[Citation],
    *,
    short: bool = False,
) -> _Part:
    """Return the answers to questions, each sentence told once, and what stays open.

    What helps in the writer's situation stands with the answer from the same entry, else first.
    A `short` reply leaves it off where the answers say all that was asked.
    """
    paragraphs: list[list[Citation]] = []
    left: list[AskedQuestion] = []
    told_sentences: set[str] = set()
    for question in asked:
        answered = answer(question, snippets)
        if answered is None:
            left.append(question)
            continue
        fresh = [
            citation for citation in answered.citations if citation.sentence not in told_sentences
        ]
        told_sentences.update(citation.sentence for citation in fresh)
        paragraphs += [fresh] if fresh else []
    if left or not paragraphs or not short:
        language = snippets[0].language if snippets else ""
        left = [question for question in left if not settles(question, helped, language)]
        paragraphs = with_situations(paragraphs, helped, snippets)
    return _Part(
        answers=tuple(" ".join(cited.sentence for cited in paragraph) for paragraph in paragraphs),
        citations=tuple(cited for paragraph in paragraphs for cited in paragraph),
        unanswered=tuple(question.text for question in left),
    )


def _around(part: _Part, frame: Frame | None, line: str) -> _Part:
    """Return answers with a saved reply around them, or with a line of ours before them."""
    if frame is None:
        return part.model_copy(update={"before": (line,) if line else ()})
    cited = tuple(
        Citation(sentence=sentence, ref=frame.ref, title=frame.title)
        for paragraph in (*frame.before, *frame.after)
        for sentence in sentences(paragraph)
    )
    return part.model_copy(
        update={
            "before": frame.before,
            "after": frame.after,
            "citations": (*part.citations, *cited),
        }
    )


def _handed(
    intent: Intent,
    plan: Plan,
    part: _Part,
    frame: Frame | None,
    language: str,
    organization: Organization,
    words: Phrases,
) -> _Part:
    """Return regret without admission, who has the message now, and what it asks that is known.

    What is not known is for that person, and is not listed as open.
    """
    part = part.model_copy(update={"unanswered": ()})
    to = next((a.argument for a in plan.actions if a.type is ActionType.ESCALATE), "")
    person = next((p.name for p in organization.people if p.email.lower() == to.lower()), "")
    line = words.handed.replace("{person}", person) if person else words.handed_plain
    if frame is not None and not _names_another(frame, person, organization):
        return _around(part, frame, "")
    sorry = intent.intent is IntentKind.COMPLAINT or intent.category is Category.COMPLAINT
    sorry = sorry or complains(intent.text, language)
    return _around(part, None, f"{words.apology} {line}" if sorry else line)


def _names_another(frame: Frame, person: str, organization: Organization) -> bool:
    """Return whether a saved reply names somebody here who is not the one that has the message."""
    frame_text = "\n".join((*frame.before, *frame.after))
    return any(
        person_named.name in frame_text
        for person_named in organization.people
        if person_named.name and person_named.name != person
    )


def _body(parts: Sequence[_Part], words: Phrases) -> list[str]:
    """Return the paragraphs between greeting and closing, each once."""
    open_questions = any(part.unanswered for part in parts)
    answered = any(part.answers for part in parts)
    paragraphs = [p for part in parts for p in (*part.before, *part.answers)]
    requested = words.request in paragraphs
    if open_questions and not requested:
        paragraphs.append(words.unknown_rest if answered else words.unknown)
    paragraphs += [p for part in parts for p in part.after]
    return _unique(paragraphs) or [words.acknowledgment]


def _questions_of(
    intent: Intent, asked: Sequence[AskedQuestion], *, alone: bool
) -> list[AskedQuestion]:
    """Return the questions that belong to an intent; its whole text when it wants but asks not."""
    text = " ".join(intent.text.split())
    own = [q for q in asked if alone or (text and q.text in text) or (text and text in q.text)]
    wants = intent.intent in (IntentKind.QUESTION, IntentKind.REQUEST)
    if not own and wants and intent.category is not Category.FEATURE_REQUEST:
        first = next((part for part in sentences(intent.text) if has_topic(part)), "")
        own = [AskedQuestion(text=first[:400], context=text[:400])] if first else []
    return own


def _position(intent: Intent, new_text: str) -> int:
    """Return where an intent's words stand in the message; the end when they are not found."""
    at = " ".join(new_text.split()).find(" ".join(intent.text.split())[:60])
    return at if at >= 0 else len(new_text)


def _unique(items: Iterable[_T]) -> list[_T]:
    """Return items in order, each once."""
    return list(dict.fromkeys(items))
