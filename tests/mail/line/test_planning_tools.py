"""The tools of planning: typed, labelled, and unable to see beyond the case's contact."""

import pytest

from data.records.core.knowledge import SavedReply
from data.records.core.tools import Effect, Label
from data.records.mail.tools import (
    ContactFacts,
    KnownFacts,
    LikeTickets,
    Passages,
    ReplyTitles,
)
from flows.core.tools import ToolCallError
from flows.mail.line.mail_line import mail_line_of
from flows.mail.thinking.planning_tools import (
    BEGINNING,
    REPLIES,
    TOOLS,
    ToolAllowance,
    ToolScope,
    call,
)
from tests.core.small import CUSTOMER, Line
from tests.mail.line.scopes import scope_of

OTHER = "otto@finch.example"
SECRET = "The heirloom is kept behind the blue door."


async def scoped(line: Line) -> ToolScope:
    """Return the scope of a case of the customer, beside one of somebody else."""
    line.send("Please send me a copy of the invoice 4711.", subject="Invoice")
    line.send(f"Please send a copy of the invoice 4711. {SECRET}", subject="Door", sender=OTHER)
    await line.run()
    (case,) = await line.rows("SELECT id FROM cases WHERE contact_email = ?", CUSTOMER)
    return await scope_of(line, str(case["id"]))


async def test_every_tool_stays_with_the_contact_of_its_case(line: Line) -> None:
    """Contact, conversation, knowledge and tickets answer; another contact's words never do."""
    scope = await scoped(line)
    who = await call(scope, "lookup_contact", {})
    assert isinstance(who, ContactFacts)
    assert (who.email, who.cases, who.open_tickets) == (CUSTOMER, 1, 1)
    known = await call(scope, "search_knowledge", {"words": "copy of an invoice"})
    assert isinstance(known, KnownFacts)
    assert known.found[0].ref == "knowledge:invoice-copy"
    said = await call(scope, "search_thread", {"words": "invoice door heirloom"})
    assert isinstance(said, Passages)
    assert len(said.found) == 1
    alike = await call(scope, "find_duplicate_tickets", {"words": "copy of the invoice 4711"})
    assert isinstance(alike, LikeTickets)
    assert len(alike.found) == 2
    replies = await call(scope, "list_saved_replies", {})
    everything = "".join(r.model_dump_json() for r in (who, known, said, alike, replies))
    assert "heirloom" not in everything
    assert OTHER not in everything


async def test_saved_replies_say_what_they_are_for_and_how_they_begin(line: Line) -> None:
    """Each has its categories and the beginning of its text on one line; a long list is cut."""
    body = "Hello {first_name},\n\nwe mend looms of every size.\n\n" + "Bring the reed. " * 500
    mail_line_of(line.workspace).saved_replies = tuple(
        SavedReply(id=f"r{number}", title="Repairs", categories=("support",), body=body)
        for number in range(REPLIES + 3)
    )
    scope = ToolScope(line.workspace, "case", "thread", CUSTOMER, line.clock())
    found = await call(scope, "list_saved_replies", {})
    assert isinstance(found, ReplyTitles)
    assert (len(found.found), found.left_off) == (REPLIES, 3)
    first = found.found[0]
    assert first.categories == ("support",)
    assert first.begins.startswith("Hello {first_name}, we mend looms of every size. Bring the")
    assert len(first.begins) <= BEGINNING
    assert len(found.model_dump_json()) < REPLIES * (BEGINNING + 200)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("send_mail", {"words": "x"}),
        ("search_thread", {}),
        ("search_thread", {"words": "x", "contact_email": OTHER}),
        ("lookup_contact", {"email": OTHER}),
        ("search_knowledge", {"words": "x", "organization": "other"}),
        ("search_knowledge", {"words": "x" * 401}),
    ],
)
async def test_calls_beyond_the_registry_are_refused(
    line: Line, name: str, arguments: dict[str, object]
) -> None:
    """An unknown tool, a missing argument, or one that would widen the scope gets nowhere."""
    scope = ToolScope(line.workspace, "case", "thread", CUSTOMER, line.clock())
    with pytest.raises(ToolCallError):
        await call(scope, name, arguments)


async def test_labels_decide_where_a_tool_may_be_used(line: Line) -> None:
    """Where untrusted text is not allowed, tools that return it are refused."""
    scope = ToolScope(line.workspace, "case", "thread", CUSTOMER, line.clock())
    only = ToolAllowance(frozenset({Label.PRIVATE}), outside=False)
    with pytest.raises(ToolCallError, match="not allowed"):
        await call(scope, "search_thread", {"words": "x"}, only)
    await call(scope, "list_saved_replies", {}, only)
    assert all(declared.effect is Effect.NONE for declared in TOOLS.declarations)
