"""The application: routers, and how our errors become answers."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi_offline import FastAPIOffline

from data.errors import (
    ConflictError,
    ForbiddenError,
    ManifestError,
    NotFoundError,
    PosternError,
    SearchError,
    UnreadableMailError,
)
from flows.api import (
    admin,
    admin_backup,
    admin_contacts,
    agents,
    approvals,
    cases,
    examples,
    exports,
    groups,
    inbox,
    knowledge,
    mailboxes,
    memory,
    models,
    notifications,
    outbox,
    overview,
    promises,
    quarantine,
    questions,
    rules,
    saved_replies,
    senders,
    service,
    threads,
    tickets,
    users,
    webhook,
)
from flows.api.bodies import BoundedBodies, wrong_form
from flows.api.context import NotSignedInError
from flows.core.house import House
from flows.mail.people.sender_patterns import UnfitSenderError
from flows.running.loops import Loop
from tasks.compose.headers import ComposeError
from tasks.draft.replies import UnfitReplyError
from tasks.rules.compiling import UnclearRuleError

log = logging.getLogger("postern.api")

STATUS: dict[type[PosternError], int] = {
    NotSignedInError: 401,
    ForbiddenError: 403,
    NotFoundError: 404,
    ConflictError: 409,
    ManifestError: 422,
    SearchError: 422,
    UnreadableMailError: 422,
    UnclearRuleError: 422,
    UnfitReplyError: 422,
    UnfitSenderError: 422,
    ComposeError: 422,
}


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
        service, webhook, admin, admin_backup, admin_contacts, overview, approvals, cases, examples,
        inbox, threads, quarantine, senders, groups, notifications, outbox, mailboxes, exports,
        models, tickets, questions, rules, knowledge, saved_replies, memory, promises,
        users, agents,
    ):  # fmt: skip
        app.include_router(module.router)
    app.add_middleware(BoundedBodies)
    app.add_exception_handler(RequestValidationError, wrong_form)
    app.add_exception_handler(PosternError, _expected)
    app.add_exception_handler(Exception, _unexpected)
    return app


def _expected(request: Request, error: Exception) -> JSONResponse:
    del request
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 503)
    return _answer(status, type(error).__name__, str(error))


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    """Say that it is our fault, and nothing about how."""
    log.error("%s %s raised", request.method, request.url.path, exc_info=error)
    return _answer(500, "Bug", "Postern made a mistake; the engine's log says which")


def _answer(status: int, kind: str, message: str) -> JSONResponse:
    return JSONResponse({"error": {"kind": kind, "message": message}}, status_code=status)
