"""Conversations with several people: one is erased, the others' part stays."""

import orjson

from data.records.mail.contacts import EraseContact
from flows.mail.people.erasing import erase
from tests.core.small import CUSTOMER, Line
from tests.mail.contacts.held import OTHER
from tests.people import person

FIRST = "<a1@heron.example>"


async def talk(line: Line) -> None:
    """Mara begins with Bo in Cc; Bo answers to all, and names her message."""
    line.send(
        "Could you inspect our loom quixotword?",
        subject="Inspection quixotsubject",
        message_id=FIRST,
        headers={"Cc": OTHER},
    )
    await line.run()
    line.send(
        "And what does it cost?",
        subject="Re: Inspection",
        sender=OTHER,
        message_id="<b1@wren.example>",
        headers={"Cc": CUSTOMER, "In-Reply-To": FIRST, "References": FIRST},
    )
    await line.run()


async def test_a_shared_conversation_stays_with_what_others_wrote(line: Line) -> None:
    """Bo's message and case stay; Mara's words go, from the subject and from Bo's briefing too."""
    await talk(line)
    threads = await line.rows("SELECT DISTINCT thread_id FROM messages")
    assert len(threads) == 1, "they have to share a conversation for this test"
    told = "SELECT output FROM steps WHERE stage = 'context' AND output LIKE '%quixotword%'"
    cases = await line.rows("SELECT id FROM cases WHERE contact_email = ?", OTHER)
    mine = await line.rows(f"{told} AND item_id = ?", cases[0]["id"])
    assert len(mine) == 1, "Bo's briefing has to hold Mara's words for this test"
    await erase(line.house, line.workspace, EraseContact(address=CUSTOMER), person("ida"))
    assert await line.rows(told) == []
    after = await line.rows(
        "SELECT output FROM steps WHERE stage = 'context' AND item_id = ?", cases[0]["id"]
    )
    briefing = orjson.loads(str(after[0]["output"]))
    assert len(briefing["snippets"]) == len(orjson.loads(str(mine[0]["output"]))["snippets"]) - 1
    shared = await line.rows("SELECT * FROM threads")
    assert [(one["subject"], one["contact_email"]) for one in shared] == [("Re: Inspection", OTHER)]
    assert (shared[0]["participants"], shared[0]["message_count"]) == ([OTHER], 1)
    assert await line.rows("SELECT sender_email FROM messages") == [{"sender_email": OTHER}]
