"""One page of an organization's inbox, as the API, the command line and the benchmark have it."""

from collections.abc import Mapping

from data.records.core.listing import SearchedPage
from data.records.mail.views import MessageLine
from data.states import MessageStatus
from data.store.mail import messages
from data.store.mail.mail_search import NO_FILTERS
from flows.api.mail.lines import message_line
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.mail_search import search


async def message_page(
    house: House,
    workspace: Workspace,
    typed: str,
    *,
    limit: int,
    offset: int = 0,
    status: MessageStatus | None = None,
    filters: Mapping[str, str] = NO_FILTERS,
) -> SearchedPage[MessageLine]:
    """Return the items, newest first, their total, and how many messages no search finds yet.

    Args:
        house: the engine's parts.
        workspace: the organization's.
        typed: what a person searches for; empty for all.
        limit: most items.
        offset: items to skip.
        status: messages of this status only; None for all.
        filters: of messages' cases and conversations: category, priority, assignee.

    Raises:
        SearchError: the search cannot be understood.

    """
    search_result = await search(house, workspace, typed)
    rows, total = await workspace.db.read(
        messages.list_page,
        status=status,
        search=search_result.query,
        found=search_result.ids,
        limit=limit,
        offset=offset,
        filters=filters,
    )
    items = tuple(message_line(row) for row in rows)
    return SearchedPage(items=items, total=total, unsearched=search_result.unsearched)
