"""Handling rules over the whole line: they count once confirmed, and only restrict or file."""

import pytest

from data.errors import ConflictError
from data.records.mail.rules import RuleState
from data.store.mail import rules
from flows.mail.people import ruling
from tests.core.small import CUSTOMER, Line
from tests.people import person

HOURS = "When is the workshop open?"


async def confirmed(line: Line, sentence: str) -> str:
    """Propose and confirm a rule; return its id."""
    write = line.workspace.db.write
    organization = line.workspace.organization
    identity = await write(ruling.propose, organization, sentence, person("ida"), line.clock())
    await write(ruling.confirm, identity, person("ida"), line.clock())
    return identity


async def last_case(line: Line) -> dict[str, object]:
    """Return the newest case with its first branch's plan."""
    found = await line.rows(
        "SELECT c.*, b.plan FROM cases c JOIN branches b ON b.case_id = c.id "
        "ORDER BY c.created_at DESC, b.position"
    )
    return found[0]


async def test_a_rule_counts_from_its_confirmation_to_its_end(line: Line) -> None:
    """Proposed it does nothing, confirmed it files, retired it does nothing again."""
    write = line.workspace.db.write
    sentence = f"anything from {CUSTOMER}: archive and tag paper"
    identity = await write(
        ruling.propose, line.workspace.organization, sentence, person("ida"), line.clock()
    )
    line.send(HOURS, subject="One")
    await line.run()
    assert (await last_case(line))["state"] == "in_review"
    (view,) = await line.workspace.db.read(ruling.views, identity)
    assert (view.state, view.matched, view.examples[0].subject) == (RuleState.PROPOSED, 1, "One")
    await write(ruling.confirm, identity, person("ida"), line.clock())
    line.send(HOURS, subject="Two")
    await line.run()
    filed = await last_case(line)
    assert filed["state"] == "archived"
    assert "version 1" in str(filed["plan"])
    assert {row["tag"] for row in await line.rows("SELECT tag FROM thread_tags")} >= {"paper"}
    await write(ruling.retire, identity, person("ida"), line.clock())
    line.send(HOURS, subject="Three")
    await line.run()
    assert (await last_case(line))["state"] == "in_review"
    with pytest.raises(ConflictError):
        await write(ruling.confirm, identity, person("ida"), line.clock())
    actions = await line.rows("SELECT action FROM audit_events ORDER BY sequence")
    assert [row["action"] for row in actions] == ["propose-rule", "confirm-rule", "retire-rule"]


async def test_always_ask_holds_the_reply_back(line: Line) -> None:
    """The reply of a matching case needs a person; another case keeps the policy's floor."""
    await confirmed(line, "anything about opening hours or open: always ask")
    line.send(HOURS, subject="Hours")
    await line.run()
    assert '"floor":"person"' in str((await last_case(line))["plan"])
    line.send("What does the inspection cost?", subject="Repair", sender="otto@finch.example")
    await line.run()
    assert '"floor":"person"' not in str((await last_case(line))["plan"])


async def test_hold_drafts_nothing_and_assign_hands_over(line: Line) -> None:
    """A held case waits in review without a draft; an assigned one goes to the named person."""
    await confirmed(line, f"anything from {CUSTOMER}: hold")
    await confirmed(line, "anything from finch.example: assign to Ida Fenn")
    line.send(HOURS, subject="Held")
    await line.run()
    held = await last_case(line)
    assert (held["state"], held["has_draft"]) == ("in_review", False)
    line.send(HOURS, subject="Given", sender="otto@finch.example")
    await line.run()
    given = await last_case(line)
    assert (given["state"], given["assignee"]) == ("escalated", "ida@teasel.example")


async def test_versions_go_up_with_every_confirmation(line: Line) -> None:
    """Each confirmed rule has a version of its own, in the order of the confirmations."""
    await confirmed(line, "anything about looms: always ask")
    await confirmed(line, "anything about wool: hold")
    names = [name for name, _ in await line.workspace.db.read(rules.list_counting)]
    assert [name.rpartition(", ")[2] for name in names] == ["version 1", "version 2"]
