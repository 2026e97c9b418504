"""A model that repeats our private mark, in whatever it writes: the case is quarantined."""

import base64
from collections.abc import Callable

import pytest

from tests.core.models import messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import StandIn, Step
from tests.mail.models.forms import DRAFT, PLAN, agent_of, sensible
from tests.mail.models.test_line_with_models import ASKED, only_case

REPLY = PLAN["actions"][0]


def titled(mark: str) -> Step:
    """Plan a ticket whose title is the mark, turned round and spaced."""
    ticket = {"type": "create_ticket", "reason": "r", "argument": " ".join(mark[::-1])}
    return messages_api.fills({"actions": [REPLY, ticket]})


def reasoned(mark: str) -> Step:
    """Plan a reply for a reason that holds the mark in two pieces."""
    return messages_api.fills({"actions": [{**REPLY, "reason": f"{mark[:12]}, then {mark[12:]}"}]})


def searched(mark: str) -> Step:
    """Look the mark up, packed in base64."""
    return messages_api.looks_up(("search_knowledge", {"words": _packed(mark)}))


def drafted(mark: str) -> Step:
    """Write it into the reply, packed in base64."""
    return messages_api.fills({**DRAFT, "body": f"{DRAFT['body']} Ref. {_packed(mark)}."})


def _packed(mark: str) -> str:
    return base64.b64encode(mark.encode()).decode()


@pytest.mark.parametrize(
    ("agent", "make"),
    [("planner", titled), ("planner", reasoned), ("planner", searched), ("drafter", drafted)],
    ids=["title", "reason", "tool", "draft"],
)
async def test_an_echo_of_the_mark_quarantines(
    thinking: OpenThinking, agent: str, make: Callable[[str], Step]
) -> None:
    """In a ticket's title, a reason, a tool's argument or a reply: put aside, nothing leaves."""
    well = sensible(messages_api.fills)
    async with StandIn([well]) as server, thinking(server) as line:
        wrong = make(line.workspace.canary)
        server.steps = [lambda seen: (wrong if agent_of(seen) == agent else well)(seen)]
        line.send(ASKED)
        await line.run()
        view = await only_case(line)
        messages = await line.rows("SELECT status FROM messages")
        (case,) = await line.rows("SELECT note FROM cases")
        tickets = await line.rows("SELECT title FROM tickets")
        sent = await line.rows("SELECT id FROM deliveries")
        audited = await line.rows("SELECT detail FROM audit_events WHERE action = 'quarantine'")
        asked = [agent_of(seen) for seen in server.seen]
    assert messages == [{"status": "quarantined"}]
    assert [one.check for one in view.revisions[-1].checked.findings][-1:] == ["canary"]  # type: ignore[union-attr]
    assert "mark of private context" in str(case["note"])
    assert (tickets, sent) == ([], [])
    assert len(audited) == 1
    assert asked.count(agent) == 1
