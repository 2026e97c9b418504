"""Agents propose knowledge and word notes about contacts; a person says yes to each first."""

from typing import Any

import httpx

from data.records.mail.contacts import EraseContact
from flows.mail.people.erasing import erase
from flows.running.agents import TOOLS
from tests.agents.conftest import Office, Talking
from tests.core.small import settle
from tests.people import person

SENDER = "tom@otter.example"


async def _settle(talking: Talking) -> None:
    await settle(talking.line.house)


async def _say(talking: Talking, agent: str, text: str) -> tuple[str, list[dict[str, Any]]]:
    """Say something; return the chat, and the calls that wait for a yes."""
    chat = await talking.begin(agent)
    await talking.post(f"/chats/{chat}/messages", {"text": text})
    await _settle(talking)
    return chat, list((await talking.get("/calls")).json()["items"])


async def _decide(talking: Talking, chat: str, call: dict[str, Any], *, approve: bool) -> str:
    """Decide on a call; return what the agent said then."""
    order = {"version": call["version"], "sha256": call["sha256"], "approve": approve}
    answer = await talking.post(f"/calls/{call['approval_id']}", order)
    assert answer.status_code == httpx.codes.OK, answer.text
    await _settle(talking)
    return str((await talking.get(f"/chats/{chat}")).json()["messages"][-1]["text"])


def test_both_wait_for_a_yes_and_are_for_those_who_may() -> None:
    """A note is written by who may decide; a proposal is made by whoever may look."""
    proposing, noting = map(TOOLS.read_declaration, ("propose_knowledge", "note_about_contact"))
    assert (proposing.approval, noting.approval) == (True, True)
    assert (str(proposing.permission), str(noting.permission)) == ("see", "decide")


async def test_a_proposal_is_written_after_a_yes_and_counts_after_another(office: Office) -> None:
    """Nothing is written on a no; who may teach accepts it, and only then it is told."""
    ida = await office.sign_in("Ida")
    order = "Propose for the knowledge: Tea kitchen: The tea kitchen is on the second floor."
    chat, (call,) = await _say(ida, "librarian", order)
    assert call["arguments"] == {
        "title": "Tea kitchen",
        "text": "The tea kitchen is on the second floor.",
    }
    assert "That was not done" in await _decide(ida, chat, call, approve=False)
    assert await office.line.rows("SELECT id FROM learned_entries") == []
    chat, (call,) = await _say(ida, "librarian", order)
    assert "“Tea kitchen” is proposed" in await _decide(ida, chat, call, approve=True)
    (proposal,) = (await ida.get("/proposals")).json()["items"]
    assert (proposal["state"], proposal["origin"]) == ("proposed", "agent")
    assert proposal["source"] == "proposed through librarian"
    asked = "On which floor is the tea kitchen?"
    assert "I found nothing" in (await ida.ask(await ida.begin("librarian"), asked))["text"]
    await ida.post(f"/proposals/{proposal['id']}/accept")
    told = await ida.ask(await ida.begin("librarian"), asked)
    assert "second floor" in told["text"]
    chat, (call,) = await _say(ida, "librarian", order)
    assert "proposed before" in await _decide(ida, chat, call, approve=True)


async def test_a_note_about_a_contact_stands_beside_their_newest_conversation(
    office: Office,
) -> None:
    """It is the person's, and says through which agent; it goes with the contact."""
    office.line.send("The loom squeaks.", subject="Squeaking", sender=SENDER)
    await office.line.run()
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "viewer")
    order = f"Note about {SENDER}: Quillfeather calls before noon."
    chat, (call,) = await _say(ida, "rolodex", order)
    assert call["arguments"] == {"name": SENDER, "text": "Quillfeather calls before noon."}
    said = await _decide(ida, chat, call, approve=True)
    assert "The note is kept" in said
    assert "Squeaking" in said
    (note,) = await office.line.rows("SELECT text, written_by, author_id FROM notes")
    assert note["text"] == "Quillfeather calls before noon."
    assert (note["written_by"], note["author_id"]) == ("Ida, through rolodex", ida.user_id)
    _, calls = await _say(vera, "rolodex", order)
    assert calls == []
    house, workspace = office.line.house, office.line.workspace
    await erase(house, workspace, EraseContact(address=SENDER), person("ida"))
    assert await office.line.rows("SELECT id FROM notes") == []
    left = await office.line.rows(
        "SELECT ordinal FROM turn_moves WHERE contains(given, 'Quillfeather')"
    )
    assert left == []


async def test_a_note_about_a_contact_is_no_memory_of_an_agent_that_has_both(
    office: Office,
) -> None:
    """The Assistant asks for a yes to it, as the Rolodex does, and remembers nothing."""
    ida = await office.sign_in("Ida")
    _, calls = await _say(ida, "assistant", "note about Tom Otter: prefers calls")
    assert [call["tool"] for call in calls] == ["note_about_contact"]
    assert (await ida.get("/memories")).json()["items"] == []


async def test_what_is_never_written_down_is_not_and_nobody_is_guessed(office: Office) -> None:
    """Secrets stay out of both; a name that is nobody's, or of somebody without mail, has none."""
    ida = await office.sign_in("Ida")
    order = "Propose for the knowledge: Door: The password of the door is hunter2xyz."
    chat, (call,) = await _say(ida, "librarian", order)
    assert "never written down" in await _decide(ida, chat, call, approve=True)
    chat, (call,) = await _say(ida, "rolodex", "Note about Gandalf Grey: likes pipes")
    assert "No contact of ours has that name" in await _decide(ida, chat, call, approve=True)
    assert await office.line.rows("SELECT id FROM notes") == []
    assert await office.line.rows("SELECT id FROM learned_entries") == []
