"""Tags that people give the conversations of cases, and take away."""

from collections.abc import Sequence

from data.errors import UnfitError
from data.records.core.principals import Principal
from data.store.mail import cases, tags
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace

MOST_TAGS = 30
"""Tags of one conversation."""


async def tag_case(
    house: House,
    workspace: Workspace,
    case_id: str,
    add: Sequence[str],
    remove: Sequence[str],
    principal: Principal,
) -> None:
    """Give a case's conversation tags and take tags away; what is so already stays as it is.

    Raises:
        NotFoundError: there is no such case.
        UnfitError: the conversation would bear too many.

    """

    def work(act: Act) -> None:
        thread_id = cases.read_row(act.cursor, case_id).thread_id
        tags_known = set(tags.list_of_thread(act.cursor, thread_id))
        fresh = [tag for tag in dict.fromkeys(add) if tag not in tags_known]
        tags_gone = [tag for tag in dict.fromkeys(remove) if tag in tags_known]
        if len(tags_known) + len(fresh) - len(tags_gone) > MOST_TAGS:
            raise UnfitError(f"a conversation bears {MOST_TAGS} tags at most; take some away first")
        for tag in tags_gone:
            tags.remove(act.cursor, thread_id, tag)
            act.note("untag", thread_id, tag)
        tags.add(act.cursor, [(thread_id, tag) for tag in fresh], act.actor, act.now)
        for tag in fresh:
            act.note("tag", thread_id, tag)

    await carry_out(house, workspace, principal, work)
