"""The stand-in's answers about reports."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Response

from data.records.mail.overview_views import Count
from data.records.mail.report_views import (
    Backlog,
    CategoryFigures,
    CostFigures,
    DayCost,
    DecisionFigures,
    DurationFigures,
    Edits,
    PeriodFigures,
    PersonFigures,
    Report,
    StoppedFigures,
    TopicFigures,
)
from data.records.mail.vigilance import VigilanceView

if TYPE_CHECKING:
    from tests.core.window.world import World

FIRST = date(2026, 3, 2)


def report(**given: Any) -> Report:  # noqa: ANN401
    """Return a report of a week in which one thing of a kind happened, and several of others."""
    judged = DecisionFigures(unchanged=6, edited=2, rejected=1, closed=1)
    spread = DurationFigures(count=3, median=5400, p90=9000)
    periods = tuple(
        PeriodFigures(
            begins=FIRST + timedelta(days=number), received=number, answered=number // 2,
            waiting=3 - number % 2, first_answer=None if number == 3 else 600.0 * number,
        )
        for number in range(7)
    )  # fmt: skip
    made: dict[str, Any] = {
        "since": FIRST,
        "until": FIRST + timedelta(days=6),
        "timezone": "Europe/Berlin",
        "by": "day",
        "received": 1204,
        "answered": 9,
        "by_itself": 1,
        "first_answer": spread,
        "resolution": spread,
        "judged": judged,
        "edits": Edits(median=0.1, p90=0.4, by_share=(Count(name="20", value=2),)),
        "reasons": (Count(name="missed_question", value=1),),
        "would_send": 4,
        "alone": DecisionFigures(unchanged=3, edited=1),
        "backlog": Backlog(waiting=1, by_age=(Count(name="1", value=1),)),
        "stopped": StoppedFigures(stopped=1, by_kind=(Count(name="persona", value=1),)),
        "cost": 1.5,
        "periods": periods,
        "categories": (
            CategoryFigures(category="feature_request", received=5, first_answer=spread),
        ),
        "people": (PersonFigures(person="Ida <b>Fenn", answered=8, judged=judged),),
        "deciders": ("Bo Lund", "Ida <b>Fenn"),
        "topics": (
            TopicFigures(category="sales", questions=1, cases=1, examples=("Is it **red**?",)),
        ),
        "agents": (CostFigures(name="drafter", calls=3, tokens=1200, cost=1.5),),
        "models": (CostFigures(name="large", calls=3, tokens=1200, cost=1.5),),
        "costs": (DayCost(begins=FIRST, agent="drafter", cost=1.5),),
    }
    return Report(**made | given)


def reporting(app: FastAPI, world: "World") -> None:
    """Add the routes."""

    @app.get("/v1/{org}/report")
    async def read(org: str) -> Report:
        return world.report

    @app.get("/v1/{org}/vigilance")
    async def vigilance(org: str) -> VigilanceView:
        return world.vigilance

    @app.get("/v1/{org}/report/export")
    async def export(org: str) -> Response:
        return Response(b"begins,received\n2026-03-02,0\n", media_type="text/csv")
