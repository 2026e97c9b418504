"""The stand-in's answers about tickets, questions to owners and rules."""

from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse

from data.records.mail.questions import OwnerAnswer, QuestionState, QuestionView
from data.records.mail.rules import Matcher, ProposeRule, RuleExample, RuleState, RuleView
from data.records.mail.tickets import Comment, Reason, TicketState, TicketView
from tests.core.window import invented
from tests.core.window.invented import HOSTILE
from tests.core.window.world import World


def ticket(id: str = "ticket-1", **given: object) -> TicketView:
    """Return an open ticket."""
    made: dict[str, object] = {
        "id": id,
        "number": 7,
        "state": "open",
        "title": "Request: a copy of the invoice",
        "text": "Please send me a copy of invoice 4711.",
        "category": "billing",
        "case_id": "case-1",
        "thread_id": "thread-1",
        "contact_email": "ada@quill.example",
        "created_at": invented.before(minutes=30),
        "changed_at": invented.before(minutes=20),
        "notes": (
            {
                "kind": "opened",
                "author": "plan",
                "text": "A person carries it out.",
                "noted_at": invented.before(minutes=30),
            },
        ),
    }
    return TicketView.model_validate({**made, **given})


def question(id: str = "question-1", **given: object) -> QuestionView:
    """Return an open question."""
    made: dict[str, object] = {
        "id": id,
        "state": "open",
        "case_id": "case-1",
        "branch_id": "b1",
        "contact_email": "ada@quill.example",
        "owner": "ida@teasel.example",
        "question": f"Do you rent out kettles? {HOSTILE}",
        "language": "en",
        "asked_at": invented.before(minutes=10),
        "due_at": invented.now(),
    }
    return QuestionView.model_validate({**made, **given})


def rule(id: str = "rule-1", **given: object) -> RuleView:
    """Return a proposed rule."""
    made: dict[str, object] = {
        "id": id,
        "version": 0,
        "state": "proposed",
        "sentence": "anything about GDPR: always ask",
        "matcher": Matcher.model_validate({"topics": [["gdpr"]], "deeds": [{"effect": "ask"}]}),
        "plain": ('When subject or new text says "gdpr".', "Then a person must approve."),
        "created_by": "ida",
        "created_at": invented.before(minutes=3),
        "matched": 1,
        "examples": (
            RuleExample(
                case_id="case-1",
                contact_email="ada@quill.example",
                subject=HOSTILE,
                received_at=invented.before(minutes=60),
            ),
        ),
    }
    return RuleView.model_validate({**made, **given})


def planning(app: FastAPI, world: Any) -> None:  # noqa: ANN401  # the stand-in's world
    """Serve what `world` has of tickets, questions and rules."""
    _tickets(app, world)
    _questions(app, world)
    _rules(app, world)


def _page(items: Any) -> Any:  # noqa: ANN401
    drawn = [entry.model_dump(mode="json") for entry in items]
    return {"items": drawn, "total": len(drawn)}


def _tickets(app: FastAPI, world: World) -> None:
    @app.get("/v1/{org}/tickets")
    async def tickets(org: str, state: str = "") -> Any:  # noqa: ANN401
        return _page(one for one in world.tickets.values() if not state or one.state == state)

    @app.get("/v1/{org}/tickets/{id}")
    async def ticket(org: str, id: str) -> TicketView:
        return world.tickets[id]

    @app.post("/v1/{org}/tickets/{id}/close")
    async def close(org: str, id: str, body: Reason) -> TicketView:
        world.tickets[id] = world.tickets[id].model_copy(
            update={"state": TicketState.CLOSED, "reason": body.reason}
        )
        return world.tickets[id]

    @app.post("/v1/{org}/tickets/{id}/tell")
    async def tell(org: str, id: str) -> TicketView:
        told = {"untold": world.tickets[id].unheard, "unheard": 0, "tracker_answer": ""}
        world.tickets[id] = world.tickets[id].model_copy(update=told)
        return world.tickets[id]

    @app.post("/v1/{org}/tickets/{id}/comment")
    async def comment(org: str, id: str, body: Comment) -> TicketView:
        del body
        return world.tickets[id]


def _questions(app: FastAPI, world: Any) -> None:  # noqa: ANN401
    @app.get("/v1/{org}/questions")
    async def questions(org: str, state: str = "") -> Any:  # noqa: ANN401
        return _page(one for one in world.questions.values() if not state or one.state == state)

    @app.post("/v1/{org}/questions/{id}/answer")
    async def answer(org: str, id: str, body: OwnerAnswer) -> QuestionView:
        done = {"state": QuestionState.ANSWERED, "answer": body.answer, "answered_by": "ida"}
        world.questions[id] = world.questions[id].model_copy(update=done)
        answered: QuestionView = world.questions[id]
        return answered


def _rules(app: FastAPI, world: World) -> None:
    @app.get("/v1/{org}/rules")
    async def rules(org: str) -> Any:  # noqa: ANN401
        return _page(world.rules.values())

    @app.post("/v1/{org}/rules")
    async def propose(org: str, body: ProposeRule) -> Any:  # noqa: ANN401
        if "answer" in body.sentence:
            error = {"kind": "UnclearRuleError", "message": "a rule can only restrict or file"}
            return JSONResponse({"error": error}, status_code=422)
        world.rules["rule-2"] = rule("rule-2", sentence=body.sentence)
        return world.rules["rule-2"]

    @app.post("/v1/{org}/rules/{id}/confirm")
    async def confirm(org: str, id: str) -> RuleView:
        world.rules[id] = world.rules[id].model_copy(
            update={"state": RuleState.CONFIRMED, "version": 1}
        )
        return world.rules[id]
