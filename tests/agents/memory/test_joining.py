"""What says the same in other words is one line: nothing is lost, and a person takes it back."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from data.records.agents.memories import ORGANIZATION_LAYER, Layer, Memory, Provenance
from flows.agents.consolidating import consolidate_memories
from flows.agents.memory import build_memories
from tests.agents.conftest import Office, Talking
from tests.agents.memory.remembering import recalled, say
from tests.core.small import SLUG
from tests.occupied import go_as_far_as_they_can, occupied_writer

SAME = (
    ("I work in Ghent on Mondays", "On Mondays I work in the Ghent office"),
    ("The weavers share the big loom", "The weavers share the big loom by the window"),
    (
        "Unsere Lieferanten kommen durch den Hof",
        "Unsere Lieferanten kommen durch den Hof hinter der Werkstatt",
    ),
    ("Les clients entrent par la cour", "Les clients entrent par la cour derrière l'atelier"),
)
"""Two wordings of one thing, the fuller one second."""
OTHER = (
    ("I drink coffee in the office", "I drink coffee in the office only on Sundays"),
    ("I drink coffee in the office", "I never drink coffee in the office"),
    ("The lift holds 4 people at once", "The lift holds 6 people at once"),
    ("Ana answers the phone in the hall", "Ben answers the phone in the hall"),
    ("The loom is oiled before the show", "The loom is oiled after the show"),
    ("Wir liefern freitags nach Gent", "Wir liefern freitags nach Gent, falls es trocken ist"),
    ("I like tea", "I like tea and rowing on the river with my sister"),
)
"""Two things that are told in nearly the same words."""


@dataclass
class Known:
    """What one person has told, and looks at."""

    person: Talking
    layer: Layer

    async def tell(self, *texts: str, **given: object) -> list[Memory]:
        """Remember these; return the items."""
        line = self.person.line
        memories = build_memories(line.house, line.workspace)
        items = []
        for text in texts:
            done = await say(memories, text, self.layer, kind="episode", **given)  # type: ignore[arg-type]
            assert done.memory is not None
            items.append(done.memory)
        return items

    async def night(self) -> int:
        """Let the upkeep join; return how many lines fewer there are."""
        return await consolidate_memories(self.person.line.house, self.person.line.workspace)

    async def texts(self) -> list[str]:
        """Return what is current, sorted."""
        listed = (await self.person.get(f"/memories?layer={self.layer.key}")).json()["items"]
        return sorted(one["text"] for one in listed)


async def _known(office: Office, layer: Layer = ORGANIZATION_LAYER) -> Known:
    return Known(await office.sign_in("Ida"), layer)


async def test_what_is_joined_while_it_is_deleted_is_deleted_too(office: Office) -> None:
    """The night was faster by a moment; nothing of the thing stays behind the one that goes."""
    known = await _known(office)
    _, fuller = await known.tell(*SAME[0])
    db, control = office.line.workspace.db, office.line.house.control
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    async with occupied_writer(db):
        joining = asyncio.create_task(known.night())
        for _ in range(3):
            await go_as_far_as_they_can(db)
            await asyncio.to_thread(int)  # behind what the night compares
        path = f"/v1/{SLUG}/memories/{fuller.id}"
        deleting = asyncio.create_task(known.person.client.delete(path))
        await go_as_far_as_they_can(db, control)
    assert await joining == 1
    assert (await deleting).is_success
    assert await office.line.rows("SELECT text FROM memories") == []


@pytest.mark.parametrize(("one", "fuller"), SAME)
async def test_the_fuller_wording_stands_for_the_other(
    office: Office, one: str, fuller: str
) -> None:
    """Word for word, with the words of both behind it, and counted together."""
    known = await _known(office)
    _, second = await known.tell(one, fuller)
    assert await known.night() == 1
    assert await known.texts() == [fuller]
    view = (await known.person.get(f"/memories/{second.id}")).json()
    assert (view["memory"]["count"], view["text"]) == (2, fuller)
    assert [words["words"] for words in view["evidence"]] == [one, fuller]
    assert [joined["text"] for joined in view["joined"]] == [one]
    assert await known.night() == 0


@pytest.mark.parametrize(("one", "other"), OTHER)
async def test_what_says_something_else_is_left_alone(office: Office, one: str, other: str) -> None:
    """A number, a denial, a condition, another name, or much that is new."""
    known = await _known(office)
    await known.tell(one, other)
    assert await known.night() == 0


async def test_what_others_said_or_somebody_worded_is_left_alone(office: Office) -> None:
    """Also where the words are nearly the same, and where their source is another class."""
    known = await _known(office)
    one, fuller = SAME[1]
    await known.tell(fuller)
    await known.tell(one, author="Tom")
    assert await known.night() == 0
    other = Known(known.person, Layer.model_validate({"kind": "user", "owner": "user-ida"}))
    await other.tell(fuller)
    await other.tell(one, provenance=Provenance.MODEL)
    assert await known.night() == 0
    third = Known(known.person, Layer.model_validate({"kind": "user", "owner": "user-tom"}))
    await third.tell(fuller)
    await third.tell(one, corrected=True)
    assert await known.night() == 0


async def test_a_person_takes_apart_what_was_joined_for_good(office: Office) -> None:
    """Both are known again, counted as before, and the next night leaves them."""
    known = await _known(office)
    one, fuller = SAME[1]
    first, second = await known.tell(one, fuller)
    assert await known.night() == 1
    memories = build_memories(office.line.house, office.line.workspace)
    asked = "Who shares the big loom?"
    assert await recalled(memories, asked, ORGANIZATION_LAYER) == [fuller]
    assert (await known.person.post(f"/memories/{first.id}/restore")).status_code == 200
    assert await known.texts() == sorted((one, fuller))
    view = (await known.person.get(f"/memories/{second.id}")).json()
    assert (view["memory"]["count"], view["joined"]) == (1, [])
    assert [words["words"] for words in view["evidence"]] == [fuller]
    assert await known.night() == 0


async def test_what_is_deleted_is_gone_with_what_it_stands_for(office: Office) -> None:
    """To the last word: neither the item, nor its other wordings, nor that they were joined."""
    known = await _known(office)
    _, second = await known.tell(*SAME[1])
    await known.night()
    path = f"/v1/{office.line.workspace.slug}/memories/{second.id}"
    assert (await known.person.client.delete(path)).status_code == 204
    for table in ("memories", "memory_evidence", "memory_joins"):
        rows = await office.line.rows(f"SELECT 1 FROM {table}")  # noqa: S608  # our own names
        assert rows == [], table


async def test_what_was_joined_twice_stays_behind_the_last(office: Office) -> None:
    """The words of all are shown, and all of it goes with the one that is left."""
    known = await _known(office)
    texts = (
        "The weavers share the big loom",
        "The weavers share the big loom by the window",
        "The weavers share the big loom by the window upstairs towards the garden",
    )
    last = ""
    for text in texts:
        last = (await known.tell(text))[0].id
        await known.night()
    view = (await known.person.get(f"/memories/{last}")).json()
    assert [words["words"] for words in view["evidence"]] == list(texts)
    await known.person.client.delete(f"/v1/{SLUG}/memories/{last}")
    assert await office.line.rows("SELECT text FROM memories") == []
