"""People see what is known in their layers, correct it, share it, say yes or no, and delete it."""

import asyncio
from collections.abc import Sequence

import httpx
import pytest

from data.records.agents.business import ToldProfile
from data.records.core.principals import NewTeam
from data.records.core.tools import Label
from data.records.mail.contacts import EraseContact
from data.store.core import teams as team_store
from flows.agents.business import labels_of_profile
from flows.agents.memory import build_memories
from flows.mail.people.erasing import erase
from tests.agents.conftest import Office, Talking
from tests.agents.memory.remembering import say
from tests.core.small import SLUG, settle
from tests.mail.contacts.held import holding
from tests.occupied import go_as_far_as_they_can, occupied_writer
from tests.people import person


async def _texts(talking: Talking, path: str = "/memories") -> list[str]:
    return [one["text"] for one in (await talking.get(path)).json()["items"]]


async def _team(office: Office, members: Sequence[Talking]) -> str:
    wanted = NewTeam(name="Weavers", members=tuple(one.user_id for one in members))
    made = await office.line.house.control.write(
        team_store.add_team, SLUG, wanted, office.line.clock()
    )
    return f"team:{made.id}"


async def test_a_correction_takes_the_place_and_says_what_was_before(office: Office) -> None:
    """The item shows its words and who said them; the earlier wording is kept with its time."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("assistant")
    await ida.ask(chat, "My desk is on the third floor.")
    await settle(office.line.house)
    (item,) = (await ida.get("/memories")).json()["items"]
    shown = (await ida.get(f"/memories/{item['id']}")).json()
    assert shown["evidence"][0]["words"] == "My desk is on the third floor."
    assert shown["evidence"][0]["chat_id"] == chat
    wording = {"text": "My desk is in room 9."}
    corrected = (await ida.put(f"/memories/{item['id']}", wording)).json()
    assert (corrected["outcome"], corrected["memory"]["corrected"]) == ("superseded", True)
    assert await _texts(ida) == ["My desk is in room 9."]
    view = (await ida.get(f"/memories/{corrected['memory']['id']}")).json()
    assert [one["text"] for one in view["before"]] == ["My desk is on the third floor."]
    refused = await ida.put(f"/memories/{view['memory']['id']}", {"text": "I have diabetes."})
    assert refused.json()["outcome"] == "refused"


async def test_what_is_retired_comes_back_and_what_is_deleted_does_not(office: Office) -> None:
    """Deleted, its words are in no table and not in the index."""
    ida = await office.sign_in("Ida")
    kept = (await ida.post("/memories", {"text": "I like tables with zebrastripes."})).json()
    path = f"/memories/{kept['memory']['id']}"
    await ida.post(f"{path}/retire")
    assert await _texts(ida) == []
    await ida.post(f"{path}/restore")
    found = (await ida.get("/memories/search?q=zebrastripes")).json()["items"]
    assert [one["memory"]["id"] for one in found] == [kept["memory"]["id"]]
    gone = await ida.client.delete(f"/v1/{SLUG}{path}")
    assert gone.status_code == httpx.codes.NO_CONTENT
    assert (await ida.get(path)).status_code == httpx.codes.NOT_FOUND
    assert await office.line.rows("SELECT 1 FROM memory_evidence") == []
    assert holding(office.line.workspace.folder / "memories.lance", b"zebrastrip") == []


async def test_what_is_deleted_while_it_is_shared_is_known_nowhere(office: Office) -> None:
    """A proposal of it would have brought its words back."""
    vera = await office.sign_in("Vera", "viewer")
    own = (await vera.post("/memories", {"text": "I like tables with zebrastripes."})).json()
    path = f"/memories/{own['memory']['id']}"
    db, control = office.line.workspace.db, office.line.house.control
    async with occupied_writer(db):
        deleting = asyncio.create_task(vera.client.delete(f"/v1/{SLUG}{path}"))
        await go_as_far_as_they_can(db, control)
        sharing = asyncio.create_task(vera.post(f"{path}/share", {"layer": "organization"}))
        await go_as_far_as_they_can(db, control)
    assert (await deleting).is_success
    assert (await sharing).status_code == httpx.codes.NOT_FOUND
    assert await office.line.rows("SELECT 1 FROM memories") == []


async def test_only_who_may_teach_says_what_holds_for_the_organization(office: Office) -> None:
    """A viewer's wish is proposed; who may teach says yes, and the other sees it then."""
    vera, ida = await office.sign_in("Vera", "viewer"), await office.sign_in("Ida", "reviewer")
    own = (await vera.post("/memories", {"text": "The return period is 30 days."})).json()
    before = office.line.workspace.db.written
    shared = await vera.post(f"/memories/{own['memory']['id']}/share", {"layer": "organization"})
    assert shared.json()["outcome"] == "proposed"
    assert office.line.workspace.db.written == before + 1  # nothing is half shared
    assert await _texts(vera, "/memories/proposed") == []
    (proposed,) = (await ida.get("/memories/proposed")).json()["items"]
    path = f"/memories/{proposed['id']}"
    assert (await vera.post(f"{path}/accept")).status_code == httpx.codes.FORBIDDEN
    assert (await ida.post(f"{path}/accept")).json()["state"] == "current"
    assert (await ida.post(f"{path}/reject")).status_code == httpx.codes.CONFLICT
    tom = await office.sign_in("Tom", "viewer")
    assert await _texts(tom) == ["The return period is 30 days."]
    assert (await tom.put(path, {"text": "14 days"})).status_code == httpx.codes.FORBIDDEN


