"""The stand-in's answers about knowledge and what was learned."""

from datetime import UTC, datetime
from typing import Any

from fastapi import FastAPI, HTTPException

from data.records.core.learning import (
    EditProposal,
    EntryView,
    LearnedOrigin,
    LearnedState,
    ProposalView,
    SavedReplyView,
)
from data.records.mail.orders import SaveReply
from data.records.mail.setting_up import Setup, SetupStep, StepName

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def entry(id: str = "opening-hours", **given: Any) -> EntryView:  # noqa: ANN401
    """Return an entry of a file."""
    made: dict[str, Any] = {
        "id": id,
        "title": "Opening hours",
        "kind": "fact",
        "language": "en",
        "body": "The workshop is open from nine.",
        "source": f"knowledge/{id}.md",
        "learned": False,
        "public": True,
        "trusted": True,
        "significance": 0.5,
        "freshness": 1.0,
        "found": True,
    }
    return EntryView(**{**made, **given})


def proposal(id: str = "learned-1", **given: Any) -> ProposalView:  # noqa: ANN401
    """Return something that was learned from a reply."""
    made: dict[str, Any] = {
        "id": id,
        "state": LearnedState.PROPOSED,
        "title": "With what do you wax?",
        "body": "We use carnauba wax.",
        "kind": "faq",
        "language": "en",
        "origin": LearnedOrigin.REPLY,
        "source": "reply of ida, 2026-03-02",
        "case_id": "case-1",
        "created_by": "ida",
        "created_at": AT,
    }
    return ProposalView(**{**made, **given})


def _kept(id: str, given: SaveReply, version: int) -> SavedReplyView:
    fields = given.model_dump(exclude={"version"})
    return SavedReplyView(
        **fields, id=id, cited=True, version=version, changed_by="ida", changed_at=AT
    )


def _put(world: Any, reply: SavedReplyView) -> SavedReplyView:  # noqa: ANN401
    world.replies = [reply if one.id == reply.id else one for one in world.replies]
    return reply


def knowing(app: FastAPI, world: Any) -> None:  # noqa: ANN401  # the stand-in's world
    """Serve what `world` knows."""

    @app.get("/v1/{org}/knowledge")
    async def knowledge(org: str, q: str = "", which: str = "") -> Any:  # noqa: ANN401
        found = [one for one in world.entries if q.lower() in f"{one.title} {one.body}".lower()]
        if which == "warned":
            found = [one for one in found if one.warnings]
        return {"items": [one.model_dump(mode="json") for one in found], "total": len(found)}

    @app.get("/v1/{org}/setup")
    async def setup(org: str) -> Setup:
        there = {
            StepName.PEOPLE: bool(world.me.organizations[0].people),
            StepName.KNOWLEDGE: bool(world.entries),
            StepName.MAIL: bool(world.messages),
        }
        steps = [SetupStep(name=name, done=done, sentence="") for name, done in there.items()]
        return Setup(steps=tuple(steps), hostname="mx.example", port=25)

    @app.get("/v1/{org}/knowledge/{id}")
    async def one_entry(org: str, id: str) -> EntryView:
        found = [one for one in world.entries if one.id == id]
        if not found:
            raise HTTPException(404)
        return EntryView.model_validate(found[0])

    @app.get("/v1/{org}/saved-replies")
    async def saved_replies(org: str, q: str = "") -> Any:  # noqa: ANN401
        found = [one for one in world.replies if q.lower() in one.title.lower()]
        return {"items": [one.model_dump(mode="json") for one in found], "total": len(found)}

    @app.post("/v1/{org}/saved-replies", status_code=201)
    async def add_reply(org: str, body: SaveReply) -> SavedReplyView:
        world.replies.append(_kept(f"kept-{len(world.replies)}", body, 1))
        return world.replies[-1]

    @app.post("/v1/{org}/saved-replies/{id}/edit")
    async def edit_reply(org: str, id: str, body: SaveReply) -> SavedReplyView:
        return _put(world, _kept(id, body, body.version + 1))

    @app.post("/v1/{org}/saved-replies/{id}/retire")
    async def retire_reply(org: str, id: str) -> SavedReplyView:
        kept = next(one for one in world.replies if one.id == id)
        return _put(world, kept.model_copy(update={"retired_by": "ida", "retired_at": AT}))

    @app.post("/v1/{org}/saved-replies/{id}/restore")
    async def restore_reply(org: str, id: str) -> SavedReplyView:
        kept = next(one for one in world.replies if one.id == id)
        return _put(world, kept.model_copy(update={"retired_by": "", "retired_at": None}))

    @app.get("/v1/{org}/proposals")
    async def proposals(org: str, state: str = "", q: str = "") -> Any:  # noqa: ANN401
        kept = list(world.proposals.values())
        found = [one for one in kept if state in ("", one.state) and q in one.title]
        waiting = sum(one.state is LearnedState.PROPOSED for one in kept)
        items = [one.model_dump(mode="json") for one in found]
        return {"items": items, "total": len(found), "waiting": waiting}

    @app.get("/v1/{org}/proposals/{id}")
    async def one_proposal(org: str, id: str) -> ProposalView:
        if id not in world.proposals:
            raise HTTPException(404)
        entry: ProposalView = world.proposals[id]
        return entry

    def put(id: str, **fields: Any) -> ProposalView:  # noqa: ANN401
        world.proposals[id] = world.proposals[id].model_copy(update=fields)
        changed: ProposalView = world.proposals[id]
        return changed

    @app.post("/v1/{org}/proposals/{id}/accept")
    async def accept(org: str, id: str) -> ProposalView:
        return put(id, state=LearnedState.ACCEPTED, confirmed_by="ida", undoable=True)

    @app.post("/v1/{org}/proposals/{id}/reject")
    async def reject(org: str, id: str) -> ProposalView:
        return put(id, state=LearnedState.REJECTED, rejected_by="ida", undoable=True)

    @app.post("/v1/{org}/proposals/{id}/edit")
    async def edit(org: str, id: str, body: EditProposal) -> ProposalView:
        return put(id, state=LearnedState.PROPOSED, title=body.title, body=body.body)

    @app.post("/v1/{org}/proposals/{id}/undo")
    async def undo(org: str, id: str) -> ProposalView:
        return put(id, state=LearnedState.PROPOSED, undoable=False)
