"""Drafting by a model: the text between greeting and closing, and what each sentence rests on.

Subject, greeting, closing and signature are ours, as are the recipients. A citation counts only
if it names an entry that was given and a sentence that is there; the check looks at the rest.
"""

from collections.abc import Sequence

from pydantic import JsonValue, ValidationError

from data.lexicons.drafting import phrases
from data.records.core.asking import Brief, Fault, ModelFaultError, Question
from data.records.core.briefing import Briefing
from data.records.core.citations import Citation
from data.records.core.knowledge import SavedReply
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address
from data.records.core.understanding import Classification
from data.records.mail.drafting import Draft
from data.records.mail.planning import Plan
from data.records.mail.redrafting import RedraftWish
from tasks.core.asking.model_text import make_readable
from tasks.core.asking.model_view import text_view
from tasks.core.asking.packing import Message, context_of, messages_of, pack
from tasks.core.words.sentences import squeeze
from tasks.mail.context.citable import is_citable
from tasks.mail.draft.drafting import reply_subject
from tasks.mail.draft.names import closing, greeting, reply_language
from tasks.mail.forms import DraftForm

MAX_TOKENS = 3_000
_WISH, _TEMPLATES, _TEMPLATE = 1_000, 3, 2_000
_QUESTION = 400


def draft_question(
    messages: Sequence[Message],
    classification: Classification,
    plans: Sequence[Plan],
    briefing: Briefing,
    organization: Organization,
    saved_replies: Sequence[SavedReply],
    *,
    brief: Brief,
    marker: str,
    wish: RedraftWish | None = None,
) -> Question:
    """Return the question for one reply to every wish whose plan holds a reply.

    `wish` is what a reviewer wanted otherwise; the rejected text goes along as material.
    """
    language = reply_language(classification.language, organization)
    trusted, foreign = context_of(briefing)
    answered = [
        (number, intent, plan)
        for number, (intent, plan) in enumerate(
            zip(classification.intents, plans, strict=False), start=1
        )
        if plan.replies
    ]
    wishes: list[JsonValue] = [
        {
            "wish": number,
            "intent": intent.intent.value,
            "category": intent.category.value,
            "steps": [action.type.value for action in plan.actions],
        }
        for number, intent, plan in answered
    ]
    words = {f"wish {number}": text_view(intent.text, _WISH) for number, intent, _ in answered}
    payload: dict[str, JsonValue] = {
        "language": language,
        "wishes": wishes,
        "templates": _templates(saved_replies, language, {i.intent.value for _, i, _ in answered}),
        "entries": trusted,
    }
    if wish is not None:
        payload["reviewer_wants_another_draft_because"] = wish.reason.value.replace("_", " ")
        payload["reviewer_says"] = wish.note[:_WISH]
        foreign = {**foreign, "rejected draft": text_view(wish.rejected[-1], _TEMPLATE)}
    return brief.question(
        pack(marker, payload, {**messages_of(messages), **words, **foreign}),
        DraftForm,
        MAX_TOKENS,
        void_if_leaked=False,  # the check looks for the mark
    )


def read_draft(
    answer: object,
    *,
    subject: str,
    sender: Address,
    classification: Classification,
    briefing: Briefing,
    organization: Organization,
    policy: Policy,
    model: str,
) -> Draft:
    """Return the model's text as a draft.

    Raises:
        ModelFaultError: the answer is not in the form, or says nothing.

    """
    try:
        form = DraftForm.model_validate(answer)
    except ValidationError as error:
        raise ModelFaultError(Fault.MALFORMED) from error
    body = make_readable(form.body)
    if not body:
        raise ModelFaultError(Fault.MALFORMED)
    language = reply_language(classification.language, organization)
    words = phrases(language, policy.formality)
    titles = {snippet.ref: snippet.title for snippet in briefing.snippets if is_citable(snippet)}
    squeezed_body = squeeze(body)
    citations = tuple(
        Citation(sentence=sentence, ref=citation.ref, title=titles[citation.ref])
        for citation in form.citations
        if citation.ref in titles
        and (sentence := squeeze(make_readable(citation.sentence)))
        and sentence in squeezed_body
    )
    return Draft(
        subject=reply_subject(subject),
        body="\n\n".join(
            (
                greeting(words, language, policy, sender, organization),
                body,
                closing(words, language, policy, organization),
            )
        ),
        language=language,
        citations=tuple(dict.fromkeys(citations)),
        unanswered=tuple(
            dict.fromkeys(
                line
                for line_text in form.unanswered
                if (line := " ".join(make_readable(line_text).split())[:_QUESTION])
            )
        ),
        provider=model,
    )


def _templates(
    saved_replies: Sequence[SavedReply], language: str, intents: set[str]
) -> list[JsonValue]:
    fitting = [
        saved_reply
        for saved_reply in saved_replies
        if saved_reply.language == language and saved_reply.intent in intents
    ]
    return [
        {"title": template.title, "text": template.body[:_TEMPLATE]}
        for template in fitting[:_TEMPLATES]
    ]
