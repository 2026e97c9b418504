"""The bound on the size of requests, and the answer to one that has not the form asked for."""

from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from data.counting import size_words
from data.errors import UnfitError

LARGEST_REQUEST = 4_000_000
"""Bytes of JSON: the longest text that a person may write (1,000,000 letters) fits, whatever the
letters."""
MOST_FAULTS = 5
"""Faults that one answer names."""


class TooLargeError(UnfitError):
    """What was sent is larger than may be taken."""


class BoundedBodies:
    """Refuses what people send that is larger than any order, before it is read.

    Mail that is handed in has a limit of its own (`POST /webhooks/inbound`), and so have the files
    that people attach to letters.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the request through to the application."""
        orders = scope["type"] == "http" and scope["path"].startswith("/v1/")
        files = orders and scope["method"] == "POST" and scope["path"].endswith("/attachments")
        why = _why_refused(scope, files=files) if orders else ""
        status = 413 if files else 422
        answer: ASGIApp = refused("TooLargeError", why, status) if why else self._app
        await answer(scope, receive, send)


def _why_refused(scope: Scope, *, files: bool) -> str:
    """Return why a request is not read, in a sentence; empty where it is.

    `files` says that its body is a file for a letter, whose size the settings bound.
    """
    headers: Mapping[bytes, bytes] = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return "send the request with its length (Content-Length), not in chunks"
    stated = headers.get(b"content-length", b"0")
    if files and stated.isdigit():
        most = scope["app"].state.house.settings.letter_file_mb
        if int(stated) <= most * 1_000_000:
            return ""
        return (
            f"a file on a letter may have {most} MB, and this one has {size_words(int(stated))}; "
            "make it smaller, or send a link to it"
        )
    if not stated.isdigit() or int(stated) > LARGEST_REQUEST:
        return (
            f"a request may hold {LARGEST_REQUEST:,} bytes, and this one says {stated.decode()!r}; "
            "send a shorter text"
        )
    return ""


def wrong_form(request: Request, error: Exception) -> JSONResponse:
    """Say which fields have not the form asked for, without repeating what was sent."""
    assert isinstance(error, RequestValidationError)  # noqa: S101  # it handles nothing else
    path = request.url.path
    return refused("WrongFormError", "; ".join(_sentences(error.errors())), path=path)


def _sentences(faults: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return one sentence for each of the first faults."""
    return [
        f"{'.'.join(str(part) for part in fault['loc'][1:]) or 'the request'}: "
        f"{str(fault['msg']).removeprefix('Value error, ')}"
        for _, fault in zip(range(MOST_FAULTS), faults, strict=False)
    ]


PROGRAM_PATHS = ("/v1/models", "/v1/chat/completions")
"""Where chat programs ask, which read errors in the form of OpenAI's API."""
_PROGRAM_CODES = {401: "invalid_api_key", 404: "model_not_found"}


def refused(kind: str, message: str, status: int = 422, path: str = "") -> JSONResponse:
    """Return the answer to what cannot be used, or has failed; `path` is what was asked."""
    error: dict[str, str | None] = {"kind": kind, "message": message}
    if path in PROGRAM_PATHS:
        error["type"] = "invalid_request_error" if status < 500 else "server_error"
        error |= {"code": _PROGRAM_CODES.get(status), "param": None}
    return JSONResponse({"error": error}, status_code=status)
