"""What agents told of a contact goes with the contact."""

from data.records.mail.contacts import EraseContact
from flows.mail.people.erasing import erase
from tests.agents.conftest import Office
from tests.contacts.held import holding
from tests.people import person

SENDER = "tom@otter.example"
URGENT = "There is smoke coming out of the loom and it smells of burning. What shall I do?"


async def test_no_answer_and_no_move_tells_of_an_erased_contact(office: Office) -> None:
    """Neither subject nor address is left; what was told of others stays."""
    office.line.send(URGENT, subject="Quillfeather smoke", sender=SENDER)
    await office.line.run()
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    told = await ida.ask(chat, "What is urgent?")
    assert "Quillfeather" in told["text"]
    other = await ida.ask(chat, "Hello")
    house, workspace = office.line.house, office.line.workspace
    await erase(house, workspace, EraseContact(address=SENDER), person("ida"))
    shown = (await ida.get(f"/chats/{chat}")).json()["messages"]
    assert [one["text"] for one in shown] == [
        "What is urgent?",
        "(erased)",
        "Hello",
        other["text"],
    ]
    home = house.settings.home
    assert [
        found for word in (b"Quillfeather", SENDER.encode()) for found in holding(home, word)
    ] == []
