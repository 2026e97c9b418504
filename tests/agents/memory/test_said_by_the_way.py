"""What is said by the way is acknowledged, and what became of it is said truly."""

import pytest

from data.records.core.tools import Fact, Item, ToolResult
from tasks.agents.remembering.memory_answers import tell_picked_up
from tasks.agents.stating import has_statement
from tests.agents.conftest import Office

STATED = (
    ("my canoe is green", "I remember that: “my canoe is green”"),
    ("mein Kanu ist grün", "Das merke ich mir: „mein Kanu ist grün“"),
    ("mon canoë est vert", "Je le retiens : « mon canoë est vert »"),
    ("mi canoa es verde", "Lo recuerdo: «mi canoa es verde»"),
)
NOTHING_KEPT = {
    "en": "I keep nothing of it",
    "de": "behalte nichts davon",
    "fr": "je n'en garde rien",
    "es": "no guardo nada de ello",
}
LOOKED_UP = (
    "warranty for hearing aids", "opening hours", "Garantie für Hörgeräte", "Mietpreise Wren",
    "prix de location", "precios de alquiler", "is my canoe green", "is my canoe green?",
    "wo ist mein Kanu", "What is urgent?", "",
)  # fmt: skip


async def test_a_statement_is_acknowledged_and_known_later(office: Office) -> None:
    """It counts once, though it is read again after the answer."""
    for stated, expected in STATED:
        ida = await office.sign_in("Ida")
        answer = await ida.ask(await ida.begin("assistant"), stated)
        assert answer["text"].replace("\\", "").startswith(expected), stated
        assert [source["kind"] for source in answer["sources"]] == ["memory"], stated
        (item,) = (await ida.get("/memories")).json()["items"]
        assert item["count"] == 1


async def test_an_agent_that_has_no_memory_tools_says_where_a_note_is_changed(
    office: Office,
) -> None:
    """It cannot forget on a word."""
    ida = await office.sign_in("Ida")
    answer = await ida.ask(await ida.begin("rolodex"), "my canoe is green")
    assert answer["text"].startswith("I have noted that: “my canoe is green”. On the page Memory")


@pytest.mark.parametrize(("language", "expected"), NOTHING_KEPT.items())
def test_what_is_not_kept_is_said_to_be_read(language: str, expected: str) -> None:
    """With memory tools or without, and where a person has said no to it before."""
    no = ToolResult(note="refused", items=(Item(title="a person has said no to it"),))
    for remembers in (True, False):
        for results in ((), (no,)):
            said = tell_picked_up(results, language, 1, remembers=remembers)
            assert expected in said.text
            assert said.sources == ()


@pytest.mark.parametrize(("language", "stated"), [("en", "noted"), ("de", "notiert"),
                                                  ("fr", "noté"), ("es", "anotado")])  # fmt: skip
def test_a_note_of_an_agent_without_memory_tools(language: str, stated: str) -> None:
    """Its sentence is there in every language."""
    item = Item(title="my canoe is green.", facts=(Fact(name="layer", value="user"),))
    kept = ToolResult(note="added", items=(item,))
    said = tell_picked_up([kept], language, 1, remembers=False).text
    assert stated in said
    assert "my canoe is green." not in said


@pytest.mark.parametrize("text", LOOKED_UP)
def test_what_is_looked_up_states_nothing(text: str) -> None:
    """Neither words alone nor a question that was typed without its mark."""
    assert not has_statement(text)


async def test_what_a_named_agent_is_told_to_remember_is_kept_once(office: Office) -> None:
    """The order is no statement besides; with the agent's name before it neither."""
    ida = await office.sign_in("Ida")
    begun = await ida.post("/chats", {"agent": "assistant", "kind": "organization", "title": "All"})
    chat = begun.json()["id"]
    for told in ("remember that our stand-up is at 9:15", "wich receivers do we repair n when"):
        await ida.ask(chat, f"@assistant {told}")
    kept = await office.line.rows("SELECT text FROM memories")
    assert [row["text"] for row in kept] == ["Our stand-up is at 9:15"]


async def test_what_becomes_a_task_is_no_memory(office: Office) -> None:
    """It stands on a list, proposed or noted; a fact that was said with it is kept."""
    ida = await office.sign_in("Ida")
    for mentioned in ("I have to call Femke tomorrow", "Ich muss morgen Femke anrufen"):
        answer = await ida.ask(await ida.begin("assistant"), mentioned)
        assert "Femke" in answer["text"]
    await ida.ask(await ida.begin("assistant"), "My canoe is green.")
    kept = await office.line.rows("SELECT text FROM memories")
    assert [row["text"] for row in kept] == ["My canoe is green."]
