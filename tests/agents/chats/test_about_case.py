"""A chat about a case: who can begin one, what is told of the case, and what erasing takes."""

from typing import Any

import httpx
import pytest

from data.records.core.principals import EditUser, Grant
from data.records.mail.contacts import EraseContact
from data.store.core import users
from flows.mail.people.erasing import erase
from tasks.agents.about_case import list_matter_suggestions
from tests.agents.conftest import Office, Talking
from tests.mail.contacts.held import holding
from tests.people import person

SENDER = "Tom Otter <tom@otter.example>"
LETTER = "How much is an inspection of my old loom? Do you have purple shuttles from Quillfeather?"


async def case_of(office: Office, text: str = LETTER, subject: str = "Old loom") -> str:
    """Take a letter in; return the case that it has become."""
    office.line.send(text, subject=subject, sender=SENDER)
    await office.line.run()
    found = await office.line.rows("SELECT id FROM cases WHERE subject = ?", subject)
    return str(found[0]["id"])


async def begin_about(talking: Talking, case: str, **wanted: object) -> dict[str, Any]:
    """Begin a chat about a case; return it."""
    answer = await talking.post("/chats", {"about": f"case:{case}", **wanted})
    assert answer.status_code == httpx.codes.OK, answer.text
    return dict(answer.json())


async def ask_plainly(talking: Talking, chat: str, text: str) -> str:
    """Ask; return the answer without the marks that keep words of others plain."""
    answer = await talking.ask(chat, text)
    assert [one["kind"] for one in answer["sources"]][:1] in ([], ["case"])
    return str(answer["text"]).replace("\\", "")


ANSWERS = [
    ("Summarize this conversation", "This is the case, and what was written:", "purple shuttles"),
    ("Who is this?", "This is who wrote:", "tom@otter.example"),
    ("Please draft a reply for this case.", "This draft is in the queue", "35 euros"),
    ("What is still open?", "The draft leaves", "purple shuttles"),
    ("What did we promise them?", "We promised them nothing", ""),
    ("Fass diese Unterhaltung zusammen", "Das ist der Fall", "purple shuttles"),
    ("Wer ist das?", "Das hat geschrieben:", "tom@otter.example"),
    ("Entwirf eine Antwort auf diesen Fall", "Dieser Entwurf steht", "35 euros"),
    ("Was haben wir versprochen?", "Wir haben dorthin nichts versprochen", ""),
    ("Résume cette conversation", "Voici le dossier", "purple shuttles"),
    ("Qui est-ce ?", "Voici qui a écrit :", "tom@otter.example"),
    ("Rédige une réponse pour ce dossier", "Ce projet est dans la file", "35 euros"),
    ("Resume esta conversación", "Este es el caso", "purple shuttles"),
    ("¿Quién es?", "Esto es quien escribió:", "tom@otter.example"),
    ("¿Qué queda abierto?", "El borrador deja", "purple shuttles"),
]


async def test_what_is_asked_means_the_case_in_four_languages(office: Office) -> None:
    """Without naming anybody, and with a link to the case; each suggestion is understood."""
    case = await case_of(office)
    ida = await office.sign_in("Ida")
    chat = await begin_about(ida, case)
    for asked, begins, holds in ANSWERS:
        said = await ask_plainly(ida, chat["id"], asked)
        assert begins in said, (asked, said)
        assert holds in said, (asked, said)
    for language in ("en", "de", "fr", "es"):
        for asked in list_matter_suggestions("case", language):
            turn = (await ida.ask(chat["id"], asked))["turn_id"]
            moves = (await ida.get(f"/turns/{turn}")).json()["moves"]
            assert "this_case" in [move["name"] for move in moves], asked


async def test_a_chat_says_what_it_is_about_and_is_found_by_it(office: Office) -> None:
    """With the subject and what can be asked; others are not listed with it."""
    case = await case_of(office)
    ida, tom = await office.sign_in("Ida"), await office.sign_in("Tom")
    chat, other = await begin_about(ida, case, agent="desk"), await ida.begin("desk")
    shown = (await ida.get(f"/chats/{chat['id']}")).json()
    assert (shown["chat"]["agent"], shown["chat"]["about"]) == ("desk", f"case:{case}")
    assert shown["about"] == {"kind": "case", "id": case, "title": "Old loom", "gone": False}
    assert "Who is this?" in shown["suggestions"]
    assert (await ida.get(f"/chats/{other}")).json()["about"] is None
    for talking, expected in ((ida, [chat["id"]]), (tom, [])):
        listed = (await talking.get(f"/chats?about=case:{case}")).json()["items"]
        assert [one["id"] for one in listed] == expected


async def test_elsewhere_the_same_words_mean_no_case(office: Office) -> None:
    """No tool tells of a case in a chat that is about none."""
    await case_of(office)
    ida = await office.sign_in("Ida")
    said = await ask_plainly(ida, await ida.begin("desk"), "Summarize this conversation")
    assert "shuttles" not in said


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"about": "case:nope"}, httpx.codes.NOT_FOUND),
        ({"about": "contact:nobody@otter.example"}, httpx.codes.NOT_FOUND),
        ({"about": "contact:Tom Otter"}, httpx.codes.UNPROCESSABLE_ENTITY),
        ({"about": "weather:today"}, httpx.codes.UNPROCESSABLE_ENTITY),
    ],
)
async def test_what_is_not_there_is_nothing_to_talk_about(
    office: Office, wanted: dict[str, str], status: int
) -> None:
    """A case that is not there, a kind that is none, and a chat with nobody about nothing."""
    ida = await office.sign_in("Ida")
    assert (await ida.post("/chats", wanted)).status_code == status


