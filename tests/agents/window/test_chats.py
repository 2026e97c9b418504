"""The page of chats over the real engine: what is empty, what failed, and where sources lead."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest
from streamlit.testing.v1 import AppTest

from data.records.agents.chats import Chat, ChatKind, ChatView, Said, Say
from data.records.agents.turn_work import Stands, Stored, TurnWork
from data.records.core.tools import ChangeKind
from data.states import AgentState
from data.store.agents import agents, chats
from data.store.core.database import Connection
from flows.agents.lifecycle import install_catalogue
from flows.running.agents import TOOLS
from tests.agents.window.test_browser_agents import Answer
from tests.agents.window.test_real_engine import answered, open_new_chat, read_transcript
from tests.core.window.drawn import button, says, tell
from tests.core.window.real_engine import Engine, engine, window
from ui.agents.api.desk import AgentsDesk
from ui.agents.widgets.transcript import stored_lines, transcript
from ui.agents.widgets.work_done import fold_work, list_unheld
from ui.core.api.organization_client import OrganizationClient

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def catalogue(engine: Engine) -> None:  # pytest's way of asking for a fixture
    """The organization has the agents of the catalogue."""
    engine.run(install_catalogue(engine.line.house, engine.line.workspace))


def test_a_page_without_chats_says_how_to_begin_one(window: Opener) -> None:
    """And one that was removed meanwhile is said to be gone, as if nothing were open."""
    app = window("chats", chat="nothing-by-that-id")
    assert says(app, "That chat is not there for you")
    assert says(app, "No chat yet.")
    assert not app.error
    assert app.text_input(key="chat-words").proto.max_chars == 200
    assert not app.exception


def test_every_chat_is_on_some_page(engine: Engine, window: Opener) -> None:
    """However many there are; keys do not move through them, and nobody is told that they do."""

    def begin(cursor: Connection) -> None:
        for number in range(31):
            at = engine.line.clock() + timedelta(seconds=number)
            chat = Chat(id=f"c{number}", kind=ChatKind.ORGANIZATION, agent="desk", owner="x",
                        title=f"Talk {number}.", created_at=at, updated_at=at)  # fmt: skip
            chats.add_chat(cursor, chat, [])

    engine.run(engine.line.workspace.db.write(begin))
    app = window("chats")
    assert says(app, "Talk 30.")
    assert says(app, "Choose a chat from the list")
    assert not says(app, "J and K")
    app = window("chats", **{"pages-chats": 2})
    assert says(app, "Talk 0.")
    assert not app.exception


def test_an_agent_that_one_has_no_more_is_not_called_paused(engine: Engine, window: Opener) -> None:
    """It may be gone, or given to others; it is called by its name."""
    app = open_new_chat(window, "analyst")
    engine.run(engine.line.workspace.db.write(agents.set_state, "analyst", AgentState.DELETED))
    app.run()
    assert app.chat_input[0].proto.placeholder == "Analyst cannot be asked by you any more"
    assert app.chat_input[0].disabled
    assert not app.exception


def test_what_was_not_said_stands_in_its_field_again(engine: Engine, window: Opener) -> None:
    """A refusal is told, and nobody has to type it twice."""
    app = open_new_chat(window, "analyst")
    engine.run(engine.line.workspace.db.write(agents.set_state, "analyst", AgentState.PAUSED))
    app.chat_input[0].set_value("How many letters came in this week?").run()
    assert says(app, "Analyst is paused")
    assert app.chat_input[0].value == "How many letters came in this week?"
    assert read_transcript(app) == []
    engine.run(engine.line.workspace.db.write(agents.set_state, "analyst", AgentState.ACTIVE))
    app.run()
    app.chat_input[0].set_value("How many letters came in today?").run()
    assert [message["who"] for message in read_transcript(app)] == ["admin", "Analyst"]
    assert not app.exception


def test_a_step_asks_for_nothing_twice_and_is_drawn_once(
    engine: Engine, window: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that is there at once is drawn with the question; so is what others said."""
    drawn: list[int] = []

    def draw(view: ChatView, *parts: Any) -> None:  # noqa: ANN401
        drawn.append(len(view.messages))
        transcript(view, *parts)

    # It draws as it does, and counts: what `AppTest` shows is the last drawing alone.
    monkeypatch.setattr("ui.agents.widgets.transcript.transcript", draw)
    app = open_new_chat(window, "analyst")
    chat = app.session_state["chat"]
    app.chat_input[0].set_value("How many letters came in today?").run()
    asked: list[str] = []

    def note(request: httpx.Request) -> None:
        asked.append(f"{request.method} {request.url.path.partition('/teasel/')[2]}")

    app.session_state["client"]._http.event_hooks = {"request": [note]}
    drawn.clear()
    app.chat_input[0].set_value("How many letters came in this week?").run()
    assert drawn == [4]
    first, _turn, *after = asked
    assert first == f"POST chats/{chat}/messages"
    assert after == [f"GET chats/{chat}", "GET chats"]  # once the answer is there
    assert [entry["mine"] for entry in read_transcript(app)] == [True, False, True, False]
    client = app.session_state["client"]
    client.act(Said, f"/v1/teasel/chats/{chat}/messages", Say(text="And yesterday, elsewhere?"))
    app.chat_input[0].set_value("How many letters came in last week?").run()
    words = [entry["text"] for entry in read_transcript(app) if entry["mine"]]
    assert words[-2:] == ["And yesterday, elsewhere?", "How many letters came in last week?"]
    assert not app.exception
    answer = Answer(engine)
    answer.say("The loom")
    turns = AgentsDesk(OrganizationClient(client, "teasel")).turns
    assert not turns.ends_within(answer.turn, 0.05)
    answer.end()
    assert turns.ends_within(answer.turn, 0.05)


