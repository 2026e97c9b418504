"""What the page of a case reads at once."""

from typing import Any

from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import pages, threads
from flows.api.mail.review import case_view
from tests.core.api.fixtures import Api, Case

MOST = 28
"""Statements for one case that has one message and no earlier mail."""


class Counted:
    """A cursor that counts what it is asked."""

    def __init__(self, cursor: Connection) -> None:
        self.cursor, self.count = cursor, 0

    def execute(self, statement: str, given: list[Any] | None = None) -> Any:  # noqa: ANN401
        """Run a statement."""
        self.count += 1
        return self.cursor.execute(statement, given or [])


async def test_a_case_takes_few_statements(api: Api, case: Case) -> None:
    """Each costs the engine about a millisecond, and a person goes through hundreds of cases."""

    def look(cursor: Connection) -> int:
        counted = Counted(cursor)
        house = api.line.house
        case_view._view(counted, house.settings, api.line.workspace, case["id"], house.clock())  # type: ignore[arg-type]
        return counted.count

    assert await api.line.workspace.db.read(look) <= MOST


async def test_a_case_that_was_seen_is_not_sent_again(api: Api, case: Case) -> None:
    """Only another version is; a case that nobody knows is refused as ever."""
    path = f"/cases/{case['id']}"
    same = await api.get(path, seen=case["version"])
    assert (same.status_code, same.content) == (304, b"")
    other = await api.get(path, seen=int(str(case["version"])) + 1)
    assert (other.status_code, other.json()["id"]) == (200, case["id"])
    assert (await api.get("/cases/nobody", seen=1)).status_code == 404


async def test_a_conversation_reads_as_the_context_does(api: Api, case: Case) -> None:
    """What was said, and in which order, is the same as what a draft rests on."""
    thread: Any = case["thread"]

    def look(cursor: Connection) -> tuple[list[Any], list[Any]]:
        said = pages.list_said(cursor, thread["id"], {})
        return said, threads.list_earlier(cursor, [thread["id"]], [], 0)[::-1]

    said, earlier = await api.line.workspace.db.read(look)
    assert said
    for ours, theirs in zip(said, earlier, strict=True):
        shown = {name: value for name, value in ours._asdict().items() if name != "files"}
        assert {name: getattr(theirs, name) for name in shown} == shown


async def test_steps_that_were_superseded_give_no_result(api: Api, case: Case) -> None:
    """They stay as history; what a page shows is what counts."""
    item = str(case["id"])
    database = api.line.workspace.db
    steps = await database.read(pages.list_steps, [item])
    assert item in pages.pick_results(steps, "classify")
    await database.write(journal.supersede_steps, [item], ["classify"])
    steps = await database.read(pages.list_steps, [item])
    assert pages.pick_results(steps, "classify") == {}
    assert "classify" in {step.stage for step in steps}
