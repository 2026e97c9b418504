"""Saved replies kept by people: written, changed, retired, and taken back; each is an event."""

from data.errors import ConflictError, NotFoundError
from data.ids import new_id
from data.records.core.principals import Principal
from data.records.mail.orders import SaveReply
from data.store.core.database import Connection
from data.store.core.statements import Fields
from data.store.mail import replies
from data.store.mail.replies import ReplyRow
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.saved_replies import list_saved_reply_views
from tasks.core.answering.replies import check_reply

KEPT = "kept-"
"""What the id of a kept reply begins with."""


async def create(house: House, workspace: Workspace, order: SaveReply, principal: Principal) -> str:
    """Keep a new saved reply, which drafts may use from now on; return its id.

    Raises:
        UnfitReplyError: its text holds a placeholder that nothing fills.

    """
    check_reply(order.body)

    def work(act: Act) -> str:
        now = act.now
        identity = f"{KEPT}{new_id(now).lower()}"
        fields = {
            "created_by": principal.name,
            "created_at": now,
            "changed_by": principal.name,
            "changed_at": now,
        }
        replies.add(act.cursor, {"id": identity, "version": 1, **_fields(order), **fields})
        _note(act, "create-saved-reply", identity, _audit_detail(order))
        return identity

    identity = await carry_out(house, workspace, principal, work)
    await house.reload_policy(workspace)
    return identity


async def edit(
    house: House, workspace: Workspace, reply_id: str, order: SaveReply, principal: Principal
) -> None:
    """Change a kept saved reply.

    Raises:
        UnfitReplyError: its text holds a placeholder that nothing fills.
        ConflictError: it is a file's, or somebody has changed it since it was read.

    """
    check_reply(order.body)

    def work(act: Act) -> None:
        row = _read_changeable(act.cursor, reply_id)
        if row.version != order.version:
            raise ConflictError(
                f"{row.changed_by} has changed this saved reply meanwhile; look at it again"
            )
        changed = {"changed_by": principal.name, "changed_at": act.now}
        replies.change(act.cursor, reply_id, version=row.version + 1, **_fields(order), **changed)
        _note(act, "edit-saved-reply", reply_id, _audit_detail(order))

    await carry_out(house, workspace, principal, work)
    await house.reload_policy(workspace)


async def retire(house: House, workspace: Workspace, reply_id: str, principal: Principal) -> None:
    """Let no draft use it any more; it stays on the list.

    Raises:
        ConflictError: it is a file's, or is retired already.

    """
    await _turn(house, workspace, reply_id, principal, retired=True)


async def restore(house: House, workspace: Workspace, reply_id: str, principal: Principal) -> None:
    """Let drafts use it again.

    Raises:
        ConflictError: it is a file's, or is not retired.

    """
    await _turn(house, workspace, reply_id, principal, retired=False)


async def _turn(
    house: House, workspace: Workspace, reply_id: str, principal: Principal, *, retired: bool
) -> None:
    def work(act: Act) -> None:
        row = _read_changeable(act.cursor, reply_id)
        if (row.retired_at is not None) is retired:
            already = "is retired already" if retired else "is not retired"
            raise ConflictError(f"this saved reply {already}; look at it again")
        fields = {
            "retired_by": principal.name if retired else "",
            "retired_at": act.now if retired else None,
        }
        replies.change(act.cursor, reply_id, version=row.version + 1, **fields)
        action = "retire-saved-reply" if retired else "restore-saved-reply"
        _note(act, action, reply_id, row.title)

    await carry_out(house, workspace, principal, work)
    await house.reload_policy(workspace)


def _read_changeable(cursor: Connection, reply_id: str) -> ReplyRow:
    view_by_id = {reply_view.id: reply_view for reply_view in list_saved_reply_views(cursor)}
    if reply_id not in view_by_id:
        raise NotFoundError(f"there is no saved reply {reply_id!r}")
    if file := view_by_id[reply_id].file:
        raise ConflictError(f"this saved reply is kept in the file {file!r}; change it there")
    return replies.read_row(cursor, reply_id)


def _fields(order: SaveReply) -> Fields:
    return {
        "title": " ".join(order.title.split()),
        "language": order.language,
        "intent": str(order.intent),
        "categories": [str(category) for category in order.categories],
        "body": order.body.replace("\r\n", "\n").strip(),
    }


def _audit_detail(order: SaveReply) -> str:
    return f"{order.title}: {order.body}"


def _note(act: Act, action: str, reply_id: str, detail: str) -> None:
    act.note(action, f"reply:{reply_id}", detail[:2000])
