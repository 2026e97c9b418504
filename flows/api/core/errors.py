"""Answers to our errors, in whatever process the API is served."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from data.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    PosternError,
    SettingsError,
    UnfitError,
)
from flows.api.core.bodies import TooLargeError, refused, wrong_form
from flows.api.core.context import NotSignedInError

log = logging.getLogger("postern.api")

STATUS: dict[type[PosternError], int] = {
    NotSignedInError: 401,
    ForbiddenError: 403,
    NotFoundError: 404,
    ConflictError: 409,
    SettingsError: 409,
    TooLargeError: 413,
    UnfitError: 422,
}


def answer_errors(app: FastAPI) -> None:
    """Have an application tell our errors in one sentence, with the status that fits."""
    app.add_exception_handler(RequestValidationError, wrong_form)
    app.add_exception_handler(PosternError, _expected)
    app.add_exception_handler(Exception, _unexpected)


def _expected(request: Request, error: Exception) -> JSONResponse:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 503)
    return refused(type(error).__name__, str(error), status, request.url.path)


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    """Say that it is our fault, and nothing about how."""
    log.error("%s %s raised", request.method, request.url.path, exc_info=error)
    message = "Postern made a mistake; the engine's log says which"
    return refused("Bug", message, 500, request.url.path)
