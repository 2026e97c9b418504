"""Sources that a draft cites beside its briefing: saved replies, owners' answers, knowledge.

A briefing is kept as it was gathered; what stands around an answer, what an owner has answered
since, and what a later draft was given are not in it. A reviewer needs their words all the same.
"""

from collections.abc import Iterable, Sequence

from data.records.core.briefing import Snippet, SourceKind
from data.records.mail.drafting import Draft
from data.store.core.database import Connection
from data.store.mail.cases import CaseRow
from flows.core.workspace import Workspace
from flows.mail.knowing.all_knowledge import known_entries
from flows.mail.line.owner_answers import list_answers
from flows.mail.line.saved_replies import list_saved_reply_views
from tasks.core.answering.facts import fact
from tasks.core.answering.replies import REPLY
from tasks.mail.route.gates import OWNER


def list_cited(
    cursor: Connection,
    workspace: Workspace,
    row: CaseRow,
    snippets: Sequence[Snippet],
    drafts: Iterable[Draft],
) -> tuple[Snippet, ...]:
    """Return the sources that the drafts of the case `row` cite and its `snippets` do not hold.

    Their words are those of now. What is kept no more has none, but is among them by its title.
    """
    refs_held = {snippet.ref for snippet in snippets}
    titles = {citation.ref: citation.title for draft in drafts for citation in draft.citations}
    missing = {ref: title for ref, title in titles.items() if ref not in refs_held}
    if not missing:
        return ()
    snippet_by_ref = _read_snippets(cursor, workspace, row, missing)
    return tuple(
        snippet_by_ref.get(ref) or _without_words(ref, title) for ref, title in missing.items()
    )


def _read_snippets(
    cursor: Connection, workspace: Workspace, row: CaseRow, missing: Iterable[str]
) -> dict[str, Snippet]:
    snippet_by_ref: dict[str, Snippet] = {}
    if any(ref.startswith(REPLY) for ref in missing):
        for reply in list_saved_reply_views(cursor):
            ref = f"{REPLY}{reply.id}"
            snippet_by_ref[ref] = _make_snippet(ref, reply.title, reply.body, reply.language)
    if any(ref.startswith(OWNER) for ref in missing):
        case = str(row.id)
        answers = list_answers(cursor, workspace.organization, {case: row})[case]
        snippet_by_ref |= {answer.ref: answer for answer in answers}
    if any(ref.startswith("knowledge:") for ref in missing):
        facts = (fact(entry, 0.0) for entry in known_entries(cursor, workspace.organization.day))
        snippet_by_ref |= {account_fact.ref: account_fact for account_fact in facts}
    return snippet_by_ref


def _make_snippet(ref: str, title: str, text: str, language: str) -> Snippet:
    return Snippet(
        source=SourceKind.ORGANIZATION,
        ref=ref,
        title=title,
        text=text,
        trusted=True,
        language=language,
    )


def _without_words(ref: str, title: str) -> Snippet:
    return Snippet(source=SourceKind.ORGANIZATION, ref=ref, title=title, text="", citable=False)