async def test_what_is_shared_is_known_until_the_others_know_it(office: Office) -> None:
    """What only waits for a yes there, or is shared with oneself, ends nothing of one's own."""
    text = {"text": "The return period is 30 days."}
    for name in ("Vera", "Tom"):  # the second shares what waits for a yes already
        sharer = await office.sign_in(name, "viewer")
        path = f"/memories/{(await sharer.post('/memories', text)).json()['memory']['id']}"
        for layer in ("organization", f"user:{sharer.user_id}"):
            assert (await sharer.post(f"{path}/share", {"layer": layer})).is_success
        assert await _texts(sharer) == [text["text"]]


async def test_a_team_knows_for_its_members_alone(office: Office) -> None:
    """A member writes it, another member corrects it, an administrator outside sees nothing."""
    vera, tom = await office.sign_in("Vera", "viewer"), await office.sign_in("Tom", "viewer")
    admin = await office.sign_in("Ida")
    layer = await _team(office, (vera, tom))
    wrote = (await vera.post("/memories", {"text": "We meet at nine.", "layer": layer})).json()
    path = f"/memories/{wrote['memory']['id']}"
    assert (await tom.put(path, {"text": "We meet at ten."})).json()["outcome"] == "superseded"
    assert await _texts(vera) == ["We meet at ten."]
    assert await _texts(admin) == []
    assert (await admin.get(path)).status_code == httpx.codes.NOT_FOUND
    named = (await tom.get("/memories/layers")).json()["items"]
    assert [(one["name"], one["may_change"]) for one in named] == [
        ("You", True),
        ("Weavers", True),
        ("Teasel Looms", False),
    ]


async def test_an_organization_decides_what_is_picked_up(office: Office) -> None:
    """With review nothing is known before a yes, with off nothing is picked up."""
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "viewer")
    assert (await vera.put("/memories/policy", {"user": "off"})).status_code == (
        httpx.codes.FORBIDDEN
    )
    await ida.put("/memories/policy", {"user": "review"})
    chat = await vera.begin("assistant")
    await vera.ask(chat, "I work from home on Tuesdays.")
    await settle(office.line.house)
    assert await _texts(vera) == []
    assert await _texts(vera, "/memories/proposed") == ["I work from home on Tuesdays."]
    await ida.put("/memories/policy", {"user": "off"})
    await vera.ask(chat, "My desk is on the third floor.")
    await settle(office.line.house)
    assert len(await office.line.rows("SELECT 1 FROM memories")) == 1


