"""Two answers agree where the model's has what the other one says."""

import pytest

from data.store.core.database import Connection
from tasks.agents.agreement import agrees
from tests.agents.conftest import Office

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
    assert agrees(without_model, of_model) is same


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
