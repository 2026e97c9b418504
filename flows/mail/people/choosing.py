"""Choosing one of the other drafts that were offered beside one of low quality."""

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.mail.drafting import Checked
from data.records.mail.orders import Choose
from data.states import CaseState
from data.store.core import audit
from data.store.core.database import Connection, insert
from data.store.mail import cases
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.preview import check_draft

DECIDABLE = (CaseState.IN_REVIEW, CaseState.ESCALATED)


async def choose(
    house: House, workspace: Workspace, case_id: str, given: Choose, principal: Principal
) -> None:
    """Make an alternative the newest revision of the reply; the others stay on offer.

    Raises:
        ConflictError: the case has changed, or there is no such alternative.

    """

    def act(cursor: Connection) -> None:
        now = house.clock()
        row = cases.claim_version(cursor, case_id, given.version, now)
        if row["state"] not in DECIDABLE:
            raise ConflictError(f"this case is {row['state']!r} now; there is nothing to choose")
        revisions = cases.drafts(cursor, case_id)
        kept = revisions[-1]["checked"] if revisions else None
        offered = Checked.model_validate_json(kept).alternatives if kept else ()
        chosen = next((one for one in offered if one.kind is given.kind), None)
        if chosen is None:
            kinds = ", ".join(str(one.kind) for one in offered) or "none"
            raise ConflictError(
                f"there is no draft {str(given.kind)!r} to choose; there is {kinds}"
            )
        checked = check_draft(cursor, workspace, row, chosen.draft)
        insert(
            cursor,
            "drafts",
            [
                {
                    "case_id": case_id,
                    "revision": cases.next_revisions(cursor, [case_id])[case_id],
                    "draft": chosen.draft.model_dump_json(),
                    "checked": checked.model_copy(
                        update={"alternatives": offered}
                    ).model_dump_json(),
                    "author": chosen.draft.provider,
                    "created_at": now,
                }
            ],
        )
        audit.append(
            cursor,
            actor=principal.name,
            action="choose draft",
            subject=f"case:{case_id}",
            detail=str(given.kind),
            now=now,
        )

    await workspace.db.write(act)
