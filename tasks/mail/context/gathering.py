"""The briefing of a case, within the token budget (docs/pipeline.md#context).

Five sources become snippets in order of use: thread, contact, knowledge, account, organization.
Mail is never trusted, whoever wrote it; knowledge that is not public bears a reference beginning
with `internal:`, which the check refuses as a source.
"""

from collections.abc import Mapping, Sequence

from data.errors import PosternError
from data.records.core.briefing import Briefing, Snippet, SourceKind, Tier
from data.records.core.knowledge import HistoryEntry, KnowledgeEntry, SavedReply
from data.records.core.organization import Organization, Policy
from tasks.core.answering.facts import fact
from tasks.core.answering.replies import told_replies
from tasks.mail.context.compacting import (
    count_tokens,
    keep_binding,
    snippet_tokens,
    summarize,
    truncate,
)
from tasks.mail.context.context_fitting import fit

_CONTACT_MESSAGES = 10
"""Messages outside the thread that are looked at."""
_TIMES_OVER = 3
"""How many times the budget the context may be before it is truncated, not summarized."""
_LEAST_SHARE = 4
"""Beside a message that is as large as the budget, the rest still has this part of it."""
_KNOWLEDGE_TOKENS = 120
"""Size of a knowledge entry after truncation, in tokens."""


class MixedContextError(PosternError):
    """The history holds messages of more than one contact, which no draft may see together."""


def build_briefing(
    *,
    case_text: str,
    thread: Sequence[HistoryEntry],
    contact: Sequence[HistoryEntry],
    knowledge: Sequence[tuple[KnowledgeEntry, float]],
    organization: Organization,
    policy: Policy,
    budget_tokens: int,
    recent_messages: int,
    knowledge_limit: int,
    shorter: Mapping[str, str] | None = None,
    saved_replies: Sequence[SavedReply] = (),
    account: Sequence[Snippet] = (),
) -> Briefing:
    """Return the briefing of a case in the tier that its size asks for.

    `thread` and `contact` are earlier messages in any order, `knowledge` what the index found with
    its scores. `case_text` itself always stays whole and counts against the budget; beside one that
    takes nearly all of it a quarter is left for the rest, and `tokens` says how much that is.
    `shorter` holds what a model made of `older` messages, by reference; it takes the place of the
    sentences that are picked here. Of the `saved_replies` those that fit are told. `account` is
    what is known of an established sender, which stays whole. Raises
    MixedContextError when `contact` holds messages of several contacts.
    """
    people = {entry.contact for entry in contact}
    if len(people) > 1:
        raise MixedContextError(
            f"The contact history mixes {len(people)} contacts; pass the messages of one contact."
        )
    thread_refs = {entry.ref for entry in thread}
    talk = [_message(entry, SourceKind.THREAD) for entry in _by_time(thread)]
    past = _by_time([entry for entry in contact if entry.ref not in thread_refs])[
        -_CONTACT_MESSAGES:
    ]
    earlier = [_message(entry, SourceKind.CONTACT) for entry in past]
    facts = [fact(entry, score) for entry, score in knowledge if entry.trusted]
    facts += told_replies(case_text, saved_replies)
    house = [*account, _profile(organization, policy)]
    fixed = count_tokens(case_text)
    dropped = len(contact) - len(earlier) - sum(entry.ref in thread_refs for entry in contact)

    everything = [*talk, *earlier, *facts, *house]
    size = fixed + snippet_tokens(everything)
    if size <= budget_tokens:
        return _briefing(Tier.NORMAL, everything, fixed, budget_tokens, dropped)
    room = max(budget_tokens - fixed, budget_tokens // _LEAST_SHARE)
    ranked = sorted(facts, key=lambda fact: -fact.score)[:knowledge_limit]
    if size <= budget_tokens * _TIMES_OVER:
        cut = _compacted(talk, earlier, ranked, house, room, recent_messages, shorter or {})
        tier = Tier.COMPACTED
    else:
        cut = _truncated(talk, earlier, ranked, house, room, recent_messages)
        tier = Tier.EMERGENCY
    whole = {(snippet.ref, snippet.text) for snippet in everything}
    whole_count = sum((snippet.ref, snippet.text) in whole for snippet in cut)
    return _briefing(tier, cut, fixed, budget_tokens, dropped + len(everything) - whole_count)


def list_older(thread: Sequence[HistoryEntry], recent: int) -> list[Snippet]:
    """Return the messages that compaction shortens, oldest first: all but the newest `recent`."""
    return [_message(entry, SourceKind.THREAD) for entry in _by_time(thread)[:-recent]]


def _compacted(
    talk: list[Snippet],
    earlier: list[Snippet],
    facts: list[Snippet],
    house: list[Snippet],
    room: int,
    recent: int,
    shorter: Mapping[str, str],
) -> list[Snippet]:
    """Return recent messages verbatim, older ones summarized, knowledge ranked and truncated."""
    old, new = talk[:-recent], talk[-recent:]
    cut_facts = [truncate(fact, _KNOWLEDGE_TOKENS) for fact in facts]
    brief = [
        snippet.model_copy(update={"text": shorter[snippet.ref]})
        if snippet.ref in shorter
        else summarize(snippet)
        for snippet in old
    ]
    return fit([*brief, *new], list(map(summarize, earlier)), cut_facts, house, room)


def _truncated(
    talk: list[Snippet],
    earlier: list[Snippet],
    facts: list[Snippet],
    house: list[Snippet],
    room: int,
    recent: int,
) -> list[Snippet]:
    """Return the most recent messages and best knowledge; of the rest only what binds."""
    old, new = talk[:-recent], talk[-recent:]
    kept_old = [kept for snippet in old if (kept := keep_binding(snippet)) is not None]
    kept_past = [kept for snippet in earlier if (kept := keep_binding(snippet)) is not None]
    cut_facts = [truncate(fact, _KNOWLEDGE_TOKENS) for fact in facts]
    return fit([*kept_old, *new], kept_past, cut_facts, house, room)


def _briefing(
    tier: Tier, snippets: list[Snippet], fixed: int, budget: int, omitted: int
) -> Briefing:
    """Return the briefing with its size."""
    return Briefing(
        tier=tier,
        tokens=fixed + snippet_tokens(snippets),
        budget=budget,
        snippets=tuple(snippets),
        omitted=omitted,
    )


def _by_time(entries: Sequence[HistoryEntry]) -> list[HistoryEntry]:
    """Return messages oldest first."""
    return sorted(entries, key=lambda entry: (entry.at, entry.ref))


def _message(entry: HistoryEntry, source: SourceKind) -> Snippet:
    """Return an earlier message as a snippet; mail is never trusted, ours neither."""
    return Snippet(
        source=source,
        ref=entry.ref,
        title=entry.subject,
        text=entry.text,
        at=entry.at,
        outbound=entry.outbound,
    )


def _profile(organization: Organization, policy: Policy) -> Snippet:
    """Return who we are: name, addresses, signature and how we write."""
    lines = (
        organization.name,
        ", ".join(organization.addresses),
        organization.signature.strip(),
        policy.tone or organization.tone,
    )
    return Snippet(
        source=SourceKind.ORGANIZATION,
        ref=f"organization:{organization.slug}",
        title=organization.name,
        text="\n".join(line for line in lines if line),
        trusted=True,
        language=organization.language,
    )
