"""Attachments are read when somebody asks: screened like mail, kept nowhere, fed to no draft."""

from email.message import EmailMessage

import pytest

from data.records.core.screening import Verdict
from data.records.mail.documents import DocumentView
from data.store.core import journal
from flows.api.mail.review.case_view import case_view
from flows.mail.people.documents import read_attachment
from flows.mail.thinking.planning_tools import call
from tasks.mail.read import Reading
from tests.core.reading.documents import ORDER, WORDS, word
from tests.core.small import ADDRESS, CUSTOMER, Line
from tests.mail.line.scopes import scope_of
from tests.people import person


async def asked(
    line: Line, name: str, content: bytes, kind: str = "application/octet-stream"
) -> DocumentView:
    """Send a mail with that file and have it read."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = CUSTOMER, ADDRESS, "Repair"
    message["Date"] = "Mon, 02 Mar 2026 09:59:00 +0000"
    message["Message-ID"] = f"<{name}@heron.example>"
    message.set_content("How long does a repair take? The details are attached.")
    message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    item = line.send("", raw=message.as_bytes().replace(b"\n", b"\r\n"))
    await line.intake()
    parsed = await line.workspace.db.read(journal.read_results, "parse", [item])
    (entry,) = Reading.model_validate_json(parsed[item]).mail.attachments
    return await read_attachment(line.house, line.workspace, item, entry.sha256, person("ida"))


async def test_orders_in_a_file_are_found_and_told_to_no_model(line: Line) -> None:
    """Its text is screened like mail; the tool of planning gives it to nobody then."""
    view = await asked(line, "orders.docx", word(ORDER))
    assert view.verdict is not Verdict.CLEAN
    assert view.findings
    await line.work()
    (row,) = await line.rows("SELECT case_id FROM messages WHERE id = ?", view.message_id)
    if row["case_id"]:
        scope = await scope_of(line, str(row["case_id"]))
        told = await call(scope, "read_attachment", {"words": "orders.docx"})
        assert told.text == ""  # type: ignore[attr-defined]
        assert "screen warns" in told.trouble  # type: ignore[attr-defined]


HIDING = [
    "<p>Our floor plan.</p><div style='display:none'>{order}</div>",
    "<p>Unser Plan.</p><p style='font-size:0'>{order}</p>",
    "<p>Notre plan.</p><!-- {order} -->",
    "<div hidden>{order}</div>",
]


@pytest.mark.parametrize("page", HIDING)
async def test_orders_that_hide_in_a_page_are_found(line: Line, page: str) -> None:
    """What its reader does not see is no part of the text, and is screened all the same."""
    html = f"<html><body>{page.format(order=ORDER)}</body></html>".encode()
    view = await asked(line, "plan.html", html)
    assert view.verdict is not Verdict.CLEAN
    assert "previous instructions" not in view.document.text
    assert any("previous instructions" in one.text for one in view.document.hidden)


async def test_a_page_that_hides_nothing_is_clean(line: Line) -> None:
    """A title, a table and an empty preheader are what pages have."""
    page = (
        b"<html><head><title>Plan</title></head><body><span style='display:none'></span>"
        b"<table><tr><td>Hall 2</td><td>24 receivers</td></tr></table></body></html>"
    )
    view = await asked(line, "plan.html", page)
    assert view.verdict is Verdict.CLEAN
    assert [one.text for one in view.document.hidden] == ["Plan"]  # its title is not on the page
    assert "24 receivers" in view.document.text


async def test_the_tool_reads_files_of_its_case_alone(line: Line) -> None:
    """By name; and no draft was fed with it before or after."""
    view = await asked(line, "plan.docx", word(WORDS))
    await line.work()
    (row,) = await line.rows("SELECT case_id FROM messages WHERE id = ?", view.message_id)
    scope = await scope_of(line, str(row["case_id"]))
    told = await call(scope, "read_attachment", {"words": "plan.docx"})
    assert "Fern Quay 9" in told.text  # type: ignore[attr-defined]
    other = await call(scope, "read_attachment", {"words": "elsewhere.docx"})
    assert "No attachment" in other.trouble  # type: ignore[attr-defined]
    case = await case_view(line.house, line.workspace, str(row["case_id"]))
    assert "Fern Quay" not in "".join(one.text for one in case.snippets)
    assert "Fern Quay" not in (case.revisions[-1].draft.body if case.revisions else "")
