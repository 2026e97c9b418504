"""What would have been answered without a model only reads, and is compared with what was."""

from dataclasses import dataclass, field
from typing import cast

import pytest

from data.manifest import Manifest
from data.records.agents.turns import PersonCaller, Turn
from data.records.core.record import Record
from data.records.core.tools import Effect, ToolResult
from data.store.core.database import Connection
from flows.agents.calls import Calls, TurnLimits
from flows.agents.journal import Journal
from flows.agents.shadowing import keep_shadow_answer
from flows.core.tools import Calling, Tool, Toolbox
from flows.running.agents import TOOLS
from tasks.agents.agreement import is_same_answer
from tasks.agents.calling import OrderedCall
from tasks.agents.conversing import choose_call
from tasks.agents.triage import LOOKUPS, Triage
from tests.agents.conftest import Office
from tests.agents.turns.talks import user_of

LOGGED, SAME = 500, 385


@pytest.mark.parametrize(
    ("without_model", "of_model", "same"),
    [
        ("One case is urgent: Smoke, from Tom.", "Tom's case about smoke is urgent (1).", True),
        ("Two of 5 cases are urgent.", "Of the 5 cases that wait, two are urgent.", True),
        ("Two of 5 cases are urgent.", "Of the 4 cases that wait, two are urgent.", False),
        ("Nothing that waits is urgent.", "I cannot look into the queue.", False),
        ("Nothing that waits is urgent.", "", False),
    ],
)
def test_numbers_have_to_be_the_same_and_half_of_the_words(
    without_model: str, of_model: str, *, same: bool
) -> None:
    """A model may say more, in other words; it may not say another number."""
    assert is_same_answer(without_model, of_model) is same


async def test_the_report_counts_five_hundred_logged_answers(office: Office) -> None:
    """How many there are, how many are compared, how many agree; one without an answer is seen."""
    ida = await office.sign_in("Ida")
    chat = await ida.begin("desk")
    statements = (
        "CREATE TEMP TABLE logged AS SELECT n, lpad(n::VARCHAR, 4, '0') AS id, "
        "TIMESTAMPTZ '2026-01-01' + to_minutes(n) AS moment, $chat AS chat, $ida AS ida, "
        "CASE WHEN n < $same THEN n ELSE n + 1 END AS said FROM range($logged + 1) t(n)",
        "INSERT INTO turns (id, chat_id, agent, agent_version, asked, asked_by, state, note, "
        "started_at) SELECT 't' || id, chat, 'desk', 1, 'q' || id, ida, 'completed', '', moment "
        "FROM logged",
        "INSERT INTO chat_messages (id, chat_id, place, author, author_id, author_name, text, "
        "sources, turn_id, said_at) SELECT 'q' || id, chat, 2 * n, 'person', ida, 'Ida', "
        "'What is urgent?', '[]', '', moment FROM logged",
        "INSERT INTO chat_messages (id, chat_id, place, author, author_id, author_name, text, "
        "sources, turn_id, said_at) SELECT 'a' || id, chat, 2 * n + 1, 'agent', 'desk', 'Desk', "
        "said || ' of the cases that wait are urgent', '[]', 't' || id, moment FROM logged "
        "WHERE n < (SELECT max(n) FROM logged)",
        "INSERT INTO chat_shadows SELECT 't' || id, 'urgent', n || ' cases are urgent.', moment "
        "FROM logged",
        "DROP TABLE logged",
    )
    values = {"chat": chat, "ida": ida.user_id, "same": SAME, "logged": LOGGED}

    def write(cursor: Connection) -> None:
        for number, statement in enumerate(statements):
            cursor.execute(statement, None if number else values)

    await office.line.workspace.db.write(write)
    report = {one["intent"]: one for one in (await ida.get("/chat-intents")).json()["items"]}
    urgent = report["urgent"]
    assert (urgent["seen"], urgent["compared"], urgent["agreed"]) == (LOGGED + 1, LOGGED, SAME)
    assert [one["said"] for one in urgent["shadows"]][:2] == [
        "",
        f"{LOGGED} of the cases that wait are urgent",
    ]
    assert [report[kind]["seen"] for kind in ("promises", "waiting")] == [0, 0]


@dataclass
class _Called:
    """Every tool that there is, as it declares itself; each only counts that it was called."""

    names: list[str] = field(default_factory=list)

    @property
    def toolbox(self) -> Toolbox:
        """Return them."""
        return Toolbox(Tool(each, Record, self._work(each.name)) for each in TOOLS.declarations)

    def _work(self, name: str):  # noqa: ANN202  # a tool's function
        async def work(calling: Calling, _: Record) -> ToolResult:
            del calling
            self.names.append(name)
            return ToolResult(sentence="Nothing that waits is urgent.")

        return work


async def test_what_is_only_compared_calls_no_tool_that_writes(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was recognized: each tool that there is is ordered once, and those that read run."""
    ida = await user_of(office, "Ida")
    house, workspace, called = office.line.house, office.line.workspace, _Called()
    now = house.clock()
    for name in TOOLS:
        turn = Turn.model_validate({
            "id": name, "chat_id": "c", "agent": "desk", "agent_version": 1, "asked": "q",
            "asked_by": ida.id, "caller": PersonCaller(user=ida.id), "state": "completed",
            "started_at": now,
        })  # fmt: skip
        order = OrderedCall(name=name, arguments={})
        # No plain question orders a tool that writes, so what orders it is put in its place.
        monkeypatch.setattr("flows.agents.shadowing.choose_call", lambda *_, order=order: order)
        journal = Journal(house, workspace, turn)
        unused = cast(Manifest, None), cast(TurnLimits, None)
        calling = Calling(house, workspace, ida)
        calls = Calls(calling, turn, called.toolbox, journal, *unused, on_move=print)
        await keep_shadow_answer(calls, Triage(intent=min(LOOKUPS)), "What is urgent?")
    reading = [each.name for each in TOOLS.declarations if each.effect is Effect.NONE]
    assert called.names == reading
    assert 0 < len(reading) < len(TOOLS)


@pytest.mark.parametrize("intent", sorted(LOOKUPS))
def test_a_plain_question_is_looked_up_with_a_tool_that_reads(intent: str) -> None:
    """Where every tool is there."""
    call = choose_call(Triage.model_validate({"intent": intent}), "", TOOLS.declarations)
    assert call is not None
    assert TOOLS.read_declaration(call.name).effect is Effect.NONE
