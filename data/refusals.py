"""Refusals of the engine's API, as our errors.

PosternError
├── SignedOutError       401: the token is not, or no longer, valid
├── ForbiddenError       403
├── NotFoundError        404
├── ConflictError        409: somebody or something was faster
│   └── PlantedFaultError     the letter held a planted fault
├── RefusedError         422, and every other answer that is not one of ours
└── EngineDownError      503, or no answer at all
"""

from typing import Final

import httpx
from pydantic import BaseModel, ValidationError

from data.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    OutsideTemporaryError,
    PlantedFaultError,
    PosternError,
)


class SignedOutError(PosternError):
    """The token is not, or no longer, valid; sign in again."""


class RefusedError(PosternError):
    """The engine does not take what was sent."""


class EngineDownError(OutsideTemporaryError):
    """The engine does not answer, or says that it cannot work now."""


class _Problem(BaseModel):
    kind: str = ""
    message: str = ""


class _Refusal(BaseModel):
    error: _Problem


class _Unfit(BaseModel):
    loc: tuple[str | int, ...] = ()
    msg: str = ""


class _Unread(BaseModel):
    """What the engine says of an order whose form is wrong."""

    detail: tuple[_Unfit, ...]


_BY_STATUS: Final[dict[int, type[PosternError]]] = {
    401: SignedOutError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    422: RefusedError,
    503: EngineDownError,
}


def refusal(response: httpx.Response) -> PosternError:
    """Return the error that an answer of 400 or more stands for, with the engine's sentence."""
    kind = _BY_STATUS.get(response.status_code, RefusedError)
    problem = _problem(response.content)
    if problem.kind == PlantedFaultError.__name__:
        kind = PlantedFaultError
    return kind(problem.message or f"the engine answered {response.status_code}; try again")


def _problem(content: bytes) -> _Problem:
    """Return what the engine says; nothing where the answer is none of its own."""
    try:
        return _Refusal.model_validate_json(content).error
    except ValidationError:
        pass
    try:
        unfit = _Unread.model_validate_json(content).detail
    except ValidationError:
        return _Problem()
    sentences = (f"{error.loc[-1] if error.loc else 'order'}: {error.msg}" for error in unfit)
    return _Problem(message="; ".join(sentences))
