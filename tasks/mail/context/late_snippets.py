"""Snippets found after the context was gathered, which join it as far as its budget lets them.

The parts of a case are searched for by their own words, and a model looks things up while it
plans. Nothing that was gathered before is moved out, and the tier stays what it was.
"""

from collections.abc import Sequence

from data.records.core.briefing import Briefing, Snippet, SourceKind
from data.records.core.record import Record
from data.records.mail.tools import KnownFacts, Passages
from tasks.mail.context.compacting import snippet_tokens

_ORDER = (
    SourceKind.THREAD,
    SourceKind.CONTACT,
    SourceKind.KNOWLEDGE,
    SourceKind.ACCOUNT,
    SourceKind.ORGANIZATION,
)


def join_snippets(briefing: Briefing, snippets: Sequence[Snippet], budget: int) -> Briefing:
    """Return a briefing with what it does not hold yet, piece by piece while there is room.

    The very same briefing comes back when nothing joins it. Each piece stands behind those of its
    source.
    """
    known_refs = {snippet.ref for snippet in briefing.snippets}
    for snippet in snippets:
        size = snippet_tokens([snippet])
        if snippet.ref in known_refs or briefing.tokens + size > budget:
            continue
        known_refs.add(snippet.ref)
        place = _ORDER.index(snippet.source)
        at = sum(_ORDER.index(briefed.source) <= place for briefed in briefing.snippets)
        pieces = (*briefing.snippets[:at], snippet, *briefing.snippets[at:])
        briefing = briefing.model_copy(
            update={"snippets": pieces, "tokens": briefing.tokens + size}
        )
    return briefing


def sources_in(result: Record) -> tuple[Snippet, ...]:
    """Return what a tool of planning has found as pieces of context.

    Public entries that the organization vouches for may be cited; messages of the conversation
    are read like any other mail there, fenced and never trusted. What else tools give (who
    writes, numbers of tickets, titles) is nothing that a reply could rest on.
    """
    if isinstance(result, KnownFacts):
        return tuple(
            Snippet(
                source=SourceKind.KNOWLEDGE,
                ref=passage.ref,
                title=passage.title,
                text=passage.text,
                trusted=True,
                citable=True,
                language=passage.language,
            )
            for passage in result.found
        )
    if isinstance(result, Passages):
        return tuple(
            Snippet(
                source=SourceKind.THREAD,
                ref=passage.ref,
                title=passage.subject,
                text=passage.text,
                at=passage.at,
                outbound=passage.outbound,
                citable=False,
            )
            for passage in result.found
        )
    return ()


def looked_up(
    briefing: Briefing, snippets: Sequence[Snippet], own: Sequence[str], budget: int
) -> Briefing:
    """Return a briefing with what a model has looked up for its case.

    Messages of the case itself (`own`, by reference) are no context of it, and where nothing was
    said with a contact before, a lookup does not make it otherwise: a gate asks for that.
    """
    talk = briefing.of(SourceKind.THREAD) or briefing.of(SourceKind.CONTACT)
    fitting = [
        snippet
        for snippet in snippets
        if snippet.ref not in own and (talk or snippet.source is not SourceKind.THREAD)
    ]
    return join_snippets(briefing, fitting, budget)