async def test_erasing_a_person_leaves_not_a_byte_of_the_layer(office: Office) -> None:
    """And the name goes out of what others know; who is asked for it has to manage users."""
    ida, quill = await office.sign_in("Ida"), await office.sign_in("Quillon Featherby", "viewer")
    vera = await office.sign_in("Vera", "viewer")
    await quill.post("/memories", {"text": "My favourite loom is Zanthoxylum."})
    await ida.post(
        "/memories",
        {"text": "Quillon Featherby looks after invoices.", "layer": "organization"},
    )
    person_path = f"/memories/people/{quill.user_id}"
    for act in ("export", "erase"):
        assert (await vera.post(f"{person_path}/{act}")).status_code == httpx.codes.FORBIDDEN
    await quill.ask(await quill.begin("taskmaster"), "Remind me tomorrow at 9 to oil Zanthoxylum")
    exported = (await ida.post(f"{person_path}/export")).json()
    assert [one["text"] for one in exported["items"]] == ["My favourite loom is Zanthoxylum."]
    assert exported["things"] == {}, "what is said to an agent alone is no other's to read"
    things = (await quill.get("/memories/export")).json()["things"]
    assert [task["title"] for task in things["tasks"]] == ["oil Zanthoxylum"]
    assert [message["author"] for message in things["chat_messages"]] == ["person", "agent"]
    assert len(things["chats"]) == 1
    own = (await vera.post(f"/memories/people/{vera.user_id}/export")).json()
    assert own["things"].keys() == things.keys()
    erased = (await ida.post(f"{person_path}/erase")).json()
    assert erased["items"] == 1
    assert await _texts(ida) == ["(erased) looks after invoices."]
    folder = office.line.workspace.folder
    assert [word for word in (b"Zanthoxylum", b"Featherby") if holding(folder, word)] == []
    assert await office.line.rows("SELECT 1 FROM erasures") == []


async def test_erasing_a_contact_reaches_what_is_remembered(office: Office) -> None:
    """Whatever names the address is cut, and nothing of it is recalled."""
    office.line.send("How much is an inspection?", sender="tom@otter.example")
    await office.line.run()
    memories = build_memories(office.line.house, office.line.workspace)
    ida = await office.sign_in("Ida")
    await ida.post("/memories", {"text": "Tom Brackenbury writes from tom@otter.example."})
    await say(memories, "Looms are repaired in twelve days.")
    await erase(
        office.line.house,
        office.line.workspace,
        EraseContact(address="tom@otter.example"),
        person("ida"),
    )
    assert await _texts(ida) == []
    assert holding(office.line.house.settings.home, b"Brackenbury") == []
    texts = await office.line.rows("SELECT text FROM memories ORDER BY id")
    assert [row["text"] for row in texts] == ["(erased)", "Looms are repaired in twelve days."]


async def test_the_business_profile_is_told_with_its_references_as_they_read_now(
    office: Office,
) -> None:
    """Up to ten of 600 characters; what leads to nothing is counted; each wording is a version."""
    ida, vera = await office.sign_in("Ida"), await office.sign_in("Vera", "viewer")
    known = (
        await ida.post("/memories", {"text": "We ship on Mondays.", "layer": "organization"})
    ).json()["memory"]["id"]
    references = [
        {"kind": "knowledge", "id": "loom-repair", "label": "Repairs"},
        {"kind": "memory", "id": known},
        {"kind": "knowledge", "id": "nothing"},
        *({"kind": "knowledge", "id": "opening-hours"} for _ in range(9)),
    ]
    body = {"markdown": "We repair looms.", "references": references}
    assert (await vera.put("/business-profile", body)).status_code == httpx.codes.FORBIDDEN
    told = (await ida.put("/business-profile", body)).json()
    assert told["references"][0]["label"] == "Repairs"
    assert "12 working days" in told["references"][0]["excerpt"]
    assert told["references"][1]["excerpt"] == "We ship on Mondays."
    assert (len(told["references"]), told["unresolved"]) == (9, 3)
    for was in (0, 7):  # who read it before anybody had written it has read another one too
        stale = await ida.put("/business-profile", {"markdown": "Else.", "was": was})
        assert stale.status_code == httpx.codes.CONFLICT
    long = await ida.put("/business-profile", {"markdown": "x" * 12_001})
    assert long.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    assert (await vera.get("/business-profile")).json()["profile"]["version"] == 1


