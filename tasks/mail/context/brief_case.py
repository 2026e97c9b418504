"""The briefing of one case, from what was found for it and what its organization has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.records.core.briefing import Briefing, Snippet
from data.records.core.knowledge import HistoryEntry, KnowledgeEntry
from data.records.mail.stage_outputs import CaseText
from tasks.core.leaks.canary import mark_briefing
from tasks.mail.context.gathering import build_briefing
from tasks.mail.ground import Ground


@dataclass(frozen=True, kw_only=True)
class ContextLimits:
    """How much a briefing holds."""

    tokens: int
    recent_messages: int
    """Messages of the conversation that stay whole where others are shortened."""
    knowledge_entries: int


def brief_case(
    ground: Ground,
    limits: ContextLimits,
    wrote: CaseText,
    knowledge: Sequence[tuple[KnowledgeEntry, float]],
    *,
    thread: Sequence[HistoryEntry] = (),
    contact: Sequence[HistoryEntry] = (),
    shorter: Mapping[str, str] | None = None,
    account: Sequence[Snippet] = (),
) -> Briefing:
    """Return the briefing of a case, with the organization's mark where it has one.

    The arguments are those of `build_briefing`; `wrote` is what of its mail the case answers.
    """
    briefing = build_briefing(
        case_text=f"{wrote.subject}\n{wrote.text}",
        thread=thread,
        contact=contact,
        knowledge=knowledge,
        organization=ground.organization,
        policy=ground.policy,
        budget_tokens=limits.tokens,
        recent_messages=limits.recent_messages,
        knowledge_limit=limits.knowledge_entries,
        shorter=shorter,
        saved_replies=ground.saved_replies,
        account=account,
    )
    return mark_briefing(briefing, ground.canary) if ground.canary else briefing
