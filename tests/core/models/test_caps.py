"""Caps: rows of scope, subject, unit and period, held before a call; a refusal says which."""

import asyncio
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from data.errors import NotFoundError
from data.records.core.asking import Charge, Fault, ModelFaultError, TokenUsage
from data.records.core.caps import Cap, CapKey, CapPeriod, CapScope, CapUnit
from data.store.core import caps, usage
from data.store.core.migrations import migrate
from data.store.core.statements import rows
from flows.core.workspace import Workspace
from tests.core.models.asked import CLEAN, DRAFT, GUARD
from tests.core.models.money import NOON, ONE, Clock, spent, thinker

ALL = Charge(
    item="case", sender="Pat@Reed.example", turn="turn-1", principal="user-1", teams=("looms",)
)
USED = 1_200
"""Tokens of a scripted answer."""


async def put(workspace: Workspace, limit: float | None, scope: str, **given: str) -> None:
    """Set a cap."""
    cap = Cap.model_validate({"scope": scope, "limit": limit, **given})
    await workspace.db.write(caps.put_cap, cap, actor="Ida", now=NOON)


async def asked_until_refused(
    workspace: Workspace, charge: Charge = ALL, clock: Clock | None = None, **given: object
) -> tuple[int, str]:
    """Ask as a loop that never ends would; return how many calls were made, and the refusal."""
    asking = thinker(lambda _: CLEAN, clock, **{"llm_item_calls": 10_000, **given})
    for _ in range(300):
        try:
            await asking.ask(workspace, GUARD, charge)
        except ModelFaultError as error:
            return len(asking.provider.asked), str(error)  # type: ignore[attr-defined]
    raise AssertionError


WORDS = {
    "organization": "the organization",
    "agent": "each agent",
    "user": "each user",
    "team": "each team",
    "turn": "each answer of an agent",
    "sender": "each sender's mail",
    "item": "each message or case",
}


@pytest.mark.parametrize("scope", list(CapScope))
@pytest.mark.parametrize(
    ("unit", "limit", "most"),
    [
        ("money", 0.3, "US$ 0.30"),
        ("tokens", 20_000, "20,000 tokens"),
        ("requests", 5, "5 requests"),
    ],
)
async def test_a_loop_ends_below_the_cap_of_every_scope_and_unit(
    workspace: Workspace, scope: CapScope, unit: str, limit: float, most: str
) -> None:
    """Whoever is capped, of whatever: never over, at most one call less, and told which cap."""
    await put(workspace, limit, scope, unit=unit)
    calls, told = await asked_until_refused(workspace)
    used = {"money": calls * ONE, "tokens": calls * USED, "requests": calls}[unit]
    reserved = {"money": 0.05, "tokens": GUARD.most_tokens_in + GUARD.max_tokens, "requests": 1}
    assert limit - reserved[unit] < used <= limit
    assert told == (
        f"the cap of {most} a day for {WORDS[scope]} leaves too little for the call "
        "until 2026-03-15 00:00 UTC"
    )


@pytest.mark.parametrize("scope", [one for one in CapScope if one is not CapScope.ORGANIZATION])
async def test_another_subject_has_a_count_of_its_own(
    workspace: Workspace, scope: CapScope
) -> None:
    """What one agent, user, turn, sender or item has used up is left to the next one."""
    await put(workspace, 2, scope, unit="requests")
    await asked_until_refused(workspace)
    asking = thinker(lambda _: CLEAN)
    other = Charge(
        item="other", sender="c@d.example", turn="turn-2", principal="user-2", teams=("dyes",)
    )
    question = DRAFT if scope is CapScope.AGENT else GUARD
    assert (await asking.ask(workspace, question, other)).content == CLEAN