async def test_who_may_not_see_the_case_begins_no_chat_about_it(office: Office) -> None:
    """Somebody of another organization is told nothing of it, not even that it is there."""
    case = await case_of(office)
    eve = await office.sign_in("Eve", "viewer")
    assert (await begin_about(eve, case))["about"] == f"case:{case}"
    grants = (Grant(role="viewer", organization="elsewhere"),)
    await office.line.house.control.write(users.edit_user, eve.user_id, EditUser(grants=grants))
    refused = [await eve.post("/chats", {"about": f"case:{one}"}) for one in (case, "nope")]
    assert refused[0].status_code == refused[1].status_code
    assert refused[0].is_client_error
    assert "loom" not in refused[0].text


async def test_an_agent_without_the_tool_says_so_at_once(office: Office) -> None:
    """Before anything is asked; the chat is not begun."""
    case = await case_of(office)
    ida = await office.sign_in("Ida")
    refused = await ida.post("/chats", {"agent": "librarian", "about": f"case:{case}"})
    assert refused.status_code == httpx.codes.CONFLICT
    assert "no tool to look into a case" in refused.text
    assert (await ida.get("/chats")).json()["total"] == 0


async def test_erasing_the_contact_takes_what_was_said_about_the_case(office: Office) -> None:
    """Question and answer, to the last byte; the chat is about nothing then and goes on."""
    case = await case_of(office)
    ida = await office.sign_in("Ida")
    chat = await begin_about(ida, case)
    await ida.ask(chat["id"], "Summarize this conversation")
    await ida.ask(chat["id"], "Does Quillfeather make the wainscot too?")
    house, workspace = office.line.house, office.line.workspace
    await erase(house, workspace, EraseContact(address="tom@otter.example"), person("ida"))
    shown = (await ida.get(f"/chats/{chat['id']}")).json()
    assert {one["text"] for one in shown["messages"]} == {"(erased)"}
    assert shown["about"] is None
    home = house.settings.home
    for word in (b"Quillfeather", b"wainscot", case.encode()):
        assert list(holding(home, word)) == [], word
    assert (await ida.ask(chat["id"], "Hello"))["text"]


async def begin_about_tom(talking: Talking) -> str:
    """Begin a chat about the contact who writes; return its id."""
    answer = await talking.post("/chats", {"about": "contact:tom@otter.example"})
    assert answer.status_code == httpx.codes.OK, answer.text
    return str(answer.json()["id"])


async def test_a_chat_about_a_contact_tells_of_them(office: Office) -> None:
    """Who it is, what of theirs waits and what we promised, in four languages; of nobody else."""
    case = await case_of(office)
    office.line.send(LETTER, subject="Other loom", sender="una@heron.example")
    await office.line.run()
    ida = await office.sign_in("Ida")
    chat = await begin_about_tom(ida)
    shown = (await ida.get(f"/chats/{chat}")).json()
    assert (shown["about"]["kind"], shown["about"]["id"]) == ("contact", "tom@otter.example")
    assert "Tom Otter" in shown["about"]["title"]
    assert not shown["about"]["gone"]
    assert shown["suggestions"] == ["What did we promise them?", "Who is this?"]
    for language in ("en", "de", "fr", "es"):
        for asked in list_matter_suggestions("contact", language):
            turn = (await ida.ask(chat, asked))["turn_id"]
            moves = (await ida.get(f"/turns/{turn}")).json()["moves"]
            assert "this_contact" in [move["name"] for move in moves], asked
    answer = (await ida.ask(chat, "Who is this?"))["text"].replace("\\", "")
    assert "This is the contact:" in answer
    assert "tom@otter" in answer
    whole = await ida.ask(chat, "Summarize this")
    assert [(one["kind"], one["id"]) for one in whole["sources"]] == [
        ("contact", "tom@otter.example"),
        ("case", case),
    ]
    assert "Other loom" not in whole["text"]
    assert "shuttles" not in (await ida.ask(chat, "What is still open?"))["text"]


async def test_erasing_the_contact_takes_what_was_said_in_chats_about_them(office: Office) -> None:
    """The people's own words too; the chat stays, about nothing."""
    await case_of(office)
    ida = await office.sign_in("Ida")
    chat = await begin_about_tom(ida)
    await ida.ask(chat, "Who is this?")
    await ida.ask(chat, "Is this the one with the wainscot?")
    house, workspace = office.line.house, office.line.workspace
    await erase(house, workspace, EraseContact(address="tom@otter.example"), person("ida"))
    shown = (await ida.get(f"/chats/{chat}")).json()
    assert (shown["about"], shown["chat"]["about"]) == (None, "")
    assert {one["text"] for one in shown["messages"]} == {"(erased)"}
    assert holding(house.settings.home, b"wainscot") == []
