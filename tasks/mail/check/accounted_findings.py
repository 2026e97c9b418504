"""The draft's findings and completeness that follow from the accounts of its letter."""

from collections.abc import Mapping, Sequence
from functools import cache

from data.lexicons.drafting import INFORMAL, phrases
from data.records.core.organization import Organization
from data.records.mail.drafting import Disposition, Draft, Finding, Severity
from data.records.mail.planning import ActionType, Plan
from tasks.core.words.sentences import sentences, squeeze
from tasks.mail.check.accounting import DraftText, Tally
from tasks.mail.check.finding import make_finding
from tasks.mail.check.sources import Sources

_HOLD = Severity.HOLD


def grounded_in(
    draft: Draft,
    draft_sentences: Sequence[str],
    sources: Sources,
    findings_by_sentence: Mapping[str, Sequence[Finding]],
) -> DraftText:
    """Return what of a draft may count as an answer: cited sentences that their source holds."""
    sound = [
        sentence
        for sentence in draft_sentences
        if not findings_by_sentence.get(sentence) and sources.cited(sentence)
    ]
    sound_texts = {squeeze(sentence) for sentence in sound}
    return DraftText(
        sentences=tuple(sound),
        citations=tuple(
            citation for citation in draft.citations if squeeze(citation.sentence) in sound_texts
        ),
        snippets=tuple(s for s in sources.snippets if s.language in (draft.language, "und")),
    )


def left_open(draft: Draft, tally: Tally) -> tuple[list[Finding], float]:
    """Return a finding for each clause that is open, or asked and only passed on; how complete.

    What the draft itself lists as unanswered, and no clause is, counts as open too.
    """
    findings: list[Finding] = []
    for account in tally.accounts:
        if account.disposition is Disposition.OPEN:
            name = "unanswered_question" if account.asks else "not_dealt_with"
            why = "The draft does not answer this." if account.asks else "Nothing deals with this."
            findings.append(make_finding(name, _HOLD, account.text, why))
    others = [text for text in draft.unanswered if text not in tally.asked]
    why = "The draft does not answer this."
    findings += [make_finding("unanswered_question", _HOLD, text, why) for text in others]
    shares = [*tally.shares, *(0.0 for _ in others)]
    if not tally.accounts:
        return findings, 0.0
    return findings, sum(shares) / len(shares) if shares else 1.0


def names_another(
    draft_sentences: Sequence[str], plans: Sequence[Plan], organization: Organization
) -> list[Finding]:
    """Return sentences that name somebody here, where the plan hands the message to another."""
    to = {a.argument.lower() for p in plans for a in p.actions if a.type is ActionType.ESCALATE}
    people = organization.people
    has = [person.name for person in people if person.email.lower() in to]
    signed = organization.signature
    others = [
        person.name
        for person in people
        if person.name and person.name not in signed and person.email.lower() not in to
    ]
    if not has:
        return []
    why = f"The message is handed to {', '.join(has)}, and this names somebody else."
    return [
        make_finding("names_another", _HOLD, sentence, why)
        for sentence in draft_sentences
        if any(name in sentence for name in others)
    ]


def not_done(draft_sentences: Sequence[str], language: str, plans: Sequence[Plan]) -> list[Finding]:
    """Return our own lines that say that something was noted or handed over, where nothing was."""
    if any(plan.handed for plan in plans):
        return []
    squeezed_draft = {squeeze(sentence) for sentence in draft_sentences}
    claimed = [sentence for sentence in _lines_of_doing(language) if sentence in squeezed_draft]
    why = "Nothing of the plan notes this or hands it over."
    return [make_finding("nothing_done", _HOLD, claim, why) for claim in claimed]


@cache
def _lines_of_doing(language: str) -> tuple[str, ...]:
    """Return our own sentences that say that something was noted or handed over."""
    forms = (phrases(language), phrases(language, INFORMAL))
    ours = "\n\n".join(text for lines in forms for text in (lines.feature, lines.handed_plain))
    return tuple(dict.fromkeys(sentences(ours)))
