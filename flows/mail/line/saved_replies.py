"""All saved replies of an organization: those of its files, and those that people keep."""

from data.records.core.knowledge import SavedReply
from data.records.core.learning import SavedReplyView
from data.store.core.database import Connection
from data.store.core.loaded import read_fingerprints, read_saved_replies
from data.store.mail import replies
from tasks.core.answering.replies import open_slots, reply_text


def list_saved_replies(cursor: Connection) -> tuple[SavedReply, ...]:
    """Return those that count: the files', then the kept ones that nobody has retired.

    A file's reply counts before a kept one of the same id.
    """
    written = read_saved_replies(cursor)
    written_ids = {reply_written.id for reply_written in written}
    return (
        *written,
        *(
            reply_counting
            for reply_counting in replies.list_counting(cursor)
            if reply_counting.id not in written_ids
        ),
    )


def list_saved_reply_views(cursor: Connection) -> list[SavedReplyView]:
    """Return all of them by title, retired ones too, each with where it is kept."""
    files = {key: row.file for key, row in read_fingerprints(cursor, "saved_replies").items()}
    views = [
        _as_view(saved_reply, file=files.get(saved_reply.id, ""))
        for saved_reply in read_saved_replies(cursor)
    ]
    views += [
        _as_view(
            replies.as_saved_reply(row),
            version=row.version,
            changed_by=row.changed_by,
            changed_at=row.changed_at,
            retired_by=row.retired_by,
            retired_at=row.retired_at,
        )
        for row in replies.list_rows(cursor)
        if row.id not in files
    ]
    return sorted(views, key=lambda view: (view.title.lower(), view.id))


def _as_view(reply: SavedReply, **given: object) -> SavedReplyView:
    counts = given.get("retired_at") is None
    return SavedReplyView.model_validate(
        {
            **reply.model_dump(),
            "cited": counts and bool(reply_text(reply)),
            "open": open_slots(reply.body),
            **given,
        }
    )
