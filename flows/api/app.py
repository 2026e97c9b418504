"""The application: all routers over a house."""

from fastapi import APIRouter, FastAPI
from fastapi_offline import FastAPIOffline

from flows.api import (
    admin,
    admin_backup,
    admin_contacts,
    admin_settings,
    admin_signing,
    admin_sync,
    agent_configuring,
    agent_library,
    agents,
    approvals,
    attachments,
    audit,
    beginning,
    business_profile,
    calendar,
    caps,
    cases,
    chat_intents,
    chats,
    completions,
    drafting,
    examples,
    exports,
    follow_ups,
    groups,
    health,
    holidays,
    inbox,
    knowledge,
    letters,
    mailboxes,
    memories,
    memory,
    models,
    notes,
    notifications,
    onlookers,
    outbox,
    overview,
    policy,
    promises,
    quarantine,
    questions,
    reports,
    rules,
    saved_replies,
    senders,
    service,
    setup,
    snoozes,
    tasks,
    teams,
    threads,
    tickets,
    users,
    webhook,
    written_knowledge,
)
from flows.api.bodies import BoundedBodies
from flows.api.errors import answer_errors
from flows.core.house import House
from flows.running.loops import Loop


def add_routes(app: FastAPI, router: APIRouter) -> None:
    """Add the routes of a module as they are.

    `include_router` would make each a second time at the first request, which takes as long as all
    else that a command does, to add a prefix or a dependency; none has any.
    """
    app.router.routes.extend(router.routes)


def create_app(house: House, loops: tuple[Loop, ...] = ()) -> FastAPI:
    """Return the API over a house."""
    app = FastAPIOffline(  # its pages take nothing from a network of others
        title="Postern",
        summary="The engine's API: what the review window asks for, and the inbound webhook.",
        version="1",
        docs_url="/docs",
        redoc_url=None,
        static_url="/docs-files",
    )
    app.state.house, app.state.loops = house, loops
    for module in (
        service, health, beginning, setup, holidays, webhook, admin, admin_backup, admin_contacts,
        admin_signing, admin_settings, admin_sync, overview, audit, reports, approvals, cases,
        attachments, letters, snoozes, notes, follow_ups, examples, inbox, threads, quarantine,
        senders, groups, onlookers, notifications, outbox, mailboxes, exports, models, caps,
        drafting, tickets, questions, rules, policy, knowledge, written_knowledge, saved_replies,
        memory, promises, users, teams, agents, agent_configuring, agent_library, chats, memories,
        chat_intents, business_profile, tasks, calendar, completions,
    ):  # fmt: skip
        add_routes(app, module.router)
    app.add_middleware(BoundedBodies)
    answer_errors(app)
    return app
