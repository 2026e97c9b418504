"""Who is answered: a colleague's forward, a copy for information, a colleague's own mail."""

from data.records.core.organization import Person
from flows.api.mail.review.case_view import case_view
from tests.core.small import ADDRESS, CUSTOMER, Line

COLLEAGUE = "ole@teasel.example"


def mail(
    sender: str, text: str, *, to: str = ADDRESS, cc: str = "", subject: str = "Loom"
) -> bytes:
    """Return a plain mail."""
    copied = f"Cc: {cc}\r\n" if cc else ""
    return (
        f"From: {sender}\r\nTo: {to}\r\n{copied}Subject: {subject}\r\n"
        f"Date: Mon, 02 Mar 2026 09:59:00 +0000\r\nMessage-ID: <w{len(text)}@x.example>\r\n\r\n"
        + text.replace("\n", "\r\n")
    ).encode()


async def test_a_customers_mail_that_a_colleague_passes_on_is_hers(line: Line) -> None:
    """Her question is answered, to her, by name; the colleague's note is in no reply."""
    text = (
        "Please answer her, thanks. Ole\n\n---------- Forwarded message ---------\n"
        f"From: Mara Heron <{CUSTOMER}>\nDate: Mon, 2 Mar 2026 at 09:12\n"
        f"Subject: Opening hours\nTo: Ole <{COLLEAGUE}>\n\nHello Ole,\n\n"
        "when is the workshop open?\n\nMara Heron\n"
    )
    raw = mail(f"Ole Reed <{COLLEAGUE}>", text, subject="Fwd: Opening hours")
    item = line.send("", raw=raw, sender=COLLEAGUE)
    await line.run()

    assert await line.status(item) == "draft_ready"
    (case,) = await line.rows("SELECT id, contact_email, would_auto_send FROM cases")
    assert (case["contact_email"], case["would_auto_send"]) == (CUSTOMER, False)
    view = await case_view(line.house, line.workspace, str(case["id"]))
    assert view.recipients == (CUSTOMER,)
    draft = view.revisions[-1].draft
    assert draft.subject == "Re: Opening hours"
    assert draft.body.startswith("Hello Mara Heron,")
    assert "09:00 to 16:30" in draft.body
    assert "Please answer her" not in view.reply_preview


async def test_what_is_asked_of_somebody_else_gets_no_draft(line: Line) -> None:
    """In copy alone a case waits without a reply, and says whose answer it is."""
    text = "Ben, when is the workshop open?\n\nOtto\n"
    raw = mail("Otto Bly <otto@heron.example>", text, to="Ben <ben@heron.example>", cc=ADDRESS)
    item = line.send("", raw=raw, sender="otto@heron.example")
    await line.run()

    assert await line.status(item) == "draft_ready"
    (case,) = await line.rows("SELECT id, outcome, has_draft FROM cases")
    assert (case["outcome"], case["has_draft"]) == ("review", False)
    view = await case_view(line.house, line.workspace, str(case["id"]))
    assert view.decision is not None
    assert "written to Ben" in view.decision.reason


async def test_a_colleagues_own_mail_gets_no_customers_draft(line: Line) -> None:
    """Who is named in the organization's people is inside, unless DMARC says it is forged."""
    people = (Person(name="Ole Reed", email=COLLEAGUE, role="workshop"),)
    house = line.workspace.organization.model_copy(update={"people": people})
    line.workspace.organization = house
    line.send("The crank is in, I told the customer.", sender=COLLEAGUE, subject="Crank")
    await line.run()
    (case,) = await line.rows("SELECT id, category, has_draft FROM cases")
    assert (case["category"], case["has_draft"]) == ("internal", False)


async def test_a_later_copy_takes_no_draft_from_what_was_asked_of_us(line: Line) -> None:
    """She asks us, then tells somebody else with a copy to us: her question is still ours."""
    line.send("", raw=mail(f"Mara <{CUSTOMER}>", "When is the workshop open?\n"))
    await line.run()
    text = "For your files, Bo, the loom is the old one.\n"
    raw = mail(f"Mara <{CUSTOMER}>", text, to="Bo <bo@elsewhere.example>", cc=ADDRESS)
    line.send("", raw=raw)
    await line.run()
    (case,) = await line.rows("SELECT id, message_ids FROM cases WHERE state = 'in_review'")
    view = await case_view(line.house, line.workspace, str(case["id"]))
    assert len(case["message_ids"]) == 2  # type: ignore[arg-type]
    assert "09:00 to 16:30" in view.revisions[-1].draft.body
