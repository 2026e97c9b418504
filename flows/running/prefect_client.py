"""The client of Prefect's server: what it could not take at once is offered again soon.

The server answers 503 when its SQLite was written by somebody else between the reading and the
writing of one of its transactions, which happens to a flow run in four while several go beside each
other. Prefect's client then waits for 2 s, in which a whole batch stands still, unless the answer
says when to come again (Retry-After, RFC 9110, section 10.2.3).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from prefect.context import AsyncClientContext

SOON_SECONDS = 0.1


@asynccontextmanager
async def patient_client() -> AsyncIterator[None]:
    """Let the flow runs in the body use one client, which waits shortly for a busy server."""
    async with AsyncClientContext(httpx_settings={"event_hooks": {"response": [_come_again]}}):
        yield


async def _come_again(response: httpx.Response) -> None:
    """Say when to come again where the server has not."""
    if response.status_code == httpx.codes.SERVICE_UNAVAILABLE:
        response.headers.setdefault("Retry-After", str(SOON_SECONDS))