async def test_whom_a_call_is_not_for_has_no_part_in_it(workspace: Workspace) -> None:
    """A call outside of any turn, for nobody, about no mail, is held by no cap of these."""
    for scope in ("user", "turn", "sender", "item"):
        await put(workspace, 0, scope, unit="requests")
    asking = thinker(lambda _: CLEAN)
    assert (await asking.ask(workspace, GUARD, Charge())).content == CLEAN
    (row,) = await workspace.db.read(rows, "SELECT * FROM model_calls")
    assert [row[name] for name in ("turn", "principal", "sender", "item_id")] == [None] * 4
    assert row["agent"] == "guard"


@pytest.mark.parametrize(
    ("period", "until", "later"),
    [
        ("hour", " until 2026-03-14 13:00 UTC", timedelta(hours=1)),
        ("day", " until 2026-03-15 00:00 UTC", timedelta(hours=12)),
        ("month", " until 2026-04-01 00:00 UTC", timedelta(days=17, hours=12)),
        ("once", "", None),
    ],
)
async def test_a_count_begins_anew_when_the_refusal_says(
    workspace: Workspace, period: str, until: str, later: timedelta | None
) -> None:
    """Not a microsecond before, then at once; what is counted once stays used up."""
    await put(workspace, 3, "turn", unit="requests", period=period)
    clock = Clock()
    calls, told = await asked_until_refused(workspace, clock=clock)
    assert (calls, told.endswith(f"leaves too little for the call{until}")) == (3, True)
    if later is not None:
        clock.now = NOON + later - timedelta(microseconds=1)
        assert (await asked_until_refused(workspace, clock=clock))[0] == 0
    clock.now = NOON + (later or timedelta(days=800))
    assert (await asked_until_refused(workspace, clock=clock))[0] == (3 if later else 0)


async def test_what_names_its_subject_takes_the_place_of_what_holds_for_each(
    workspace: Workspace,
) -> None:
    """One agent may do more than each, another may do nothing, and one is not held at all."""
    await put(workspace, 2, "agent", unit="requests")
    await put(workspace, 4, "agent", unit="requests", subject="guard")
    await put(workspace, None, "agent", unit="requests", subject="drafter")
    calls, told = await asked_until_refused(workspace)
    assert (calls, "4 requests a day for agent 'guard'" in told) == (4, True)
    asking = thinker(lambda _: CLEAN)
    for _ in range(6):
        await asking.ask(workspace, DRAFT, ALL)


async def test_who_is_in_two_teams_counts_for_both(workspace: Workspace) -> None:
    """The first cap that is reached holds; what colleagues have used up is used up."""
    await put(workspace, 2, "team", unit="requests", subject="looms")
    await put(workspace, 3, "team", unit="requests")
    both = Charge(principal="user-1", teams=("dyes", "looms"))
    calls, told = await asked_until_refused(workspace, both)
    assert (calls, "2 requests a day for this team" in told) == (2, True)
    dyer = Charge(principal="user-2", teams=("dyes",))
    calls, told = await asked_until_refused(workspace, dyer)
    assert (calls, "3 requests a day for each team" in told) == (1, True)
    assert (await asked_until_refused(workspace, Charge(teams=("spools",))))[0] == 3


async def test_a_stored_cap_takes_the_place_of_the_settings(workspace: Workspace) -> None:
    """A lower and a higher one, one without a limit, and the settings again once it is gone."""
    given = {"llm_daily_cap": 0.3}
    await put(workspace, 0.6, "organization")
    assert (await asked_until_refused(workspace, **given))[0] > 20
    await put(workspace, None, "organization")
    asking = thinker(lambda _: CLEAN, llm_item_calls=10_000, **given)
    for _ in range(20):
        await asking.ask(workspace, GUARD, ALL)
    key = CapKey(scope=CapScope.ORGANIZATION)
    await workspace.db.write(caps.remove, key, actor="Ida", now=NOON)
    calls, told = await asked_until_refused(workspace, **given)
    assert (calls, "US$ 0.30 a day for the organization" in told) == (0, True)
    with pytest.raises(NotFoundError, match=r"no cap of money .day. was set for 'organization'"):
        await workspace.db.write(caps.remove, key, actor="Ida", now=NOON)


