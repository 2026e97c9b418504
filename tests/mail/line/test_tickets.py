"""Tickets and tags: made when a plan settles, once, and told to an outside tracker."""

import asyncio
import json
from datetime import UTC, datetime

from connectors.webhook import verify
from data.ids import branch_id
from data.records.core.organization import Tracker
from data.records.core.understanding import Intent
from data.records.mail.stage_outputs import Plans
from data.records.mail.tickets import TicketState
from data.states import BranchState
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import cases
from flows.core.batch import Batch
from flows.mail.leaving.endpoint_keys import make_key, read_key
from flows.mail.line.mailroom import mailroom_of
from flows.mail.line.plan_execution import carry_out_plans
from flows.mail.people import reviewing, ticketing
from flows.running.due_work import wake_due
from tests.core.small import Line
from tests.mail.gate.hook import Hook, hook
from tests.people import person

__all__ = ["hook"]

WISH = "Please send me a copy of the invoice 4711. I need it for my tax return."


async def ticket_rows(line: Line) -> list[dict[str, object]]:
    """Return every ticket."""
    return await line.rows("SELECT * FROM tickets ORDER BY number")


async def test_a_request_becomes_one_ticket_and_its_conversation_is_tagged(line: Line) -> None:
    """The ticket holds the wish and its place; the conversation bears the category."""
    line.send(WISH, subject="Invoice copy")
    await line.run()
    (ticket,) = await ticket_rows(line)
    assert (ticket["number"], ticket["state"]) == (1, "open")
    assert "Invoice copy" in str(ticket["title"])
    assert "tax return" in str(ticket["text"]) or "4711" in str(ticket["text"])
    (tag,) = await line.rows("SELECT tag, thread_id FROM thread_tags")
    assert tag["thread_id"] == ticket["thread_id"]
    assert tag["tag"] == ticket["category"]


async def test_working_on_a_case_again_makes_no_second_ticket(line: Line) -> None:
    """A redraft plans again, and a newer message of the conversation takes the wish along."""
    line.send(WISH, subject="Invoice copy", message_id="<a@heron.example>")
    await line.run()
    (case,) = await line.rows("SELECT id FROM cases")
    await reviewing.retry(line.house, line.workspace, str(case["id"]), person("ida"))
    await line.work()
    assert len(await ticket_rows(line)) == 1
    line.send(
        "PS: the number is on the parcel.",
        subject="Re: Invoice copy",
        headers={"In-Reply-To": "<a@heron.example>"},
    )
    await line.run()
    (ticket,) = [row for row in await ticket_rows(line) if "4711" in str(row["text"])]
    cases = await line.rows("SELECT id FROM cases WHERE state <> 'superseded'")
    assert ticket["case_id"] == cases[0]["id"]
    branches = await line.rows("SELECT state FROM branches")
    assert {row["state"] for row in branches} == {BranchState.DONE}


async def test_a_ticket_stays_with_its_wish_when_the_places_of_wishes_change(line: Line) -> None:
    """Planned anew behind another wish, it is that wish's yet, and the other gets its own."""
    line.send(WISH, subject="Invoice copy")
    await line.run()
    (case,) = await line.rows("SELECT id FROM cases")
    id = str(case["id"])
    other = "Please send the spare reed for my loom to Mill Lane 4."

    def plan_anew(cursor: Connection) -> None:
        (plan,) = Plans.model_validate_json(journal.read_results(cursor, "plan", [id])[id]).plans
        (branch,) = cases.list_branches(cursor, [id])
        wish = Intent.model_validate_json(branch.intent)
        cases.remove_branches(cursor, [id])
        wishes = [wish.model_copy(update={"text": other}), wish]
        cases.add_branches(
            cursor,
            [
                {
                    "id": branch_id(id, place),
                    "case_id": id,
                    "position": place,
                    "state": branch.state,
                    "intent": wish.model_dump_json(),
                }
                for place, wish in enumerate(wishes)
            ],
        )
        batch = Batch(house=line.house, workspace=line.workspace, ids=[id])
        for _ in range(2):  # again changes nothing
            carry_out_plans(cursor, batch, {id: [plan, plan]}, line.clock())

    await line.workspace.db.write(plan_anew)
    first, second = await ticket_rows(line)
    assert "4711" in str(first["text"]) or "tax return" in str(first["text"])
    assert (first["branch_id"], second["branch_id"]) == (branch_id(id, 1), branch_id(id, 0))
    assert second["text"] == other


async def test_a_ticket_about_the_same_is_pointed_out(line: Line) -> None:
    """Another customer's wish for the same names the open ticket; both stay."""
    line.send("Please send me a copy of the invoice 4711 from June.", subject="Invoice")
    await line.run()
    line.send(
        "Please send me a copy of the invoice from June.",
        subject="Copy of my invoice",
        sender="otto@finch.example",
    )
    await line.run()
    first, second = await ticket_rows(line)
    assert second["duplicate_of"] == first["id"]
    assert first["duplicate_of"] == ""


async def test_a_tracker_is_told_signed_and_once_per_change(line: Line, hook: Hook) -> None:
    """Opening, comment and closing arrive in order with signatures that verify; none twice."""
    house = line.house
    mailroom_of(house).endpoints = type(mailroom_of(house).endpoints)(
        allow_private=True, timeout_seconds=60
    )
    make_key(house.settings, "tracker")
    line.workspace.policy = line.workspace.policy.model_copy(
        update={"tracker": Tracker(url=hook.url, secret="tracker")}
    )
    line.send(WISH, subject="Invoice copy")
    await line.run()
    (ticket,) = await ticket_rows(line)
    identity = str(ticket["id"])
    await ticketing.comment(house, line.workspace, identity, "Asked accounting.", person("ida"))
    await ticketing.turn(house, line.workspace, identity, TicketState.CLOSED, "sent", person("ida"))
    hook.answer(503)
    assert await wake_due(house)
    line.clock.forward(60)
    for _ in range(4):
        await wake_due(house)
        await asyncio.sleep(0)
    (waiting,) = await line.rows("SELECT count(*) AS n FROM ticket_pushes WHERE state = 'queued'")
    assert waiting["n"] == 0
    told = [json.loads(body)["type"] for _, body in hook.heard[1:]]
    assert told == ["ticket.opened", "ticket.comment", "ticket.closed"]
    headers, body = hook.heard[-1]
    at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
    assert verify(read_key(house.settings, "tracker"), headers, body, at)