def test_a_failed_answer_says_why_and_is_asked_again(engine: Engine, window: Opener) -> None:
    """What was asked is not said a second time."""
    app = open_new_chat(window, "assistant")
    house, settings = engine.line.house, engine.line.house.settings
    house.settings = settings.model_copy(update={"turn_seconds": 1e-9})
    app.chat_input[0].set_value("Hello").run()
    app.run()
    house.settings = settings
    (asked,) = read_transcript(app)
    (failure,) = asked["failures"]
    assert failure["who"] == "Assistant"
    assert "took longer" in failure["text"]
    tell(app, "postern_transcript", "again", failure["turn"])
    app.run()
    assert answered(app, "Hello")
    assert len(read_transcript(app)) == 2
    assert read_transcript(app)[0]["failures"] == []
    assert not app.exception


def test_what_is_counted_is_drawn_as_bars(window: Opener) -> None:
    """Below the answer of its turn, and of no other message."""
    app = open_new_chat(window, "analyst")
    app.chat_input[0].set_value("SELECT 'oak' AS wood, 2 UNION SELECT 'ash', 1 ORDER BY 2").run()
    assert answered(app, "oak")
    asked, answer = read_transcript(app)
    assert (asked["bars"], asked["did"]) == ([], None)
    assert answer["did"]["head"].startswith("What it did: 1 call, no model, ")
    assert answer["did"]["lines"][0] == TOOLS.read_declaration("run_query").description
    assert answer["did"]["lines"][-1] == "It worked as version 1 of the agent."
    assert answer["bars"] == [{"name": "ash", "figure": 1.0}, {"name": "oak", "figure": 2.0}]
    assert answer["moreBars"] is False
    woods = " UNION ".join(f"SELECT 'wood {number}' AS wood, {number}" for number in range(23))
    woods += " UNION SELECT '', -1"
    app.chat_input[0].set_value(f"{woods} ORDER BY 2").run()
    assert answered(app, "wood 22")
    answer = read_transcript(app)[-1]
    assert (len(answer["bars"]), answer["moreBars"]) == (20, True)
    assert answer["bars"][0]["name"] == "(none)"
    assert not app.exception


def test_what_no_source_holds_is_underlined_and_told() -> None:
    """Of a model's answer; what its sources hold is only counted."""
    stands = (("85 euros", "supported"), ("12 days", "misattributed"), ("Vole", "none"))
    claims = [{"excerpt": words, "standing": standing} for words, standing in stands]
    work = TurnWork.model_validate(
        {"version": 3, "requests": 2, "claims": claims, "seconds": 1.26, "cost": 0.0042}
    )
    assert list_unheld(work) == ["Vole"]
    fold = fold_work(work)
    assert fold["head"] == "What it did: nothing looked up, 2 requests, US$ 0.0042, 1.3 s"
    assert list(fold["lines"])[1:] == [
        "Of 3 figures, days and names in the answer its sources hold 1.",
        "“12 days” stands in another source than the one that is named.",
        "“Vole” stands in no source.",
        "It worked as version 3 of the agent.",
    ]


def test_a_source_of_knowledge_opens_its_entry(engine: Engine, window: Opener) -> None:
    """The page of knowledge shows it, with its text."""
    app = open_new_chat(window, "librarian")
    app.chat_input[0].set_value("What does an inspection cost?").run()
    app.run()
    source = read_transcript(app)[-1]["sources"][0]
    assert (source["kind"], source["page"][:17]) == ("knowledge", "/knowledge?entry=")
    tell(app, "postern_transcript", "open", {"kind": "knowledge", "id": source["id"]})
    assert app.session_state["entry"] == source["id"]
    assert says(app, source["title"])
    assert not app.exception


