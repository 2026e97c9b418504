"""Health, metrics, and who the token belongs to."""

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from data.records.core.principals import Permission
from data.records.mail.overview_views import Me, OrganizationName
from data.store.core import control
from data.store.mail import mailboxes, overview_tables
from flows.api.core.context import HouseOf, PrincipalOf, loops_of
from flows.core.house import House

router = APIRouter(tags=["service"])


@router.get("/healthz")
async def healthz(request: Request, house: HouseOf) -> dict[str, object]:
    """Say whether the engine works; open to everybody, tells nothing about mail.

    Of an error only its kind is told: what it says may quote what it ran into.
    """
    loops = {loop.name: loop.error.partition(":")[0] or "ok" for loop in loops_of(request)}
    troubled = bool(house.unopened) or any(word != "ok" for word in loops.values())
    return {
        "status": "degraded" if troubled else "ok",
        "loops": loops,
        "stopped": house.stopped,
        "spool_waiting": house.spool.waiting(),
        "unopened": len(house.unopened),
    }


@router.get("/metrics")
async def metrics(house: HouseOf) -> Response:
    """Return counts as Prometheus text; no names or subjects."""
    registry = CollectorRegistry()
    Gauge("postern_spool_waiting", "Messages accepted and not yet taken in", registry=registry).set(
        house.spool.waiting()
    )
    Gauge("postern_stopped", "Whether the kill switch is on", registry=registry).set(house.stopped)
    tables = (
        ("messages", "status", "Messages by status"),
        ("cases", "state", "Cases by state"),
        ("deliveries", "state", "Deliveries by state"),
        ("forwards", "state", "Messages for endpoints by state"),
    )
    for table, column, sentence in tables:
        gauge = Gauge(f"postern_{table}", sentence, ["organization", column], registry=registry)
        await _fill(house, gauge, table)
    await _mailboxes(house, registry)
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


async def _mailboxes(house: House, registry: CollectorRegistry) -> None:
    """Say which IMAP mailboxes have trouble; names are the configuration's, not the server's."""
    labels = ["organization", "mailbox"]
    failures = Gauge(
        "postern_mailbox_failures", "Polls in a row that failed", labels, registry=registry
    )
    trouble = Gauge(
        "postern_mailbox_error", "Whether its last poll had trouble", labels, registry=registry
    )
    for workspace in await house.list_workspaces():
        for standing in (await workspace.db.read(mailboxes.list_standings)).values():
            failures.labels(workspace.slug, standing.name).set(standing.failures)
            trouble.labels(workspace.slug, standing.name).set(bool(standing.error))


async def _fill(house: House, gauge: Gauge, table: str) -> None:
    for workspace in await house.list_workspaces():
        counted = await workspace.db.read(overview_tables.count_by_state, table)
        for state, count in counted.items():
            gauge.labels(workspace.slug, state).set(count)


@router.get("/v1/me")
async def me(house: HouseOf, principal: PrincipalOf) -> Me:
    """Return who the token belongs to, and which organizations it opens."""
    organizations = await house.control.read(control.list_organizations)
    return Me(
        user=principal.name,
        id=principal.id,
        email=principal.email,
        role=principal.role,
        administers=principal.may(Permission.ADMINISTER),
        organizations=tuple(
            OrganizationName(
                slug=organization_known.slug,
                name=organization_known.name,
                people=organization_known.people,
                timezone=organization_known.timezone,
                manages=principal.may(Permission.MANAGE_USERS, organization_known.slug),
            )
            for organization_known in organizations
            if principal.may_see(organization_known.slug)
        ),
    )
