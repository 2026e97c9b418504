"""An outside tracker that fails: told at least once under one id, shown, and nothing is lost."""

import asyncio
import json
import ssl

import pytest

from connectors.endpoint import EndpointClient
from data.errors import ConflictError
from data.records.core.organization import Tracker
from data.store.mail import tickets
from flows.mail.leaving.endpoint_keys import make_key
from flows.mail.leaving.ticket_news import tell_due
from flows.mail.line.mailroom import mailroom_of
from flows.mail.people import ticketing
from tests.core.small import Line
from tests.mail.gate.hook import HANG, Hook, hook
from tests.people import person

__all__ = ["hook"]

WISH = "Please send me a copy of the invoice 4711. I need it for my tax return."


async def open_ticket(line: Line, url: str, seconds: float = 60) -> str:
    """Open a ticket of an organization with a tracker; return its id."""
    mailroom_of(line.house).endpoints = EndpointClient(allow_private=True, timeout_seconds=seconds)
    make_key(line.house.settings, "tracker")
    named = {"tracker": Tracker(url=url, secret="tracker")}
    line.workspace.policy = line.workspace.policy.model_copy(update=named)
    line.send(WISH, subject="Invoice copy")
    await line.run()
    (ticket,) = await line.rows("SELECT id FROM tickets")
    return str(ticket["id"])


async def push(line: Line) -> dict[str, object]:
    """Return the one thing that the tracker is told."""
    (row,) = await line.rows("SELECT * FROM ticket_pushes")
    return row


def ids(hook: Hook) -> list[str]:
    """Return the ids under which the tracker was told, in order."""
    return [headers["webhook-id"] for headers, _ in hook.heard]


async def test_refusals_and_redirects_are_tried_again_under_one_id(line: Line, hook: Hook) -> None:
    """After a 500, a 404 and a redirect, which is not followed, it comes again; junk is no harm."""
    await open_ticket(line, hook.url)
    elsewhere = {"Location": "http://127.0.0.1:1/elsewhere"}
    hook.answer(500, 404, (302, elsewhere), (200, {"X-Junk": "\x01\x02<html>"}))
    for attempt in range(1, 4):
        assert await tell_due(line.house, line.workspace) == 1
        row = await push(line)
        assert (row["state"], row["failures"]) == ("queued", attempt)
        assert "answered" in str(row["response"])
        assert await tell_due(line.house, line.workspace) == 0
        line.clock.forward(3000)
    await tell_due(line.house, line.workspace)
    assert (await push(line))["state"] == "delivered"
    assert len(ids(hook)) == 4
    assert len(set(ids(hook))) == 1


async def test_who_hangs_is_left_and_told_again(line: Line, hook: Hook) -> None:
    """An answer that never comes is no delivery; two tickets wait for theirs side by side."""
    first = await open_ticket(line, hook.url, seconds=3)
    await ticketing.comment(line.house, line.workspace, first, "Asked.", person("ida"))
    line.send(
        "Please send a catalogue to my office.", subject="Catalogue", sender="o@finch.example"
    )
    await line.run()
    hook.answer(HANG, HANG)
    assert await tell_due(line.house, line.workspace) == 2
    assert hook.most_open == 2
    rows = await line.rows("SELECT state, failures FROM ticket_pushes WHERE failures > 0")
    assert [row["state"] for row in rows] == ["queued", "queued"]
    hook.released.set()


async def test_a_certificate_that_nobody_vouches_for_is_no_delivery(line: Line, hook: Hook) -> None:
    """What does not speak proper TLS gets nothing, and is asked again later."""
    await open_ticket(line, hook.url.replace("http:", "https:"))
    tls = ssl.create_default_context()
    mailroom_of(line.house).endpoints = EndpointClient(
        allow_private=True, tls=tls, timeout_seconds=60
    )
    await tell_due(line.house, line.workspace)
    row = await push(line)
    assert (row["state"], row["failures"]) == ("queued", 1)
    assert "cannot be reached" in str(row["response"])
    assert hook.heard == []


async def test_killed_between_effect_and_record_it_is_told_again_under_the_same_id(
    line: Line, hook: Hook
) -> None:
    """The tracker knows the repeat by its id; the news is never lost."""
    await open_ticket(line, hook.url)
    hook.answer(HANG)
    attempt = asyncio.create_task(tell_due(line.house, line.workspace))
    while not hook.heard and not attempt.done():  # noqa: ASYNC110  # the hook only notes
        await asyncio.sleep(0.01)
    attempt.cancel()
    with pytest.raises(asyncio.CancelledError):
        await attempt
    hook.released.set()
    assert (await push(line))["state"] == "queued"
    await tell_due(line.house, line.workspace)
    assert (await push(line))["state"] == "delivered"
    assert len(ids(hook)) == 2
    assert len(set(ids(hook))) == 1


async def test_what_is_given_up_is_shown_and_a_person_has_it_told_again(
    line: Line, hook: Hook
) -> None:
    """After the last attempt people are notified; the ticket says so, and one press tells all."""
    ticket = await open_ticket(line, hook.url)
    await ticketing.comment(line.house, line.workspace, ticket, "Asked accounting.", person("ida"))
    hook.answer(410, 410)
    await tell_due(line.house, line.workspace)
    await tell_due(line.house, line.workspace)
    untold, unheard, why = await line.workspace.db.read(tickets.count_untold, ticket)
    assert (untold, unheard) == (0, 2)
    assert "wants no more" in why
    told = await line.rows("SELECT kind FROM notifications WHERE kind = 'ticket_failed'")
    assert len(told) == 2
    await ticketing.tell_again(line.house, line.workspace, ticket, person("ida"))
    await tell_due(line.house, line.workspace)
    await tell_due(line.house, line.workspace)
    assert [json.loads(body)["type"] for _, body in hook.heard[2:]] == [
        "ticket.opened",
        "ticket.comment",
    ]
    assert ids(hook)[:2] == ids(hook)[2:]
    with pytest.raises(ConflictError, match="has heard everything"):
        await ticketing.tell_again(line.house, line.workspace, ticket, person("ida"))
    assert await line.rows("SELECT 1 FROM audit_events WHERE action = 'ticket-tell'")
