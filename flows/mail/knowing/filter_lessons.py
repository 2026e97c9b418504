"""Passing people's decisions about spam on to filters of others, some at a time.

What is told is the difference between what people have said and what a filter was told, so that
nothing is lost while one is away, and a decision that changes is told anew. First version: one that
is only taken back stays learned there.
"""

from data.store.mail import filter_lessons
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.mailroom import mailroom_of

AT_ONCE = 20


async def teach_filters(house: House, workspace: Workspace) -> int:
    """Tell each filter what it was not told; return how many lessons that were."""
    taught_count = 0
    for learner in mailroom_of(house).filters.filters:
        due = await workspace.db.read(filter_lessons.list_untold, learner.name, AT_ONCE)
        for lesson in due:
            refusal = await mailroom_of(house).filters.teach(
                workspace.archive, learner, lesson.raw_sha256, spam=lesson.spam
            )
            if refusal is None:
                break
            await workspace.db.write(
                filter_lessons.note,
                lesson.message_id,
                learner.name,
                lesson.spam,
                refusal,
                house.clock(),
            )
            taught_count += 1
    return taught_count
