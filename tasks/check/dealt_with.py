"""What the accounts of a letter mean for its draft: findings, and how complete it is."""

from collections.abc import Mapping, Sequence

from data.lexicons.drafting import INFORMAL, phrases
from data.records.core.organization import Organization
from data.records.mail.drafting import Disposition, Draft, Finding, Severity
from data.records.mail.planning import ActionType, Plan
from tasks.check.accounting import Tally, Told
from tasks.check.finding import make_finding
from tasks.check.sources import Sources, squeeze
from tasks.words.sentences import sentences

_HOLD = Severity.HOLD


def grounded_in(
    draft: Draft, told: Sequence[str], sources: Sources, held: Mapping[str, Sequence[Finding]]
) -> Told:
    """Return what of a draft may count as an answer: cited sentences that their source holds."""
    sound = [one for one in told if not held.get(one) and sources.cited(one)]
    kept = {squeeze(one) for one in sound}
    return Told(
        sentences=tuple(sound),
        citations=tuple(one for one in draft.citations if squeeze(one.sentence) in kept),
        snippets=tuple(s for s in sources.snippets if s.language in (draft.language, "und")),
    )


def left_open(draft: Draft, tally: Tally) -> tuple[list[Finding], float]:
    """Return a finding for each clause that is open, or asked and only passed on; how complete.

    What the draft itself lists as unanswered, and no clause is, counts as open too.
    """
    found: list[Finding] = []
    for one in tally.accounts:
        if one.disposition is Disposition.OPEN:
            name = "unanswered_question" if one.asks else "not_dealt_with"
            why = "The draft does not answer this." if one.asks else "Nothing deals with this."
            found.append(make_finding(name, _HOLD, one.text, why))
    others = [text for text in draft.unanswered if text not in tally.asked]
    why = "The draft does not answer this."
    found += [make_finding("unanswered_question", _HOLD, text, why) for text in others]
    wanted = [*tally.shares, *(0.0 for _ in others)]
    if not tally.accounts:
        return found, 0.0
    return found, sum(wanted) / len(wanted) if wanted else 1.0


def names_another(
    told: Sequence[str], plans: Sequence[Plan], organization: Organization
) -> list[Finding]:
    """Return sentences that name somebody here, where the plan hands the message to another."""
    to = {a.argument.lower() for p in plans for a in p.actions if a.type is ActionType.ESCALATE}
    people = organization.people
    has = [one.name for one in people if one.email.lower() in to]
    signed = organization.signature
    others = [
        one.name
        for one in people
        if one.name and one.name not in signed and one.email.lower() not in to
    ]
    if not has:
        return []
    why = f"The message is handed to {', '.join(has)}, and this names somebody else."
    return [
        make_finding("names_another", _HOLD, sentence, why)
        for sentence in told
        if any(name in sentence for name in others)
    ]


def not_done(told: Sequence[str], language: str, plans: Sequence[Plan]) -> list[Finding]:
    """Return our own lines that say that something was noted or handed over, where nothing was."""
    forms = (phrases(language), phrases(language, INFORMAL))
    ours = "\n\n".join(text for lines in forms for text in (lines.feature, lines.handed_plain))
    said = {squeeze(one) for one in told}
    held = any(plan.handed for plan in plans)
    claimed = [one for one in dict.fromkeys(sentences(ours)) if one in said]
    why = "Nothing of the plan notes this or hands it over."
    return [] if held else [make_finding("nothing_done", _HOLD, one, why) for one in claimed]
