"""What the libraries raise, as one of our faults. Texts of exceptions are never looked at."""

import anthropic
import httpx2
import openai
from pydantic_ai import exceptions as ai

from data.asking import Fault, ModelFaultError, Usage

_BY_STATUS = {
    401: Fault.KEY,
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
LONGEST_WAIT = 3_600.0


def fault_of(error: BaseException, used: Usage) -> ModelFaultError:
    """Return the fault that an exception of the libraries stands for."""
    wait = getattr(error, "retry_after", None)
    seconds = min(float(wait), LONGEST_WAIT) if isinstance(wait, int | float) else None
    usage = used if used.tokens_in or used.tokens_out else None
    return ModelFaultError(_fault(error), retry_after=seconds, usage=usage)


def _fault(error: BaseException) -> Fault:
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _BY_STATUS.get(status, Fault.SERVER if status >= 500 else Fault.REJECTED)
    for kind, fault in _BY_KIND:
        if isinstance(error, kind):
            return fault
    # Malformed streams surface as anything: decoding errors, key errors, type errors.
    return Fault.MALFORMED
