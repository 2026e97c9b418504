"""Other drafts beside one of low quality, and what a person gets who asked for another one.

Three are possible without a model: the answers alone, a question back, a handing over. They hold
the organization's own sentences and fixed lines, and nothing else, as every local draft does.
"""

from collections.abc import Sequence
from functools import cache

from data.lexicons.drafting import Phrases, phrases, shared_words
from data.records.core.citations import Citation
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address
from data.records.mail.deciding import RejectReason
from data.records.mail.drafting import AlternativeKind, Draft
from data.records.mail.redrafting import RedraftWish
from tasks.core.words.sentences import fold, words
from tasks.mail.draft.names import closing, greeting

_KNOWLEDGE = "knowledge:"
_LOW = 0.5
"""Confidence of the classifier below which a person comes first among the alternatives."""
_K = AlternativeKind
_SURE_ORDER = (_K.SHORTER, _K.ASK_BACK, _K.HAND_OVER)
_UNSURE_ORDER = (_K.HAND_OVER, _K.ASK_BACK, _K.SHORTER)
_WISHED = {
    RejectReason.TOO_LONG: (_K.SHORTER, _K.HAND_OVER),
    RejectReason.MISSED_QUESTION: (_K.ASK_BACK, _K.HAND_OVER),
    RejectReason.TONE: (_K.SHORTER, _K.ASK_BACK, _K.HAND_OVER),
}
"""What comes nearest to what a person missed; else somebody has it in hand now."""
SAME = (
    "Another draft was asked for, and the embedded provider has no other sentences to offer; "
    "edit this one, or write your own."
)


def alternatives(
    draft: Draft,
    sender: Address,
    organization: Organization,
    policy: Policy,
    confidence: float,
) -> dict[AlternativeKind, Draft]:
    """Return other drafts that differ from `draft` and each other, the likeliest first."""
    order = _SURE_ORDER if confidence >= _LOW else _UNSURE_ORDER
    bodies = {draft.body}
    drafts: dict[AlternativeKind, Draft] = {}
    for kind in order:
        other = _make(kind, draft, sender, organization, policy)
        if other is not None and other.body not in bodies:
            bodies.add(other.body)
            drafts[kind] = other
    return drafts


def redraft(
    draft: Draft,
    wish: RedraftWish,
    sender: Address,
    organization: Organization,
    policy: Policy,
) -> Draft:
    """Return what comes nearest to a person's wish and has not been offered before.

    `draft` is what would be written without the wish. The `note` of the returned one says what was
    done about the wish; when nothing is left to offer, the draft stays, and the note says that.
    """
    earlier = wish.rejected
    wished = _WISHED.get(wish.reason, (_K.HAND_OVER,))
    if _shorter() & set(words(wish.note)):
        wished = (_K.SHORTER, *wished)
    others = alternatives(draft, sender, organization, policy, confidence=1.0)
    fresh = [
        kind for kind in (*wished, *others) if kind in others and others[kind].body not in earlier
    ]
    if draft.body not in earlier:
        return draft  # the case has changed since; this is another text already
    if not fresh:
        return draft.model_copy(update={"note": SAME})
    return others[fresh[0]].model_copy(update={"note": _explain_alternative(fresh[0], wish)})


def _explain_alternative(kind: AlternativeKind, wish: RedraftWish) -> str:
    """Return what a reviewer should know about a draft that was made on request."""
    did = {
        _K.SHORTER: "leaves everything out but the answers",
        _K.ASK_BACK: "asks the sender back",
        _K.HAND_OVER: "says that a person has it now",
    }[kind]
    asked = wish.reason.value.replace("_", " ")
    rest = (
        " It cannot follow words of yours; edit it where that is not enough." if wish.note else ""
    )
    return f"Rejected ({asked}): the new draft {did}.{rest}"


def _make(
    kind: AlternativeKind,
    draft: Draft,
    sender: Address,
    organization: Organization,
    policy: Policy,
) -> Draft | None:
    """Return one other draft, or None where it makes no sense."""
    lists = phrases(draft.language, policy.formality)
    answers = _first_of_each(draft.citations)
    lines: list[str] = []
    if kind is AlternativeKind.SHORTER:
        if not answers:
            return None
        lines = [" ".join(citation.sentence for citation in answers)]
        if draft.unanswered:
            lines.append(lists.unknown_rest)
    elif kind is AlternativeKind.ASK_BACK:
        if not draft.unanswered:
            return None
        lines = [*(citation.sentence for citation in answers), lists.ask_back]
    else:
        answers = []
        lines = [_handed(lists, organization, policy)]
    return draft.model_copy(
        update={
            "body": "\n\n".join(
                (
                    greeting(lists, draft.language, policy, sender, organization),
                    *lines,
                    closing(lists, draft.language, policy, organization),
                )
            ),
            "citations": tuple(answers),
            "provider": "local",
            "note": "",
        }
    )


def _first_of_each(citations: Sequence[Citation]) -> list[Citation]:
    """Return the first sentence of every entry of the knowledge that is told."""
    first_by_ref: dict[str, Citation] = {}
    for citation in citations:
        if citation.ref.startswith(_KNOWLEDGE):
            first_by_ref.setdefault(citation.ref, citation)
    return list(first_by_ref.values())


@cache
def _shorter() -> frozenset[str]:
    """Return the words that ask for less text, of all languages, folded."""
    return frozenset(fold(word) for word in shared_words("shorter"))


def _handed(lists: Phrases, organization: Organization, policy: Policy) -> str:
    """Return who has the message now, as far as the policy names somebody."""
    to = policy.escalation.get("default", "").lower()
    person = next(
        (colleague.name for colleague in organization.people if colleague.email.lower() == to), ""
    )
    return lists.handed.replace("{person}", person) if person else lists.handed_plain
