"""Mail over HTTP: `POST /webhooks/inbound`, signed by the Standard Webhooks scheme.

The signature names the organization: whichever organization's secret made it, never the payload.
The answer comes after the message is durable in the spool.
"""

import asyncio

from fastapi import APIRouter, Request

from connectors.webhook import read_payload, verify
from data.counting import size_words
from data.errors import ConflictError, ForbiddenError
from data.records.core.envelope import Channel
from data.store.core import control, webhook_ids
from flows.api.core.bodies import TooLargeError
from flows.api.core.context import WAKES, HouseOf
from flows.core.house import House
from flows.mail.line.mail_line import mail_line_of

router = APIRouter(tags=["webhook"])
BESIDE_RAW = 100_000
"""Bytes of a body beside the message: a hundred addresses, and the names of the fields."""


@router.post("/webhooks/inbound", status_code=202, dependencies=[WAKES])
async def inbound(request: Request, house: HouseOf) -> dict[str, str]:
    """Take one raw message; repeating a `webhook-id` changes nothing."""
    largest = house.settings.message_size_limit
    body = await _read_body(request, largest)
    slug, webhook_id = await _signed_by(house, dict(request.headers), body)
    mail_from, rcpt_to, raw = read_payload(body)
    if len(raw) > largest:
        raise _too_large(largest)
    foreign = [
        address
        for address in rcpt_to
        if (route := house.routes.match(address)) is None or route.organization != slug
    ]
    if foreign:
        raise ForbiddenError(f"recipient {foreign[0]!r} does not belong to {slug!r}")
    workspace = await house.get_workspace(slug)
    if webhook_id in mail_line_of(workspace).webhooks_at_hand:
        raise ConflictError(f"webhook {webhook_id!r} is being taken; its first request is answered")
    mail_line_of(workspace).webhooks_at_hand.add(webhook_id)
    try:
        if await workspace.db.read(webhook_ids.has_id, webhook_id):
            raise ConflictError(f"webhook {webhook_id!r} was taken already")
        envelope = await asyncio.to_thread(
            house.spool.put,
            raw,
            channel=Channel.WEBHOOK,
            mail_from=mail_from,
            rcpt_to=rcpt_to,
            peer=request.client.host if request.client else "",
        )
        # Only now: noted before, a crash in between would refuse the retry and lose the mail.
        await workspace.db.write(webhook_ids.note, webhook_id, house.clock())
    finally:
        mail_line_of(workspace).webhooks_at_hand.discard(webhook_id)
    return {"id": envelope.spool_id}


async def _read_body(request: Request, largest: int) -> bytes:
    """Return the body of a request; `largest` are the most bytes that its message may have.

    Who signed it is known only once all of it is here, so anybody may send this much and no more.

    Raises:
        TooLargeError: it is longer than the base64 of such a message, and what goes with it.

    """
    most = (largest + 2) // 3 * 4 + BESIDE_RAW
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise _too_large(largest)
    return bytes(body)


def _too_large(largest: int) -> TooLargeError:
    return TooLargeError(
        f"a message may have {size_words(largest)}, and this one has more; make it smaller, or "
        "raise the setting 'message_size_limit'"
    )


async def _signed_by(house: House, headers: dict[str, str], body: bytes) -> tuple[str, str]:
    """Return whose secret signed a body, and its `webhook-id`.

    Raises:
        ForbiddenError: no organization's secret did, or the signature is too old.

    """
    for organization in await house.control.read(control.list_organizations):
        keys = await house.control.read(control.read_keys, organization.slug)
        try:
            return organization.slug, verify(keys.webhook_secret, headers, body, house.clock())
        except ForbiddenError:
            continue
    raise ForbiddenError("no organization's secret made this signature, or it is too old")
