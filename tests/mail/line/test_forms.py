"""Mail of a website's contact form, over the whole line: a person's case, never sent by itself."""

import pytest

from data.records.core.organization import AutonomyRule, Mode
from data.records.core.understanding import Category
from flows.api.mail.review.case_view import case_view
from tests.core.small import ADDRESS, CUSTOMER, Line, letter

FORM = (
    "Name: Mara Heron\r\nEmail: mara@heron.example\r\nMessage:\r\n"
    "\r\nWhen is the workshop open?\r\n"
)
SITES = ["wordpress@shop.example", "no-reply@shop.example", ADDRESS]


def posted(sender: str, head: str = "") -> bytes:
    """Return what a website's mailer sends for somebody who filled in its form."""
    return (
        f"From: Website <{sender}>\r\nTo: {ADDRESS}\r\nSubject: New enquiry\r\n"
        f"Date: Mon, 02 Mar 2026 09:59:00 +0000\r\nMessage-ID: <form@shop.example>\r\n"
        f"Authentication-Results: front.example; dmarc=pass header.from=shop.example\r\n"
        f"{head}\r\n{FORM}"
    ).encode()


@pytest.mark.parametrize("sender", SITES)
async def test_a_form_becomes_the_persons_case_and_waits_for_a_person(
    line: Line, sender: str
) -> None:
    """The reply goes to who filled it in; though everything may leave by itself, it does not."""
    rules = tuple(AutonomyRule(category=one, auto_send=True) for one in Category)
    line.workspace.policy = line.workspace.policy.model_copy(
        update={"mode": Mode.LIVE, "autonomy_rules": rules, "confidence_threshold": 0.0}
    )
    sent = line.send("", raw=posted(sender), sender=sender)
    await line.run()

    assert await line.status(sent) == "draft_ready"
    (case,) = await line.rows("SELECT id, contact_email, outcome FROM cases")
    assert (case["contact_email"], case["outcome"]) == (CUSTOMER, "review")
    view = await case_view(line.house, line.workspace, str(case["id"]))
    assert view.recipients == (CUSTOMER,)
    assert "09:00 to 16:30" in view.revisions[-1].draft.body
    assert view.decision is not None
    held = {gate.name: gate.reason for gate in view.decision.gates if not gate.passed}
    assert any("web form" in reason for reason in held.values())
    assert await line.rows("SELECT id FROM deliveries") == []


async def test_a_second_form_of_the_same_person_joins_no_conversation(line: Line) -> None:
    """Anybody can write any address into a form, so it never reaches another's conversation."""
    line.send("When is the workshop open?", subject="New enquiry")
    await line.run()
    form = line.send("", raw=posted(SITES[0]), sender=SITES[0])
    await line.run()
    threads = await line.rows("SELECT DISTINCT thread_id FROM messages")
    assert len(threads) == 2
    assert await line.status(form) == "draft_ready"


async def test_who_writes_through_an_address_that_takes_no_answers_has_a_case(line: Line) -> None:
    """Reply-To names the contact; where it names nobody, a person decides whom to answer."""
    asked = "Hello,\n\nI would like to know whether you mend looms. Mine is broken.\n\nMara Heron\n"
    raw = letter(
        asked,
        sender="noreply@shop.example",
        headers={"Reply-To": "Mara Heron <mara@heron.example>"},
    )
    named = line.send("", raw=raw, sender="noreply@shop.example")
    unnamed = line.send(asked, sender="no-reply@other.example", subject="A question")
    await line.run()
    found = await line.rows("SELECT contact_email, would_auto_send, message_ids FROM cases")
    contacts = {one["message_ids"][0]: one["contact_email"] for one in found}  # type: ignore[index]
    assert contacts == {named: "mara@heron.example", unnamed: "no-reply@other.example"}
    assert not any(one["would_auto_send"] for one in found)
