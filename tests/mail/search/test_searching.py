"""Searching over HTTP: the whole way from the spool to an answer."""

import asyncio

import httpx

from connectors.mail_index import MailIndex
from data.records.core.search import SearchTerm
from flows.mail.knowing.mail_search import index_documents, index_round, rebuild, tidy_index
from flows.mail.line.mail_line import mail_line_of
from tests.core.api.fixtures import Api
from tests.core.small import CUSTOMER

BO = "bo@wren.example"


async def ids(api: Api, path: str = "/messages", **query: object) -> list[str]:
    """Return the ids of what is listed."""
    answer = await api.get(path, **query)
    assert answer.status_code == 200, answer.text
    page = answer.json()
    assert page["total"] == len(page["items"])
    return [item.get("id") or item["case_id"] for item in page["items"]]


async def indexed(api: Api) -> int:
    """Have everything that was read taken into the index; return how much."""
    while await index_round(api.line.house):
        pass
    return await index_documents(api.line.workspace)


async def test_mail_is_found_before_and_after_it_is_indexed(api: Api) -> None:
    """A message is found as soon as it is read, and the same way once the index holds it."""
    loom = api.line.send("The heddle LX-77-0042 is broken.", subject="Loom")
    rook = api.line.send("Do you sell bobbins?", subject="Bobbins", sender=BO)
    await api.line.intake()
    asked = (
        "broken heddles",
        "lx770042",
        f"from:{CUSTOMER}",
        "subject:loom",
        "-bobbins",
        '"is broken"',
    )
    for _ in range(2):
        for q in asked:
            assert await ids(api, q=q) == [loom], q
        assert await ids(api, q="from:wren -subject:loom") == [rook]
        assert set(await ids(api, q="to:teasel")) == {loom, rook}
        assert await ids(api, q="heddle bobbins") == []
        await indexed(api)
    assert await mail_line_of(api.line.workspace).mail_index.ids() == {loom, rook}
    later = api.line.send("A second heddle broke.", subject="Loom again")
    await api.line.intake()
    assert await ids(api, q="heddle") == [later, loom]


async def test_conditions_narrow_with_and_without_words(api: Api) -> None:
    """Days, states, attachments and tags hold for the messages themselves."""
    first = api.line.send("Where is my loom?", subject="Where")
    await api.line.run()
    assert await ids(api, q="is:pending_review loom") == [first]
    assert await ids(api, q="is:draft_ready") == [first]
    assert await ids(api, q="has:attachment") == []
    assert await ids(api, q="-has:attachment") == [first]
    assert await ids(api, q="before:2020") == []
    assert await ids(api, q="after:2020 -is:automated") == [first]
    assert await ids(api, q="tag:vip") == []


async def test_queue_and_conversations_are_searched_by_their_mail(api: Api) -> None:
    """What stands in a body brings the case and the conversation, and filters hold beside it."""
    api.line.send("What does an inspection of LX-77-0042 cost?", subject="Repair")
    api.line.send("When are you open?", subject="Hours", sender=BO)
    await api.line.run()
    await indexed(api)
    assert len(await ids(api, "/queue", q="0042 inspection")) == 1
    (item,) = (await api.get("/queue", q="0042 inspection")).json()["items"]
    assert item["contact"]["email"] == CUSTOMER
    assert await ids(api, "/queue", q="0042", category="complaint") == []
    assert len(await ids(api, "/threads", q="0042")) == 1
    assert len(await ids(api, "/threads", q="loom -0042 -hours")) == 0


async def test_what_cannot_be_understood_is_answered_with_a_sentence(api: Api) -> None:
    """A mistaken operator is refused everywhere a search is taken."""
    for path in ("/messages", "/queue", "/threads"):
        answer: httpx.Response = await api.get(path, q="form:bo")
        assert answer.status_code == 422
        assert "there is no operator 'form:'" in answer.json()["error"]["message"]


async def test_a_lost_index_is_made_anew(api: Api) -> None:
    """What the index lacks is put back by upkeep, and found meanwhile."""
    loom = api.line.send("The heddle is broken.")
    await api.line.intake()
    await indexed(api)
    await mail_line_of(api.line.workspace).mail_index.forget()
    await tidy_index(api.line.house, api.line.workspace)
    assert await mail_line_of(api.line.workspace).mail_index.ids() == {loom}
    await rebuild(api.line.house, api.line.workspace)
    assert await ids(api, q="heddle") == [loom]


async def test_an_index_of_an_older_release_is_made_anew(api: Api) -> None:
    """Its documents are written otherwise; the first round after the start notes all mail again."""
    loom = api.line.send("The heddle is broken.")
    await api.line.intake()
    await indexed(api)
    await mail_line_of(api.line.workspace).mail_index.close()
    for part in (api.line.workspace.folder / "mail.lance").iterdir():
        part.rename(part.with_name(f"mail0_{part.name.partition('_')[2]}"))
    mail_line_of(api.line.workspace).mail_index_checked = False
    await index_round(api.line.house)
    assert await ids(api, q="heddle") == [loom]


async def test_an_unreadable_index_is_no_end(api: Api) -> None:
    """A search that meets a broken index says so, and the next one answers."""
    loom = api.line.send("The heddle is broken.")
    await api.line.intake()
    await indexed(api)
    await mail_line_of(api.line.workspace).mail_index.close()
    for path in (api.line.workspace.folder / "mail.lance").rglob("*"):
        if path.is_file():
            path.write_bytes(b"")
    answers = [(await api.get("/messages", q="heddle")).status_code for _ in range(2)]
    assert answers[-1] == 200
    assert await ids(api, q="heddle") == [loom]


async def test_parts_become_one(api: Api) -> None:
    """Many small batches are few parts, and nothing is lost or found twice."""
    index = MailIndex(api.line.workspace.folder / "other.lance")
    for number in range(12):
        await index.put({f"m{number}": f" loom w{number} "})
    await index.put({"m3": " loom changed "})
    names = [path.name for path in (api.line.workspace.folder / "other.lance").glob("*.lance")]
    assert len(names) <= 8
    assert await index.ids() == {f"m{number}" for number in range(12)}
    loom = SearchTerm(alternatives=(("loom",),))
    assert len(await index.search([loom])) == 12
    assert len(await index.search([SearchTerm(alternatives=(("w3",),))])) == 0
    side = SearchTerm(alternatives=(("loom", "changed"),))
    assert (await index.search([side])).to_pylist() == ["m3"]
    but = side.model_copy(update={"excluded": True})
    assert len(await index.search([loom, but])) == len(await index.search([but])) == 11
    await index.merge()
    assert len(await index.search([loom])) == 12
    await index.close()


async def test_searches_and_writers_at_once_disturb_nobody(api: Api) -> None:
    """A part is removed once no search looks into it; no search meets one that is gone."""
    index = MailIndex(api.line.workspace.folder / "other.lance")
    for number in range(4):
        await index.put({f"m{number}": f" loom w{number} "})
    loom, one = (SearchTerm(alternatives=((word,),)) for word in ("loom", "w1"))
    terms = [loom, one.model_copy(update={"excluded": True})]
    over = asyncio.Event()

    async def search() -> None:
        while not over.is_set():
            ids = set((await index.search(terms)).to_pylist())
            assert ids >= {"m0", "m3"}
            assert "m1" not in ids
            assert "m0" in await index.ids()

    searches = [asyncio.create_task(search()) for _ in range(3)]
    for number in range(4):
        await index.put({f"x{number}": " loom "})
        await index.remove(["m2", f"x{number}"])
        await index.merge()
    over.set()
    await asyncio.gather(*searches)
    await index.close()
