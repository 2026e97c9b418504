"""The name of somebody who is erased goes wherever it stands, in any script, and no other word."""

from datetime import timedelta
from pathlib import Path

from data.records.agents.chats import AuthorKind
from data.store.agents import chats, memory_erasing
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.core.statements import Fields, first, insert
from tests.agents.conftest import Office
from tests.core.small import open_line

PAUSE = timedelta(hours=1)
CUT: tuple[tuple[list[str], str, str], ...] = (
    (["José"], "Gracias, José.", "Gracias, (erased)."),
    (["Øyvind"], "Ask Øyvind or ØYVIND.", "Ask (erased) or (erased)."),
    (["Иван"], "Спасибо, Иван!", "Спасибо, (erased)!"),
    (["अनीता"], "अनीता knows it", "(erased) knows it"),
    (["王芳"], "我问王芳吧", "我问(erased)吧"),
    (["O’Neil"], "Thank you, O’Neil", "Thank you, (erased)"),
    (["Quill (hall)", "Quill"], "Quill (hall) knows, as Quill", "(erased) knows, as (erased)"),
    (["Zoë"], "Zoë, Zoe\u0308 and Zoe", "(erased), (erased) and Zoe"),
    (["Wren"], "Wren Wren Wren Wren", "(erased) (erased) (erased) (erased)"),
    (["Jos"], "Jos is not José, nor éJos", "(erased) is not José, nor éJos"),
    ([], "The blue one squeaks", "The blue one squeaks"),
)


async def test_a_name_is_cut_as_a_whole_word(tmp_path: Path) -> None:
    """Whatever letters and marks it begins and ends with; where there is none, nothing is."""
    async with open_line(tmp_path / "var") as line:
        author = chats.Author(AuthorKind.PERSON, "user-tom", "Tom")

        def cut(cursor: Connection, names: list[str], text: str) -> object:
            message = chats.add_message(
                cursor, "looms", author, text, now=line.clock(), pause=PAUSE
            )
            memory_erasing.erase_person(cursor, "user-ida", names, line.clock())
            return first(cursor, "SELECT text FROM chat_messages WHERE id = ?", [message.id])

        for names, before, after in CUT:
            assert await line.workspace.db.write(cut, names, before) == (after,)


def _blank_name(cursor: Connection, user: str) -> None:
    """Leave a user as one could be made before names had to say something."""
    cursor.execute("UPDATE users SET name = ' ' WHERE id = ?", [user])


async def test_nothing_is_cut_for_somebody_without_a_name(office: Office) -> None:
    """No name stands nowhere, and not between all words."""
    boss, ida = await office.sign_in("Boss"), await office.sign_in("Ida", "viewer")
    await office.line.house.control.write(_blank_name, ida.user_id)
    shared = (await boss.post("/chats", {"agent": "desk", "kind": "organization"})).json()["id"]
    await boss.post(f"/chats/{shared}/messages", {"text": "The blue one squeaks"})
    erased = await boss.post(f"/memories/people/{ida.user_id}/erase")
    assert erased.is_success, erased.text
    shown = (await boss.get(f"/chats/{shared}")).json()["messages"]
    assert [one["text"] for one in shown] == ["The blue one squeaks"]


async def test_what_a_person_alone_was_told_goes_with_them(tmp_path: Path) -> None:
    """A reminder holds the words of its task."""
    async with open_line(tmp_path / "var") as line:

        def erase(cursor: Connection) -> object:
            for user in ("user-ida", "user-tom"):
                words, addressees = {user: "Due now: oil the wainscot"}, {user: f"user:{user}"}
                notify(cursor, "reminder", words, line.clock(), addressees)
            memory_erasing.erase_person(cursor, "user-ida", ["Ida"], line.clock())
            return cursor.execute("SELECT addressee FROM notifications").fetchall()

        assert await line.workspace.db.write(erase) == [("user:user-tom",)]


async def test_a_name_is_cut_in_whatever_an_agent_did_or_was_asked(tmp_path: Path) -> None:
    """In JSON too, where a line ends before it; replies of people are not the agents'."""
    async with open_line(tmp_path / "var") as line:
        now = line.clock()
        move = {"turn_id": "one", "ordinal": 1, "kind": "act", "name": "note", "state": "done"}
        call = {
            "subject_id": "one.1", "sha256": "", "floor": "review", "permission": "decide",
            "may_decide": ["user-tom"], "opened_by": "agent:desk", "opened_at": now,
            "state": "approved", "decided_by": "Tom",
        }  # fmt: skip
        entry = {"language": "en", "question_id": "", "source": "learned", "created_by": "Tom"}
        event = {"uid": "1", "owner": "user-tom", "starts_at": now, "ends_at": now, "added_at": now}
        rows: dict[str, list[Fields]] = {
            "turn_moves": [
                move | {"given": '{"text": "Ask\\nIda"}', "result": '"Ida"', "began_at": now}
            ],
            "approvals": [
                call | {"id": "a", "kind": "tool_call", "summary": "Notes Ida", "note": "Ida"},
                call
                | {"id": "c", "kind": "tool_call", "summary": "", "note": ""}
                | {"opened_by": "Ida", "decided_by": "Ida"},
                call | {"id": "b", "kind": "reply", "summary": "Dear Mara, Ada", "note": ""},
            ],
            "model_messages": [
                {"call_id": "1", "turn": "one", "asked_at": now, "messages": '["Hello\\nIda"]'},
                {"call_id": "2", "turn": "two", "asked_at": now, "messages": '["Hello Adaida"]'},
            ],
            "learned_entries": [
                entry
                | {"id": "1", "title": "Of Ida", "body": "Ida", "created_at": now}
                | {"origin": "agent"}
            ],
            "calendar_events": [event | {"id": "1", "title": "Ida", "added_by": "Ida"}],
            "turns": [
                {"id": "one", "chat_id": "c", "agent": "desk", "agent_version": 1, "asked": "m"}
                | {"asked_by": "user-tom", "state": "failed", "note": "Stopped by Ida."}
                | {"started_at": now}
            ],
            "chat_intents": [
                {"intent": "urgent", "switched_on": True, "changed_by": "Ida", "changed_at": now}
            ],
            "tasks": [
                {"id": "1", "owner": "user-tom", "title": "Call Ida", "state": "open"}
                | {"made_at": now}
            ],
        }

        def erase(cursor: Connection) -> str:
            for table, listed in rows.items():
                insert(cursor, table, listed)
            memory_erasing.erase_person(cursor, "user-ida", ["Ida"], now)
            return " ".join(
                str(cursor.execute(f"SELECT * FROM {table}").fetchall())  # noqa: S608
                for table in rows
            )

        left = await line.workspace.db.write(erase)
        assert "Ida" not in left
        assert "Adaida" in left
        assert '{"text": "Ask\\\\n(erased)"}' in left
