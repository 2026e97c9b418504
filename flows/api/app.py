"""The application: all routers over a house."""

from fastapi import APIRouter, FastAPI
from fastapi_offline import FastAPIOffline

from flows.api import admin_contacts, admin_settings, chats, overview
from flows.api.agents import (
    agent_configuring,
    agent_library,
    agents,
    business_profile,
    calendar,
    caps,
    chat_intents,
    completions,
    memories,
    tasks,
    teams,
)
from flows.api.core import (
    admin,
    admin_backup,
    admin_sync,
    approvals,
    first_organization,
    health,
    holidays,
    users,
)
from flows.api.core.bodies import BoundedBodies
from flows.api.core.errors import answer_errors
from flows.api.mail import (
    admin_signing,
    audit,
    exports,
    groups,
    inbox,
    knowledge,
    mailboxes,
    memory,
    models,
    notifications,
    outbox,
    policy,
    promises,
    quarantine,
    questions,
    reports,
    routes,
    rules,
    saved_replies,
    senders,
    service,
    setup,
    threads,
    tickets,
    webhook,
    written_knowledge,
)
from flows.api.mail.review import (
    attachments,
    cases,
    drafting,
    examples,
    follow_ups,
    letters,
    notes,
    onlookers,
    snoozes,
)
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
        service, health, first_organization, setup, holidays, webhook, admin, admin_backup,
        admin_contacts, admin_signing, routes, admin_settings, admin_sync, overview, audit, reports,
        approvals, cases, attachments, letters, snoozes, notes, follow_ups, examples, inbox,
        threads, quarantine, senders, groups, onlookers, notifications, outbox, mailboxes, exports,
        models, caps, drafting, tickets, questions, rules, policy, knowledge, written_knowledge,
        saved_replies, memory, promises, users, teams, agents, agent_configuring, agent_library,
        chats, memories, chat_intents, business_profile, tasks, calendar, completions,
    ):  # fmt: skip
        add_routes(app, module.router)
    app.add_middleware(BoundedBodies)
    answer_errors(app)
    return app