def test_a_source_of_memory_opens_its_item(engine: Engine, window: Opener) -> None:
    """The page of memory shows where it comes from."""
    app = open_new_chat(window, "assistant")
    for words in ("Remember that my desk is on the third floor", "Where is my desk?"):
        app.chat_input[0].set_value(words).run()
        app.run()
    entries = read_transcript(app)
    assert [entry["stored"] for entry in entries if entry["agent"]] == [
        {"lines": ["My desk is on the third floor: remembered"], "there": True},
        None,
    ]
    sources = [one for entry in entries for one in entry["sources"]]
    (source,) = [one for one in sources if one["kind"] == "memory"][:1]
    assert source["page"].startswith("/memory?memory=")
    tell(app, "postern_transcript", "open", {"kind": "memory", "id": source["id"]})
    assert says(app, "Where it comes from")
    assert not app.exception


def test_what_an_agent_stored_is_taken_back_below_its_answer(
    engine: Engine, window: Opener
) -> None:
    """One press does it and says so; a second one, as of a page that is old, is told."""
    app = open_new_chat(window, "assistant")
    app.chat_input[0].set_value("Remember that my desk is on the third floor").run()
    turn = read_transcript(app)[-1]["turn"]
    tell(app, "postern_transcript", "undo", turn)
    assert says(app, "Taken back: “My desk is on the third floor”")
    gone = {"lines": ["My desk is on the third floor: taken back"], "there": False}
    assert read_transcript(app)[-1]["stored"] == gone
    rows = engine.run(engine.line.rows("SELECT state, closed_by FROM memories"))
    assert rows == [{"state": "retired", "closed_by": "admin"}]
    tell(app, "postern_transcript", "undo", turn)
    assert says(app, "nothing left of it to be taken back")
    assert not app.exception


def test_what_was_changed_is_told_by_what_was_done_and_by_where_it_stands() -> None:
    """The button is there as long as one of the things can be taken back by who looks."""
    moved = Stored(
        kind="task",
        id="1",
        title="call Ana",
        deed=ChangeKind.MOVED,
        stands=Stands.LEFT,
        undoable=True,
    )
    taken_out = {"kind": "event", "deed": ChangeKind.REMOVED, "undoable": False}
    assert stored_lines([moved, moved.model_copy(update=taken_out)]) == {
        "lines": ["call Ana: moved", "call Ana: taken out of the calendar"],
        "there": True,
    }
    changed = moved.model_copy(update={"stands": Stands.CHANGED, "undoable": False})
    assert stored_lines([changed]) == {"lines": ["call Ana: changed since"], "there": False}
    assert stored_lines([]) is None


def test_a_task_that_an_agent_names_is_open_on_its_page(engine: Engine, window: Opener) -> None:
    """Also once it is done and on no list of what is to be done."""
    app = open_new_chat(window, "taskmaster")
    for words in ("Add a task: order batteries", "I have done order batteries"):
        app.chat_input[0].set_value(words).run()
        app.run()
    source = read_transcript(app)[-1]["sources"][0]
    assert source["page"] == f"/agenda?task={source['id']}"
    tell(app, "postern_transcript", "open", {"kind": "task", "id": source["id"], "on": ""})
    assert app.session_state["task"] == source["id"]
    assert app.text_input(key=f"title-{source['id']}").value == "order batteries"
    assert not app.exception


def test_a_contact_that_an_agent_names_opens_the_inbox_with_their_mail(
    engine: Engine, window: Opener
) -> None:
    """The list is narrowed to what they wrote."""
    engine.receive("When are you open?", subject="Hours")
    app = open_new_chat(window, "rolodex")
    app.chat_input[0].set_value("Who is Mara?").run()
    app.run()
    source = read_transcript(app)[-1]["sources"][0]
    tell(app, "postern_transcript", "open", {"kind": "contact", "id": source["id"], "on": ""})
    assert app.session_state["inbox-q-messages"] == f"from:{source['id']}"
    assert says(app, "Hours")
    assert not app.exception


def test_an_agent_is_set_up_on_its_page(engine: Engine, window: Opener) -> None:
    """An answer is a version; it stands in the form, and can be taken back."""
    app = window("agents", **{"agent": "calendar", "agent-part": "settings"})
    app.selectbox(key="setting-calendar-1-day_begins").set_value("08:00").run()
    app.text_input(key="settings-reason").set_value("the early shift").run()
    button(app, "settings-save").click().run()
    assert app.selectbox(key="setting-calendar-2-day_begins").value == "08:00"
    assert says(app, "version 2")
    assert not app.exception