async def test_a_profile_that_refers_to_mail_tells_it_as_it_is_now(office: Office) -> None:
    """A case and a contact; their words are strangers', and go with the contact."""
    office.line.send(
        "The loom makes a noise.", subject="Quillfeather noise", sender="tom@otter.example"
    )
    await office.line.run()
    ida = await office.sign_in("Ida")
    (row,) = await office.line.rows("SELECT id FROM cases")
    references = [
        {"kind": "case", "id": row["id"], "label": ""},
        {"kind": "contact", "id": "Tom@otter.example", "label": "Our first customer"},
        {"kind": "contact", "id": "nobody@otter.example"},
    ]
    told = (
        await ida.put("/business-profile", {"markdown": "Looms.", "references": references})
    ).json()
    case, contact = told["references"]
    assert (case["label"], case["of_strangers"]) == ("Quillfeather noise", True)
    assert case["excerpt"].startswith("from ")
    assert contact["label"] == "Our first customer"
    assert "tom@otter.example" in contact["excerpt"]
    assert "cases that wait: 1" in contact["excerpt"]
    assert told["unresolved"] == 1
    labels = labels_of_profile(ToldProfile.model_validate(told))
    assert Label.UNTRUSTED in labels
    house, workspace = office.line.house, office.line.workspace
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # of which each has another day
        own = workspace.organization.model_copy(update={"timezone": zone})
        workspace.organization = own
        case, _ = (await ida.get("/business-profile")).json()["references"]
        assert f"came on {own.day(office.line.clock())}" in case["excerpt"]
    await erase(house, workspace, EraseContact(address="tom@otter.example"), person("ida"))
    left = (await ida.get("/business-profile")).json()["profile"]
    assert left["markdown"] == "Looms."
    assert [reference["id"] for reference in left["references"]] == ["nobody@otter.example"]


async def test_agents_answer_from_the_business_profile(office: Office) -> None:
    """With its source, once somebody has written it; knowledge goes before it."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("librarian")
    asked = "In which year was the weaving mill founded?"
    assert "I found nothing about that" in (await ida.ask(chat, asked))["text"]
    profile = "# Who we are\n\nThe weaving mill was founded in 1911. We are open on Mondays only."
    await ida.put("/business-profile", {"markdown": profile})
    answer = await ida.ask(chat, asked)
    assert "founded in 1911" in answer["text"]
    assert [source["kind"] for source in answer["sources"]] == ["profile"]
    hours = await ida.ask(chat, "When is the workshop open?")
    assert [source["kind"] for source in hours["sources"]] == ["knowledge"]


@pytest.mark.parametrize("path", ["/memories?layer=user:somebody", "/memories?layer=team:other"])
async def test_layers_of_others_are_not_there(office: Office, path: str) -> None:
    """Neither for an administrator; whether there is such a layer is not said."""
    ida = await office.sign_in("Ida")
    assert (await ida.get(path)).status_code == httpx.codes.NOT_FOUND


async def test_what_is_known_again_stands_alone_in_its_place(office: Office) -> None:
    """Whatever took its place since, at once or over others, is known no longer beside it."""
    ida = await office.sign_in("Ida")
    other = (await ida.post("/memories", {"text": "The sale ends soon."})).json()["memory"]["id"]
    ids = []
    for days in (14, 21, 30):
        answer = await ida.post("/memories", {"text": f"The return period is {days} days."})
        ids.append(answer.json()["memory"]["id"])
    assert (await ida.post(f"/memories/{ids[0]}/restore")).is_success
    assert await _texts(ida) == ["The return period is 14 days.", "The sale ends soon."]
    await ida.post(f"/memories/{ids[0]}/retire")
    await ida.post("/memories", {"text": "The return period is 60 days."})
    assert (await ida.post(f"/memories/{ids[0]}/restore")).is_success
    assert await _texts(ida) == ["The return period is 14 days.", "The sale ends soon."]
    await ida.put(f"/memories/{other}", {"text": "The return period is 90 days."})
    assert await _texts(ida) == ["The return period is 90 days."]
