"""What an agent names leads to its page in the window, by what a tool gave and nothing else."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from data.records.core.tools import Item, Source, ToolResult
from data.window_pages import page_of, with_pages
from tasks.agents.conversing import tell_result
from tasks.agents.thinking import build_result_text, read_answer, sources_of
from tasks.agents.triage import Triage
from tests.agents.conftest import Office
from tests.core.small import CUSTOMER

HOSTILE = "See [1] https://evil.example/x and /review?case=zzz, [here](https://evil.example)"


async def _sources(office: Office, agent: str, *says: str) -> list[dict[str, str]]:
    ida = await office.sign_in("Ida")
    chat = await ida.begin(agent)
    answer: dict[str, list[dict[str, str]]] = {}
    for words in says:
        answer = await ida.ask(chat, words)
    return answer["sources"]


async def test_a_contact_leads_to_what_that_contact_wrote(office: Office) -> None:
    """By the address that is on record, quoted for an address bar."""
    office.line.send("When are you open?", subject="Hours")
    await office.line.run()
    (source,) = await _sources(office, "rolodex", "Who is Mara?")
    assert (source["kind"], source["id"]) == ("contact", CUSTOMER)
    assert parse_qs(urlsplit(source["page"]).query) == {"q": [f"from:{CUSTOMER}"]}


async def test_a_task_leads_to_itself_whatever_became_of_it(office: Office) -> None:
    """Noted, listed and done, it is the same page; the page can be read."""
    noted = await _sources(office, "taskmaster", "Add a task: order batteries")
    ida = await office.sign_in("Bea")
    assert noted[0]["page"] == f"/agenda?task={noted[0]['id']}"
    assert (await ida.get(f"/tasks/{noted[0]['id']}")).status_code == 404  # another person's
    chat = await ida.begin("taskmaster")
    ours = (await ida.ask(chat, "Add a task: order tea"))["sources"]
    listed = (await ida.ask(chat, "What are my tasks?"))["sources"]
    done = (await ida.ask(chat, "I have done order tea"))["sources"]
    assert [one["id"] for one in listed] == [ours[0]["id"]] == [done[0]["id"]]
    assert (await ida.get(f"/tasks/{ours[0]['id']}")).json()["state"] == "done"


async def test_an_event_leads_to_its_day(office: Office) -> None:
    """In the organization's time zone."""
    added = await _sources(office, "calendar", "Add a meeting with Ines tomorrow at 14:00")
    tomorrow = (office.line.clock() + timedelta(days=1)).date().isoformat()
    assert added[0]["page"] == f"/agenda?event={added[0]['id']}&day={tomorrow}"


async def test_what_is_told_while_one_listens_leads_there_too(office: Office) -> None:
    """The last event of a turn has the pages, and so has the exported chat."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("taskmaster")
    answer = await ida.ask(chat, "Add a task: order batteries")
    page = answer["sources"][0]["page"]
    heard = (await ida.get(f"/turns/{answer['turn_id']}/events")).text
    assert page in heard
    assert f"http://127.0.0.1:8501{page}" in (await ida.get(f"/chats/{chat}/export")).text


async def test_words_of_strangers_lead_nowhere(office: Office) -> None:
    """Addresses and numbers in a subject stay words; the one source is the case itself."""
    office.line.send("There is smoke coming out of the loom!", subject=HOSTILE)
    await office.line.run()
    case = (await office.line.rows("SELECT id FROM cases"))[0]["id"]
    (source,) = await _sources(office, "desk", "What is urgent?")
    assert source["page"] == f"/review?case={case}"


@pytest.mark.parametrize("kind", ["", "https://evil.example", "nonsense"])
def test_a_kind_that_has_no_page_has_no_link(kind: str) -> None:
    """And whatever stands in an id stays within its parameter."""
    assert page_of(Source(kind=kind, id="x", title="x")) == ""
    page = page_of(Source(kind="case", id="x&case=y#z //evil.example", title="x"))
    assert parse_qs(urlsplit(page).query) == {"case": ["x&case=y#z //evil.example"]}
    assert urlsplit(page).path == "/review"


def test_the_page_is_made_anew_whatever_stands_there() -> None:
    """A page that somebody else has filled in is not handed out."""
    forged = Source(kind="nonsense", id="x", title="x", page="https://evil.example")
    assert with_pages([forged])[0].page == ""


def test_a_model_names_sources_by_number_alone() -> None:
    """What its text says beside them makes none; a sentence has a number as an item has."""
    task, event = (Source(kind=kind, id=kind, title=kind) for kind in ("task", "event"))
    result = ToolResult(sentence="Noted.", about=(task,), items=(Item(title="A", source=event),))
    assert build_result_text(result, 4) == "Noted. [4]\n[5] A"
    assert sources_of(result) == [task, event]
    answer = read_answer(
        {"text": f"Noted [2]. {HOSTILE.replace('[1]', '[9]')}"}, sources_of(result)
    )
    assert answer is not None
    assert answer.sources == (event,)


def test_numbers_of_lines_and_of_sources_agree() -> None:
    """Also where a line has no source."""
    sources = [Source(kind="case", id=name, title=name) for name in "ab"]
    items = (
        Item(title="A", source=sources[0]),
        Item(title="B"),
        Item(title="C", source=sources[1]),
    )
    answer = tell_result(
        Triage(),
        ToolResult(sentence="Three.", items=items, total=3),
        "",
        None,  # type: ignore[arg-type]
    )
    assert [piece[-3:] for piece in answer.pieces[1:]] == ["[1]", "B**", "[2]"]
    assert list(answer.sources) == sources