async def test_of_several_caps_the_one_that_lasts_is_told(workspace: Workspace) -> None:
    """Who reads that it goes on in an hour is not refused for the rest of the month then."""
    for period in ("hour", "month", "day"):
        await put(workspace, 1, "organization", unit="requests", period=period)
    _, told = await asked_until_refused(workspace)
    assert told.endswith("a month for the organization leaves too little for the call "
                         "until 2026-04-01 00:00 UTC")  # fmt: skip


async def test_a_cap_that_one_call_alone_may_pass_says_so(workspace: Workspace) -> None:
    """Waiting does not help where the cap is smaller than what has to be reserved."""
    await put(workspace, 100, "turn", unit="tokens", period="hour")
    calls, told = await asked_until_refused(workspace)
    assert calls == 0
    assert (
        told
        == "the call could use more than the cap of 100 tokens an hour for each answer of an agent"
    )


async def test_fifty_turns_side_by_side_are_never_over_a_cap(workspace: Workspace) -> None:
    """Reserved before and settled after, in one transaction each: no cap of five is passed."""
    limits: dict[tuple[str, str, str, str], float] = {
        ("organization", "", "money", "day"): 2.0,
        ("agent", "guard", "tokens", "hour"): 90_000,
        ("user", "", "requests", "month"): 31,
        ("turn", "", "requests", "once"): 2,
        ("sender", "", "money", "hour"): 0.9,
    }
    for (scope, subject, unit, period), limit in limits.items():
        await put(workspace, limit, scope, subject=subject, unit=unit, period=period)
    asking = thinker(lambda _: CLEAN, llm_item_calls=10_000)

    faults: set[Fault] = set()

    async def turn(number: int) -> int:
        made = 0
        for _ in range(4):
            charge = Charge(
                item=f"i{number}", sender=f"s{number % 2}@b.example",
                turn=f"turn-{number}", principal=f"user-{number % 3}",
            )  # fmt: skip
            try:
                await asking.ask(workspace, DRAFT if number % 5 == 0 else GUARD, charge)
                made += 1
            except ModelFaultError as error:
                faults.add(error.fault)
        return made

    made = await asyncio.gather(*(turn(number) for number in range(50)))
    assert 0 < sum(made) < 200
    assert faults == {Fault.BUDGET}
    assert max(made) <= 2
    assert await spent(workspace) <= 2.0
    (row,) = await workspace.db.read(
        rows,
        "SELECT (SELECT max(n) FROM (SELECT count(*) AS n FROM model_calls GROUP BY principal)) "
        "AS user, (SELECT max(n) FROM (SELECT sum(cost) AS n FROM model_calls GROUP BY sender)) "
        "AS sender",
    )
    assert row["user"] <= 31
    assert row["sender"] <= 0.9
    (guards,) = await workspace.db.read(
        rows, "SELECT sum(tokens) AS n FROM model_calls WHERE agent = 'guard'"
    )
    assert guards["n"] <= 90_000


async def test_tokens_nobody_tells_of_count_as_they_were_reserved(workspace: Workspace) -> None:
    """The same as with money: the most where it is not known, nothing for what was turned away."""
    asking = thinker(lambda _: CLEAN)
    asking.provider.usage = TokenUsage()  # type: ignore[attr-defined]
    await asking.ask(workspace, GUARD, ALL)
    with pytest.raises(ModelFaultError):
        await thinker(lambda _: Fault.KEY).ask(workspace, GUARD, ALL)
    found = await workspace.db.read(rows, "SELECT tokens FROM model_calls ORDER BY outcome")
    assert [row["tokens"] for row in found] == [GUARD.most_tokens_in + GUARD.max_tokens, 0]


async def test_only_caps_of_money_need_a_price(workspace: Workspace) -> None:
    """A model without a price is asked within caps of tokens, and not within one of money."""
    await put(workspace, 100_000, "agent", unit="tokens")
    unpriced = thinker(lambda _: CLEAN, llm_prices=("other 1 1",))
    await unpriced.ask(workspace, GUARD, ALL)
    await put(workspace, 50, "user", unit="money")
    with pytest.raises(ModelFaultError) as caught:
        await unpriced.ask(workspace, GUARD, ALL)
    assert caught.value.fault is Fault.PRICE


