"""An answer that repeats our letter without a mark: the case is about the rest alone."""

from data.records.mail.orders import Approve
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from flows.mail.people import reviewing
from tests.core.small import Line
from tests.people import person


async def test_our_own_letter_at_the_end_of_an_answer_is_not_accounted_for(line: Line) -> None:
    """What we asked is no question of the customer's, and needs no answer."""
    line.send("When is the workshop open?")
    await line.run()
    (row,) = await line.rows("SELECT id FROM cases")
    view = await case_view(line.house, line.workspace, str(row["id"]))
    given = Approve(version=view.version, approval_hash=view.approval_hash)
    await reviewing.approve(line.house, line.workspace, view.id, given, person("ida"))
    await delivery_batch(line.house, line.workspace)
    (sent,) = await line.rows("SELECT body, message_id FROM deliveries")
    body = " ".join(str(sent["body"]).split())

    line.clock.forward(60)
    text = f"Thank you, and what does a table loom cost? On 3 March 2026 Teasel Looms wrote: {body}"
    line.send(text, subject="Re: Opening hours", headers={"In-Reply-To": str(sent["message_id"])})
    await line.run()
    rows = await line.rows("SELECT id FROM cases ORDER BY id DESC")
    answer = await case_view(line.house, line.workspace, str(rows[0]["id"]))
    shown = answer.messages[-1].segments
    (entry,) = [one for one in answer.thread.entries if one.ref.endswith(answer.messages[-1].id)]
    assert shown is not None
    assert shown.new == entry.segments.new == "Thank you, and what does a table loom cost?"
    assert shown.quoted.startswith("On 3 March 2026 Teasel Looms wrote:")
    assert entry.segments.quoted == shown.quoted
    accounts = [one.text for one in answer.revisions[-1].checked.accounts]
    assert any("table loom" in one for one in accounts)
    assert not any("Teasel Looms wrote" in one or "open" in one for one in accounts)
