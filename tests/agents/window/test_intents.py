"""The page of plain questions over the real engine."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.ids import new_id
from data.records.agents.chats import AuthorKind, Chat, ChatKind
from data.records.agents.turns import PersonCaller, Turn
from data.states import TurnState
from data.store.agents import chats, intents, turns
from data.store.core.database import Connection
from flows.core.house import House
from tests.core.window.drawn import button, keys, says
from tests.core.window.real_engine import Engine, engine, window

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def put_question(cursor: Connection, house: House, said: str, would_say: str) -> None:
    """Write a question that everybody here may read, with both answers."""
    now = house.clock()
    chat = Chat(id=new_id(now), kind=ChatKind.ORGANIZATION, agent="desk", owner="x", title="t",
                created_at=now, updated_at=now)  # fmt: skip
    chats.add_chat(cursor, chat, [])
    turn_id = new_id(now)
    asked, _ = (
        chats.add_message(cursor, chat.id, chats.Author(kind, "desk", "Desk"), text, now=now,
                  pause=house.clock() - now, turn_id=turn_id)
        for kind, text in ((AuthorKind.PERSON, "What is urgent?"), (AuthorKind.AGENT, said))
    )  # fmt: skip
    turn = Turn(id=turn_id, chat_id=chat.id, agent="desk", agent_version=1, asked=asked.id,
                asked_by="x", caller=PersonCaller(user="x"), state=TurnState.COMPLETED,
                started_at=now)  # fmt: skip
    turns.begin(cursor, turn)
    intents.add_shadow(cursor, turn_id, "urgent", would_say, now)


def test_a_question_is_switched_over_by_who_has_seen_both_answers(
    engine: Engine,  # pytest's way of asking for a fixture
    window: Opener,
) -> None:
    """Both stand beside each other with how often they agree; the switch holds and goes back."""
    app = window("intents")
    assert says(app, "Nothing to compare yet.")
    assert says(app, "No model is set up")
    assert not [key for key in keys(app) if key.startswith("intent-switch-")]
    house, db = engine.line.house, engine.line.workspace.db
    engine.run(db.write(put_question, house, "Smoke, from Tom, is urgent.", "Urgent: Smoke, Tom."))
    engine.run(db.write(put_question, house, "I do not know.", "Nothing that waits is urgent."))
    app = window("intents")
    assert says(app, "both say the same in 1 of 2")
    assert says(app, "Nothing that waits is urgent.")
    button(app, "intent-switch-urgent").click().run()
    assert says(app, "“What is urgent” is answered without the model from now on.")
    assert engine.run(db.read(intents.list_switched_on)) == frozenset({"urgent"})
    button(app, "intent-switch-urgent").click().run()
    assert not app.exception
    assert engine.run(db.read(intents.list_switched_on)) == frozenset()
    assert "intent-switch-promises" in keys(app)
