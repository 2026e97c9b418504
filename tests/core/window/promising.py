"""The stand-in's answers about promises, and about other drafts to choose from."""

from datetime import timedelta
from typing import Any

from fastapi import FastAPI

from data.records.mail.drafting import Alternative, AlternativeKind
from data.records.mail.orders import Choose
from data.records.mail.promises import ClosePromise, PromiseView
from data.records.mail.views import CaseView, DraftRevision
from tests.core.window import invented
from tests.core.window.holding import known, page


def promise(id: str = "promise-1", **given: object) -> PromiseView:
    """Return an overdue promise."""
    made: dict[str, object] = {
        "id": id,
        "case_id": "case-1",
        "delivery_id": "d-1",
        "thread_id": "thread-1",
        "contact_email": "ada@quill.example",
        "sentence": f"We will send the chain ring by Friday. {invented.HOSTILE}",
        "due_on": (invented.now() - timedelta(days=1)).date(),
        "dated": True,
        "state": "overdue",
        "made_at": invented.before(minutes=600),
    }
    return PromiseView.model_validate({**made, **given})


def with_others(id: str) -> CaseView:
    """Return a case whose draft has another one beside it."""
    case = invented.case(id)
    newest = case.revisions[-1]
    assert newest.checked is not None
    other = newest.draft.model_copy(update={"body": f"A person has it now. {invented.HOSTILE}"})
    offered = (Alternative(kind=AlternativeKind.HAND_OVER, draft=other, quality=0.4),)
    checked = newest.checked.model_copy(update={"alternatives": offered})
    revisions = (*case.revisions[:-1], newest.model_copy(update={"checked": checked}))
    return case.model_copy(update={"revisions": revisions})


def promising(app: FastAPI, world: Any) -> None:  # noqa: ANN401  # the stand-in's world
    """Serve what `world` has of promises, and let drafts be chosen."""

    @app.get("/v1/{org}/promises")
    async def promises(org: str, state: str = "", limit: int = 25, offset: int = 0) -> Any:  # noqa: ANN401
        kept = [one for one in world.promises.values() if not state or one.state == state]
        return page(kept, limit, offset)

    @app.post("/v1/{org}/promises/{id}/close")
    async def close(org: str, id: str, body: ClosePromise) -> dict[str, str]:
        del body
        one = known(world.promises, id)
        world.promises[id] = one.model_copy(update={"state": "closed"})
        return {"state": "closed"}

    @app.post("/v1/{org}/cases/{id}/choose")
    async def choose(org: str, id: str, body: Choose) -> CaseView:
        case = known(world.cases, id)
        newest = case.revisions[-1]
        chosen = next(one for one in newest.checked.alternatives if one.kind is body.kind)
        revision = DraftRevision(
            revision=newest.revision + 1,
            draft=chosen.draft,
            checked=newest.checked,
            author="local",
            created_at=invented.now(),
        )
        world.cases[id] = case.model_copy(
            update={"revisions": (*case.revisions, revision), "version": case.version + 1}
        )
        kept: CaseView = world.cases[id]
        return kept
