"""Account records from a service of the organization's: one signed request (Standard Webhooks).

The request is `POST {"type": "accounts.list", "timestamp": …}` with the three headers of a signed
webhook; the answer is `{"accounts": [{"email": …, "plan": …}]}` with the columns of `accounts.csv`.
The host is resolved once and its addresses looked at; no redirects, no proxies, bounded in time
and bytes. What is answered is written as `accounts.fetched.csv`, in one step.
"""

import asyncio
import csv
import io
import json
import ssl
from datetime import UTC, datetime
from pathlib import Path

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from connectors.bounded_http import (
    EndpointForbiddenError,
    pin_url,
    post_pinned,
    read_bounded,
    resolve_host,
)
from connectors.disk import write_durably
from connectors.endpoint import EndpointClient
from connectors.sources.account_files import FETCHED, AccountLine
from connectors.webhook import sign
from data.errors import OutsidePermanentError, OutsideTemporaryError

SECONDS, MOST_BYTES = 30.0, 16 << 20


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    accounts: tuple[AccountLine, ...]


async def fetch_records(
    url: str,
    key: str,
    *,
    allow_private: bool,
    now: datetime | None = None,
    tls: ssl.SSLContext | None = None,
) -> bytes:
    """Return the records of a service as CSV, in UTF-8.

    Raises:
        OutsideTemporaryError: the service does not answer, or not with 200.
        OutsidePermanentError: its address must not be called, or its answer is not of this form.
        ForbiddenError: the key is not valid (`connectors.webhook.sign`).

    """
    now = now or datetime.now(UTC)
    body = json.dumps({"type": "accounts.list", "timestamp": now.isoformat()}).encode()
    headers = await asyncio.to_thread(sign, key, f"accounts-{int(now.timestamp())}", now, body)
    try:
        async with asyncio.timeout(SECONDS):
            content = await _ask(url, headers, body, allow_private, tls)
    except EndpointForbiddenError as error:
        raise OutsidePermanentError(f"{error}; it is 'accounts.url' of the policy") from error
    except (TimeoutError, OSError, httpx.HTTPError) as error:
        raise OutsideTemporaryError(
            f"the service of accounts {url!r} does not answer: {str(error) or type(error).__name__}"
        ) from error
    try:
        lines = _Answer.model_validate_json(content).accounts
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise OutsidePermanentError(
            f"the service of accounts {url!r} does not answer in the documented form: see {where!r}"
        ) from error
    return _as_csv(lines)


def write_fetched(folder: Path, content: bytes) -> bool:
    """Write fetched records into a folder of sources, in one step; return whether they differ."""
    path = folder / FETCHED
    if path.exists() and path.read_bytes() == content:
        return False
    write_durably(folder, FETCHED, content)
    return True


async def _ask(
    url: str, headers: dict[str, str], body: bytes, allow_private: bool, tls: ssl.SSLContext | None
) -> bytes:
    parts = EndpointClient(allow_private=allow_private).split_allowed_url(url)
    pinned = await pin_url(
        parts,
        resolve_host,
        allow_private=allow_private,
        whose="the host",
        setting="endpoint_allow_private",
    )
    # The certificates of a system take a while to load.
    if tls is None:
        tls = await asyncio.to_thread(ssl.create_default_context)
    async with post_pinned(pinned, body, headers, tls) as answer:
        if answer.status_code != httpx.codes.OK:
            raise OutsideTemporaryError(
                f"the service of accounts {url!r} answered {answer.status_code}; see its key"
            )
        refusal = f"the service of accounts {url!r} answers more than {MOST_BYTES} bytes"
        return await read_bounded(answer, MOST_BYTES, refusal)


def _as_csv(lines: tuple[AccountLine, ...]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, tuple(AccountLine.model_fields))
    writer.writeheader()
    for line in sorted(lines, key=lambda line: (line.email.lower(), line.account)):
        writer.writerow({**line.model_dump(), "renewal": line.renewal or ""})
    return text.getvalue().encode()
