"""An agent is put right and tells what it has cost, by tools that pass the gates."""

from data.records.core.occasions import Occasion
from data.store.agents import memories as store
from data.store.core import users
from flows.agents.memory import build_memories
from flows.agents.memory_desk import take_back_item
from flows.agents.memory_layers import list_readable_layers
from flows.core.tools import Calling
from flows.running.agents import TOOLS
from tests.agents.conftest import Office, Talking


async def _calling(office: Office, somebody: Talking, kind: str = "direct") -> Calling:
    principal = await office.line.house.control.read(users.read_principal, somebody.user_id)
    occasion = Occasion(kind=kind, user=somebody.user_id if kind == "direct" else "", agent="desk")
    return Calling(office.line.house, office.line.workspace, principal, occasion)


async def test_a_lesson_is_the_agents_own_and_waits_for_a_yes(office: Office) -> None:
    """Everybody who asks the agent has it, no other agent has, and who may not teach notes none."""
    declared = TOOLS.read_declaration("note_lesson")
    assert (declared.approval, str(declared.permission)) == (True, "teach")
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "reviewer")
    lesson = {"text": "The loom of Mara is always urgent."}
    result = await TOOLS.call(await _calling(office, ida), "note_lesson", lesson)
    assert result.note == "added"
    memories = build_memories(office.line.house, office.line.workspace)
    for agent, known in (("desk", 1), ("librarian", 0)):
        layers = list_readable_layers(Occasion(kind="direct", user=vera.user_id, agent=agent))
        recall = await memories.recall(layers, "Is the loom of Mara urgent?")
        assert len(recall.items) == known


async def test_what_is_known_is_corrected_where_the_person_may(office: Office) -> None:
    """The older wording is kept with its time; a shared one needs who may teach."""
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "viewer")
    await ida.ask(await ida.begin("desk"), "Remember that my desk is on the third floor")
    (item,) = (await ida.get("/memories")).json()["items"]
    wanted = {"id": item["id"], "text": "My desk is on the fourth floor."}
    result = await TOOLS.call(await _calling(office, ida), "correct_memory", wanted)
    assert result.items[0].title == "My desk is on the fourth floor."
    rows = await office.line.rows("SELECT text, state FROM memories ORDER BY id")
    assert [(row["text"][-13:], row["state"]) for row in rows] == [
        ("e third floor", "superseded"),
        ("fourth floor.", "current"),
    ]
    assert [(one.deed, one.after) for one in result.changes] == [("added", {"state": "current"})]
    named_nothing = (await ida.post("/memories", {"text": "The loom of Mara clatters."})).json()
    wanted = {"id": named_nothing["memory"]["id"], "text": "The loom of Mara hums."}
    result = await TOOLS.call(await _calling(office, ida), "correct_memory", wanted)
    layers = list_readable_layers(Occasion(kind="direct", user=ida.user_id, agent="desk"))
    db, now = office.line.workspace.db, office.line.clock()
    hums = await db.read(store.read_memory, layers, result.changes[0].id)
    await db.write(take_back_item, hums, now, "Ida")
    clatters = await db.read(store.read_memory, layers, named_nothing["memory"]["id"])
    assert (clatters.slot, str(clatters.state)) == ("", "current")
    body = {"text": "The mill is closed on Mondays.", "layer": "organization"}
    shared = (await ida.post("/memories", body)).json()["memory"]["id"]
    other = {"id": shared, "text": "The mill is open on Mondays."}
    calling = await _calling(office, vera, "organization")
    refused = await TOOLS.call(calling, "correct_memory", other)
    assert (refused.refused, refused.note) == (True, "not_yours")


async def test_what_agents_did_is_told_in_figures(office: Office) -> None:
    """The busiest first, with what it cost."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    await ida.ask(chat, "What waits?")
    await ida.ask(chat, "What is urgent?")
    result = await TOOLS.call(await _calling(office, ida), "usage_stats", {"days": 7})
    facts = {fact.name: fact.value for fact in result.items[0].facts}
    assert result.items[0].title == "Desk"
    assert (facts["answers asked"], facts["US dollars"]) == ("2", "0.0000")


async def test_only_what_is_remembered_leaves_the_chat(office: Office) -> None:
    """What else was said in the message stays with those to whom it was said."""
    signed_in = await office.sign_in("Ida")
    ida = await office.line.house.control.read(users.read_principal, signed_in.user_id)
    secret, fact = "Tom leaves in May.", "The office closes at six."
    for kind, teams, layer, words in (
        ("team", ("weavers",), "organization", fact),
        ("group", ("weavers",), "team", fact),
        ("team", ("weavers",), "team", f"{secret} {fact}"),
    ):
        occasion = Occasion(kind=kind, teams=teams, agent="assistant", words=f"{secret} {fact}")
        calling = Calling(office.line.house, office.line.workspace, ida, occasion)
        await TOOLS.call(calling, "remember", {"text": fact, "layer": layer})
        (newest,) = await office.line.rows(
            "SELECT words FROM memory_evidence ORDER BY rowid DESC LIMIT 1"
        )
        assert newest["words"] == words
