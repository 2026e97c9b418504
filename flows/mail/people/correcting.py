"""A person says what a case is really about; it becomes an example for the classifier."""

from collections.abc import Mapping

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.core.understanding import Intent
from data.records.mail.examples import Relabel
from data.store.core.statements import Fields
from data.store.mail import cases, examples
from data.store.mail.cases import BranchRow, CaseRow
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
    main = _main_branch(deciding)
    intent = Intent.model_validate_json(main.intent)
    before = _labels(deciding.case, intent)
    corrections = order.model_dump(mode="json", exclude={"version"}, exclude_none=True)
    after = before | corrections
    _write_labels(deciding, order, main, intent)
    _keep_example(deciding, after)
    deciding.detail = "; ".join(f"{name}: {before[name]} to {after[name]}" for name in corrections)


def _main_branch(deciding: Deciding) -> BranchRow:
    """Return the branch that says what a case is about.

    Raises:
        ConflictError: it was not understood yet.

    """
    branches = cases.list_branches(deciding.cursor, [deciding.case_id])
    if deciding.case.category is None or not branches:
        raise ConflictError("this case was not understood yet; there is nothing to correct")
    return branches[0]


def _labels(row: CaseRow, intent: Intent) -> dict[str, str | None]:
    """Return what a case is taken for, by what a person may correct."""
    return {"category": row.category, "priority": row.priority, "intent": intent.intent.value}


def _write_labels(deciding: Deciding, order: Relabel, main: BranchRow, intent: Intent) -> None:
    """Write down what a person says that a case is about."""
    row = deciding.case
    case = {
        "id": row.id,
        "category": order.category or row.category,
        "priority": order.priority or row.priority,
    }
    cases.change(deciding.cursor, [case])
    corrected = intent.model_copy(
        update={
            "category": order.category or intent.category,
            "intent": order.intent or intent.intent,
        }
    )
    branch = {"id": main.id, "intent": corrected.model_dump_json()}
    cases.change_branches(deciding.cursor, [branch])


def _keep_example(deciding: Deciding, labels: Mapping[str, str | None]) -> None:
    """Keep what a person says that a case is about as an example, in place of an earlier one."""
    example: Fields = {
        "case_id": deciding.case_id,
        **labels,
        "corrected": True,
        "hashes": [],
        "opinion": [],
        "given_by": deciding.principal.name,
        "given_at": deciding.now,
    }
    examples.replace_examples(deciding.cursor, [example])
