"""Retention times: those of the settings, and those that are fixed."""

from collections.abc import Collection

from data.records.core.retention_views import KeptFor
from data.settings import Settings

NOTIFICATION_DAYS = 90
"""Days after which a notification is removed, read or not."""
FILE_DAYS = 1
"""Days that a file is kept which was taken off a letter."""


def list_retention_times(
    settings: Settings, changeable: Collection[str] = (), kept_names: Collection[str] = ()
) -> tuple[KeptFor, ...]:
    """Return what is kept how long, with the setting that says so where there is one.

    `changeable` are the settings that may be changed while Postern runs, `kept_names` those of
    which an administrator keeps a value.
    """
    return (
        KeptFor(
            what="Raw mail, and what models were asked about it",
            days=settings.archive_days or None,
            setting="archive_days",
            changeable="archive_days" in changeable,
            kept_here="archive_days" in kept_names,
            remark="What was read from it, cases and replies stay.",
        ),
        KeptFor(
            what="Messages as they were read, cases, replies and their journal",
            days=None,
            remark="The data of one contact can be erased.",
        ),
        KeptFor(
            what="Files that were taken off a letter",
            days=FILE_DAYS,
            remark="Files stay with their letter; of one that never left they go with raw mail.",
        ),
        KeptFor(
            what="Chats of chat programs",
            days=settings.program_chat_days or None,
            setting="program_chat_days",
            changeable="program_chat_days" in changeable,
            kept_here="program_chat_days" in kept_names,
            remark="Such programs keep them by themselves. Chats of the window stay.",
        ),
        KeptFor(what="Notifications", days=NOTIFICATION_DAYS),
        KeptFor(
            what="Pages of the runs",
            days=settings.prefect_days,
            setting="prefect_days",
            remark="They tell how each batch of mail was worked on; nothing else rests on them.",
        ),
        KeptFor(what="The audit log", days=None, remark="Each event is sealed by the next."),
    )
