"""A person says what a case is really about; it becomes an example for the classifier."""

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.core.understanding import Intent
from data.records.mail.examples import Relabel
from data.store.mail import cases, examples
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.deciding import Deciding, decide


async def relabel(
    house: House, workspace: Workspace, case_id: str, order: Relabel, principal: Principal
) -> None:
    """Correct category, priority or intent; the case stays where it is.

    A later correction of the same case takes the place of this one.

    Raises:
        ConflictError: the case has changed since it was shown, or was not understood yet.

    """
    await decide(
        house,
        workspace,
        case_id,
        order.version,
        principal,
        "relabel",
        lambda deciding: _correct(deciding, order),
        states=None,
    )


def _correct(deciding: Deciding, order: Relabel) -> None:
    cursor, case_id, row = deciding.cursor, deciding.case_id, deciding.case
    branches = cases.branches(cursor, [case_id])
    if row.category is None or not branches:
        raise ConflictError("this case was not understood yet; there is nothing to correct")
    main = Intent.model_validate_json(branches[0].intent)
    before = {
        "category": row.category,
        "priority": row.priority,
        "intent": main.intent.value,
    }
    corrections = order.model_dump(mode="json", exclude={"version"}, exclude_none=True)
    after = before | corrections
    cases.change(
        cursor,
        [{"id": case_id, "category": after["category"], "priority": after["priority"]}],
    )
    changed = main.model_copy(
        update={"category": order.category or main.category, "intent": order.intent or main.intent}
    )
    cases.change_branches(cursor, [{"id": branches[0].id, "intent": changed.model_dump_json()}])
    examples.replace_examples(
        cursor,
        [
            {
                "case_id": case_id,
                **after,
                "corrected": True,
                "hashes": [],
                "opinion": [],
                "given_by": deciding.principal.name,
                "given_at": deciding.now,
            }
        ],
    )
    deciding.detail = "; ".join(
        f"{name}: {before[name]} to {corrections[name]}" for name in corrections
    )
