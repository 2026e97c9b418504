"""The report of `postern status`, read and drawn."""

import socket
from typing import TYPE_CHECKING, TypedDict

import httpx
from pydantic import JsonValue, TypeAdapter

from connectors.spool import Spool
from data.errors import StoreBusyError
from data.records.mail.examples import LearnedExamples
from data.records.mail.mailboxes import MailboxStanding
from data.records.mail.overview_views import Overview
from data.settings import Settings
from flows.core.services import find_reachable_host, list_ports
from flows.operating.engine_api import Engine
from flows.operating.mailbox_orders import standing_line
from flows.operating.organizations import known_organizations

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

STANDINGS = TypeAdapter(tuple[MailboxStanding, ...])
PROCESSES = {
    "receiver": "smtp_port",
    "engine": "api_port",
    "prefect": "prefect_port",
    "ui": "ui_port",
}


class Status(TypedDict):
    """What is known of an installation; everything by organization comes from its engine."""

    home: str
    processes: dict[str, bool]
    engine: bool
    prefect: bool
    stopped: bool
    spool_waiting: int
    set_aside: int
    organizations: dict[str, JsonValue]
    mailboxes: dict[str, JsonValue]
    learned: dict[str, JsonValue]


def read_status(settings: Settings) -> Status:
    """Return processes, spool, kill switch, and the numbers of each organization (engine only).

    Raises:
        PosternError: the engine answers and refuses, or the state cannot be read.

    """
    engine = Engine.find(settings)
    spool = Spool(settings.spool) if settings.spool.exists() else None
    return {
        "home": str(settings.home),
        "processes": {name: _listens(settings, port) for name, port in PROCESSES.items()},
        "engine": engine is not None,
        "prefect": _prefect_answers(settings),
        "stopped": settings.stop_file.exists(),
        "spool_waiting": spool.waiting() if spool else 0,
        "set_aside": len(spool.aside.list_reasons()) if spool else 0,
        "organizations": _organizations(settings, engine),
        "mailboxes": _mailboxes(engine),
        "learned": _ask_what_was_learned(engine),
    }


def _organizations(settings: Settings, engine: Engine | None) -> dict[str, JsonValue]:
    if engine is not None:
        organizations = known_organizations(engine)
        return {
            organization_here.slug: engine.get(f"/v1/{organization_here.slug}/overview")
            for organization_here in organizations
        }
    try:
        with Engine.open(settings) as here:
            return {organization.slug: None for organization in known_organizations(here)}
    except StoreBusyError:  # an engine that starts, or one at another address
        return {}


def _mailboxes(engine: Engine | None) -> dict[str, JsonValue]:
    """Return how the IMAP mailboxes of each organization are doing (engine only)."""
    if engine is None:
        return {}
    mailboxes_by_slug = {
        organization.slug: engine.get(f"/v1/{organization.slug}/mailboxes")
        for organization in known_organizations(engine)
    }
    return {slug: listed for slug, listed in mailboxes_by_slug.items() if listed}


def _ask_what_was_learned(engine: Engine | None) -> dict[str, JsonValue]:
    """Return what people taught each organization's classifier (engine only)."""
    if engine is None:
        return {}
    return {
        organization.slug: engine.get(f"/v1/{organization.slug}/examples")
        for organization in known_organizations(engine)
    }


def _listens(settings: Settings, port: str) -> bool:
    host, number = list_ports(settings)[port]
    try:
        with socket.create_connection((find_reachable_host(host), number), timeout=1):
            return True
    except OSError:
        return False


def _prefect_answers(settings: Settings) -> bool:
    try:
        return httpx.get(f"{settings.prefect_url}/health", timeout=2, trust_env=False).is_success
    except httpx.TransportError:
        return False


def draw_status(status: Status, console: "Console") -> None:
    """Draw it for a person."""
    from rich.table import Table

    table = Table(show_header=False, box=None, pad_edge=False)
    for name, running in status["processes"].items():
        table.add_row(name, "[green]listens[/]" if running else "[dim]does not listen[/]")
    stopped = "[red]stopped[/] (`postern resume-sending`)"
    table.add_row("sending", stopped if status["stopped"] else "on")
    table.add_row("spool", f"{status['spool_waiting']} waiting, {status['set_aside']} set aside")
    console.print(table)
    if not status["engine"]:
        console.print(
            "\nNo engine answers at the API's address; start it with `postern up`. "
            "Mail that the receiver takes waits in the spool.",
            markup=False,
        )
    for slug, overview in status["organizations"].items():
        console.print(f"\n[bold]{slug}[/]")
        if overview is not None:
            console.print(_numbers(Overview.model_validate(overview)))
        if status["learned"].get(slug):
            console.print(
                learned_line(LearnedExamples.model_validate(status["learned"][slug])), markup=False
            )
        for standing in STANDINGS.validate_python(status["mailboxes"].get(slug, ())):
            console.print(f"mailbox {standing_line(standing)}", markup=False)
    if not status["organizations"]:
        console.print("\nNo organization is known here.", markup=False)


def learned_line(learned_examples: LearnedExamples) -> str:
    """Say in one line what people taught the classifier, and how the last training went."""
    line = f"corrected labels {learned_examples.corrections}"
    if not learned_examples.trainings:
        return f"{line} (training begins at {learned_examples.needed})"
    last = learned_examples.trainings[0]
    verdict = "undone" if last.undone_at else "taken" if last.taken else "not taken"
    return (
        f"{line}; last training {verdict}: {last.right_before} of {last.held * 3} labels right "
        f"before, {last.right_after} after"
    )


def _numbers(overview: Overview) -> "Table":
    from rich.table import Table

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_row("received", f"{overview.received_total} ({overview.received_today} today)")
    for name in ("in_review", "quarantined", "waiting_to_send", "needs_decision", "failed"):
        table.add_row(name.replace("_", " "), str(getattr(overview, name)))
    if overview.forwards_waiting or overview.forwards_failed:
        table.add_row("forwards waiting", str(overview.forwards_waiting))
        table.add_row("forwards failed", str(overview.forwards_failed))
    counts = ", ".join(f"{status.name} {status.value}" for status in overview.by_status)
    table.add_row("messages", counts)
    table.add_row("mode", overview.mode)
    return table
