"""What colleagues ask of contacts, promises and figures, over the line of a tiny organization."""

from datetime import timedelta

from data.store.mail import promises
from tests.agents.conftest import Office
from tests.core.small import CUSTOMER

SENTENCE = "We send the shuttle by Friday."
OLD_SENTENCE = "We will call you about the reed."


async def _promise(office: Office, sentence: str, days_ago: int, *, kept: bool = False) -> None:
    """Keep a promise that was made some days ago."""
    line = office.line
    made_at = line.clock() - timedelta(days=days_ago)
    (case,) = await line.rows("SELECT id, thread_id FROM cases")
    fields = {
        "id": f"promise-{days_ago}",
        "case_id": case["id"],
        "delivery_id": f"delivery-{days_ago}",
        "thread_id": case["thread_id"],
        "contact_email": CUSTOMER,
        "sentence": sentence,
        "due_on": (made_at + timedelta(days=2)).date(),
        "dated": True,
        "made_at": made_at,
    }
    await line.workspace.db.write(promises.add, [fields])
    if kept:
        await line.workspace.db.write(
            promises.close, f"promise-{days_ago}", "Ida", "sent", line.clock()
        )


async def test_what_one_contact_was_promised_is_told(office: Office) -> None:
    """Kept or not, of the days that are asked for; others are not named."""
    office.line.send("When do you open?")
    await office.line.run()
    await _promise(office, SENTENCE, 1)
    await _promise(office, OLD_SENTENCE, 60, kept=True)
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    both = str((await ida.ask(chat, "what did we promise mara?"))["text"])
    assert SENTENCE.rstrip(".") in both
    assert OLD_SENTENCE.rstrip(".") in both
    recent = str((await ida.ask(chat, "what did we promise mara in the last 7 days?"))["text"])
    assert SENTENCE.rstrip(".") in recent
    assert OLD_SENTENCE.rstrip(".") not in recent
    stranger = str((await ida.ask(chat, "did we promise anything to Zebedee?"))["text"])
    assert "No contact of ours has that name" in stranger
    assert "shuttle" not in stranger


async def test_what_cases_are_counted_by_is_told_in_words(office: Office) -> None:
    """Not by the names of the columns' values; in the language of the question."""
    office.line.send("When do you open?")
    await office.line.run()
    await office.line.rows("UPDATE cases SET category = 'feature_request' RETURNING id")
    ida = await office.sign_in("Ida")
    for question, told in (
        ("How many cases by category?", "feature request"),
        ("Wie viele Fälle nach Kategorie?", "Wunsch"),
        ("How many cases by state?", "in review"),
    ):
        answer = await ida.ask(await ida.begin("analyst"), question)
        assert f"**{told}**: 1" in answer["text"]


async def test_figures_are_counted_with_a_condition_or_refused(office: Office) -> None:
    """A condition that is no column is no condition that is left out."""
    office.line.send("When do you open?")
    await office.line.run()
    ida = await office.sign_in("Ida")
    chat = await ida.begin("analyst")
    counted = str((await ida.ask(chat, "how many cases today"))["text"])
    assert counted.replace("\\", "").endswith(": 1.")
    refused = str((await ida.ask(chat, "how many cases from Berlin"))["text"])
    assert "I can count" in refused
    none = str((await ida.ask(chat, "how many complaints last week"))["text"])
    assert none.replace("\\", "").endswith(": 0.")


async def test_a_chart_is_given_with_the_answer_that_counts(office: Office) -> None:
    """By the turn; what counts one figure has none."""
    office.line.send("When do you open?")
    office.line.send("Oak or ash?", subject="Wood", sender="ben@wren.example")
    await office.line.run()
    ida = await office.sign_in("Ida")
    chat = await ida.begin("analyst")
    drawn = await ida.ask(chat, "SELECT sender, count(*) AS mails FROM mails GROUP BY 1 ORDER BY 1")
    plain = await ida.ask(chat, "how many mails came?")
    view = (await ida.get(f"/chats/{chat}")).json()
    assert list(view["charts"]) == [drawn["turn_id"]] != [plain["turn_id"]]
    assert view["charts"][drawn["turn_id"]] == [
        {"name": "ben@wren.example", "figure": 1.0},
        {"name": CUSTOMER, "figure": 1.0},
    ]
