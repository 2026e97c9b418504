"""The health of the installation, every check with what to do about it; for administrators."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from data.records.core.health import HealthReport
from flows.api.core.context import FOR_ADMINISTRATORS, HouseOf, loops_of
from flows.health.report import look_at_installation

router = APIRouter(prefix="/v1", tags=["administration"])


@router.get("/health", dependencies=[FOR_ADMINISTRATORS])
async def show_health(
    request: Request,
    house: HouseOf,
    machine: Annotated[bool, Query(description="whether the machine is looked at too")] = True,
    outside: Annotated[
        bool, Query(description="whether models, spam filters and a resolver are asked")
    ] = False,
) -> HealthReport:
    """Look at everything now, and say what is wrong and what to do."""
    loops = {loop.name: loop.error for loop in loops_of(request)}
    return await look_at_installation(house, loops, machine=machine, outside=outside)