async def test_caps_are_shown_with_what_is_used(workspace: Workspace) -> None:
    """Those of the settings, those that were set and by whom; a sender's address is not told."""
    await put(workspace, 9, "sender", subject="Pat@Reed.example", unit="requests")
    await put(workspace, 3, "turn", unit="requests", period="once")
    asking = thinker(lambda _: CLEAN, llm_daily_cap=5)
    for _ in range(3):
        await asking.ask(workspace, GUARD, ALL)
    shown = await workspace.db.read(usage.read_caps_view, asking.settings.model_caps, NOON)
    told = {one.cap.sentence: (one.used, one.set_by) for one in shown}
    assert told == {
        "US$ 5.00 a day for the organization": (pytest.approx(3 * ONE), ""),
        "24 requests in all for each message or case": (None, ""),
        "9 requests a day for the mail of this sender": (3, "Ida"),
        "3 requests in all for each answer of an agent": (None, "Ida"),
    }
    assert [one.begins_anew_at for one in shown][1] is None
    log = await workspace.db.read(rows, "SELECT action, subject, detail FROM audit_events")
    assert {(row["action"], row["subject"], row["detail"]) for row in log} == {
        ("set-cap", "caps:sender:pat@reed.example", "9 requests a day for the mail of this sender"),
        ("set-cap", "caps:turn", "3 requests in all for each answer of an agent"),
    }


@pytest.mark.parametrize(
    "given",
    [
        {"scope": "house", "limit": 1},
        {"scope": "agent", "limit": -1},
        {"scope": "agent", "limit": "nan"},
        {"scope": "agent", "limit": 1, "period": "year"},
        {"scope": "organization", "subject": "teasel", "limit": 1},
        {"scope": "agent"},
    ],
)
def test_what_is_no_cap_is_refused(given: dict[str, object]) -> None:
    """No scope, no number, no period, a subject where there is none, and no limit at all."""
    with pytest.raises(ValueError, match=r"validation error"):
        Cap.model_validate(given)


def test_months_end_where_they_do() -> None:
    """The last day of January is followed by February, and December by another year."""
    ends = [CapPeriod.MONTH.end(NOON.replace(month=month, day=28)) for month in (1, 2, 12)]
    assert [f"{end:%Y-%m-%d}" for end in ends if end] == ["2026-02-01", "2026-03-01", "2027-01-01"]
    assert {unit.value for unit in CapUnit} == {"money", "tokens", "requests"}


def test_calls_from_before_bear_the_slug_of_their_agent(tmp_path: Path) -> None:
    """A state whose calls are kept by task has them by agent, with the tokens they count with."""
    from importlib.resources import files

    start = files("data").joinpath("sql", "organization", "0005_models.sql").read_text("utf-8")
    with duckdb.connect(str(tmp_path / "state.duckdb")) as connection:
        migrate(connection, "organization")
        connection.execute("DROP TABLE model_calls; DROP TABLE caps")
        connection.execute("DELETE FROM schema_version WHERE version = 150")
        connection.execute(start)
        for number, task in enumerate(
            ("guard", "classify", "plan", "draft", "summarize", "extract")
        ):
            connection.execute(
                "INSERT INTO model_calls (id, item_id, task, sender, provider, model, tier, "
                "started_at, tokens_in, tokens_out, cost) "
                "VALUES (?, 'case', ?, 'a@b.example', 'anthropic', 'm', 'fast', ?, 900, 30, 0.5)",
                [str(number), task, NOON],
            )
        migrate(connection, "organization")
        found = rows(connection, "SELECT * FROM model_calls ORDER BY id")
    slugs = ["guard", "classifier", "planner", "drafter", "summarizer", "extractor"]
    assert [row["agent"] for row in found] == slugs
    assert {(row["tokens"], row["cost"], row["turn"], row["sender"]) for row in found} == {
        (930, 0.5, None, "a@b.example")
    }
