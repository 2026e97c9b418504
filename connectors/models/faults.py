"""Exceptions of the model libraries as faults of ours; of their texts only known codes are read."""

from collections.abc import Mapping, Sequence

import anthropic
import httpx2
import openai
from pydantic_ai import exceptions as ai

from connectors.causes import causes_of
from connectors.models.bounded_transport import (
    AnswerMovedError,
    AnswerPackedError,
    AnswerTooLongError,
)
from data.records.core.asking import Fault, ModelFaultError, TokenUsage

_BY_STATUS = {
    401: Fault.KEY,
    402: Fault.UNPAID,
    403: Fault.KEY,
    404: Fault.MODEL,
    408: Fault.TIMEOUT,
    409: Fault.SERVER,
    429: Fault.RATE_LIMITED,
    503: Fault.OVERLOADED,
    529: Fault.OVERLOADED,
}
_BY_KIND: tuple[tuple[type[BaseException], Fault], ...] = (
    (TimeoutError, Fault.TIMEOUT),
    (ai.ModelTimeoutError, Fault.TIMEOUT),
    (ai.ModelRequestTimeout, Fault.TIMEOUT),
    (ai.RunTimedOut, Fault.TIMEOUT),
    (anthropic.APITimeoutError, Fault.TIMEOUT),
    (openai.APITimeoutError, Fault.TIMEOUT),
    (httpx2.TimeoutException, Fault.TIMEOUT),
    (ai.ModelAuthenticationError, Fault.KEY),
    (ai.ModelNotFoundError, Fault.MODEL),
    (ai.ModelRateLimitError, Fault.RATE_LIMITED),
    (ai.ModelOverloadedError, Fault.OVERLOADED),
    (ai.ModelConnectionError, Fault.CONNECTION),
    (anthropic.APIConnectionError, Fault.CONNECTION),
    (openai.APIConnectionError, Fault.CONNECTION),
    (httpx2.TransportError, Fault.CONNECTION),
    (OSError, Fault.CONNECTION),
    (ai.ContentFilterError, Fault.REFUSED),
    (ai.OutputTokenLimitExceeded, Fault.CUT),
    (ai.UsageLimitExceeded, Fault.MALFORMED),
    (ai.UnexpectedModelBehavior, Fault.MALFORMED),
)
_OURS: dict[type[BaseException], Fault] = {
    AnswerTooLongError: Fault.CUT,
    AnswerPackedError: Fault.MALFORMED,
    AnswerMovedError: Fault.MOVED,
}
"""What the way to the provider raises; the libraries wrap it in errors of their own."""
_UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, AnswerMovedError)
"""Without a connection nothing was asked."""
_UNPAID = frozenset({"insufficient_quota", "billing_error", "billing_hard_limit_reached"})
"""Codes of errors that come as 429 or 400 too, and that no waiting mends."""
LONGEST_WAIT = 3_600.0


def build_fault_error(error: BaseException, used: TokenUsage) -> ModelFaultError:
    """Return the fault that an exception of the libraries stands for."""
    wait = getattr(error, "retry_after", None)
    seconds = min(float(wait), LONGEST_WAIT) if isinstance(wait, int | float) else None
    usage = used if used.tokens_in or used.tokens_out else None
    chain = list(causes_of(error))
    own = next((_OURS[type(cause)] for cause in chain if type(cause) in _OURS), None)
    if any(_read_error_codes(cause) & _UNPAID for cause in chain):
        own = Fault.UNPAID
    return ModelFaultError(
        own or _choose_fault(error), retry_after=seconds, usage=usage, begun=_may_have_begun(chain)
    )


def _read_error_codes(error: BaseException) -> set[str]:
    """Return the code and the type by which an API says what is wrong, as far as it says them."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    if not isinstance(inner, Mapping):
        return set()
    return {str(inner.get("code")), str(inner.get("type"))}


def _may_have_begun(chain: Sequence[BaseException]) -> bool:
    """Return whether an answer may have begun: a stream can fail after its 200, at full price."""
    if any(isinstance(cause, _UNSENT) for cause in chain):
        return False
    answers = (getattr(cause, "response", None) for cause in chain)
    codes = [answer.status_code for answer in answers if isinstance(answer, httpx2.Response)]
    return not codes or codes[-1] < httpx2.codes.MULTIPLE_CHOICES


def _choose_fault(error: BaseException) -> Fault:
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _BY_STATUS.get(status, Fault.SERVER if status >= 500 else Fault.REJECTED)
    for kind, fault in _BY_KIND:
        if isinstance(error, kind):
            return fault
    # Malformed streams surface as anything: decoding errors, key errors, type errors.
    return Fault.MALFORMED
