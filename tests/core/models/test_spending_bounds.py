"""Caps when providers lie about usage, calls wait or die, days end and the process starts anew."""

import asyncio
import math
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path

import pytest

from data.errors import SettingsError
from data.records.core.asking import (
    Charge,
    Fault,
    ModelFaultError,
    ModelReply,
    OnText,
    Question,
    TokenUsage,
)
from data.records.core.manifest_format import ModelTier
from data.records.core.prices import price_from
from data.settings import load_settings
from data.store.core.database import Database
from data.store.core.statements import rows
from flows.core.thinker import Thinker
from flows.core.workspace import Workspace
from tests.core.models.asked import CLEAN, DRAFT, GUARD
from tests.core.models.money import ONE, PRICE, Clock, spent, thinker, until_refused
from tests.core.models.providers import Scripted

MOST = price_from(PRICE).at_most(GUARD.most_tokens_in, GUARD.max_tokens)
MIDNIGHT = datetime(2026, 4, 1, tzinfo=UTC)
"""Of a day that is the first of its month."""


async def ask(asking: Thinker, workspace: Workspace, number: int = 0) -> Fault | None:
    """Ask about an item of its own; return the fault."""
    try:
        await asking.ask(workspace, GUARD, Charge(item=f"i{number}", sender=f"a{number}@b.example"))
    except ModelFaultError as error:
        return error.fault
    return None


@pytest.mark.parametrize(
    "used",
    [
        TokenUsage(),
        TokenUsage(tokens_in=900),
        TokenUsage(tokens_out=40),
        TokenUsage(tokens_in=9, cache_read=9),
    ],
    ids=["nothing", "no output", "no input", "cache alone"],
)
async def test_a_provider_that_does_not_tell_spends_the_most(
    workspace: Workspace, used: TokenUsage
) -> None:
    """Without usage a call counts with what was reserved, so a loop ends at the cap as ever."""
    asking = thinker(lambda _: CLEAN, llm_daily_cap=0.5)
    asking.provider.usage = used  # type: ignore[attr-defined]
    calls, fault = await until_refused(asking, workspace)
    assert (calls, fault) == (math.floor(0.5 / MOST), Fault.BUDGET)
    assert await spent(workspace) == pytest.approx(calls * MOST)


async def test_a_huge_usage_is_kept_and_ends_the_day(workspace: Workspace) -> None:
    """What a provider tells beyond all bounds is on the books, and nothing more is asked."""
    asking = thinker(lambda _: CLEAN, llm_daily_cap=5.0)
    asking.provider.usage = TokenUsage(tokens_in=10**9, tokens_out=10**9)  # type: ignore[attr-defined]
    assert [await ask(asking, workspace, number) for number in range(2)] == [None, Fault.BUDGET]
    assert await spent(workspace) == pytest.approx(60_000)


@pytest.mark.parametrize(("cap", "sum_"), [("llm_daily_cap", 0.5), ("llm_monthly_cap", 0.5)])
async def test_calls_at_midnight_keep_to_the_cap_of_their_day(
    workspace: Workspace, cap: str, sum_: float
) -> None:
    """Forty calls at once, on both sides of a month's end, spend each side's cap at most."""
    clock = Clock()
    asking = thinker(lambda _: CLEAN, clock, **{cap: sum_})
    sides = cycle((MIDNIGHT - timedelta(microseconds=1), MIDNIGHT))
    asking.clock = lambda: next(sides)
    made = await asyncio.gather(*(ask(asking, workspace, number) for number in range(40)))
    assert Fault.BUDGET in made
    found = await workspace.db.read(
        rows, "SELECT started_at < ? AS old, sum(cost) AS sum FROM model_calls GROUP BY 1",
        [MIDNIGHT],
    )  # fmt: skip
    assert len(found) == 2
    assert all(0 < row["sum"] <= sum_ for row in found)


async def test_a_restart_forgets_nothing(workspace: Workspace, tmp_path: Path) -> None:
    """After ten calls and a death in the middle of one, a new process goes on from the same sum."""
    asking = thinker(lambda _: CLEAN, llm_daily_cap=0.5)
    for number in range(10):
        assert await ask(asking, workspace, number) is None
    hanging = Hanging()
    dying = asyncio.create_task(ask(thinker(hanging, llm_daily_cap=0.5), workspace, 10))
    await hanging.began.wait()
    workspace.db.close()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    workspace.db = Database(tmp_path / "state.duckdb", "organization")
    assert await spent(workspace) == pytest.approx(10 * ONE + MOST)
    again = thinker(lambda _: CLEAN, llm_daily_cap=0.5)
    made = await asyncio.gather(*(ask(again, workspace, number) for number in range(40)))
    assert None in made
    assert Fault.BUDGET in made
    assert await spent(workspace) <= 0.5


class Hanging(Scripted):
    """A provider that never answers, and tells when it was asked."""

    def __init__(self) -> None:
        super().__init__(think=lambda _: CLEAN)
        self.began = asyncio.Event()
        self.calls = 0

    async def ask(self, question: Question, on_text: OnText | None = None) -> ModelReply:
        """Take a call and keep it."""
        del question, on_text
        self.calls += 1
        self.began.set()
        await asyncio.sleep(3_600)
        raise AssertionError


async def test_a_turn_that_waits_for_room_asks_nothing_once_sending_is_stopped(
    workspace: Workspace, tmp_path: Path
) -> None:
    """It had begun to wait before; what the line thinks is not sending."""
    hanging = Hanging()
    asking = thinker(hanging, llm_chat_concurrency=1, home=tmp_path)
    of_turns = [
        asyncio.create_task(asking.ask(workspace, GUARD, Charge(turn=turn))) for turn in ("a", "b")
    ]
    await hanging.began.wait()
    asking.settings.stop_file.touch()
    of_turns[0].cancel()
    with pytest.raises(ModelFaultError) as refused:
        async with asyncio.timeout(60):
            await of_turns[1]
    assert (refused.value.fault, hanging.calls) == (Fault.STOPPED, 1)


async def test_what_waits_for_room_reserves_nothing(workspace: Workspace) -> None:
    """Of five questions with room for one, one is on the books; those that gave up cost nothing."""
    hanging = Hanging()
    asking = thinker(hanging, llm_concurrency=1)
    waiting = [asyncio.create_task(ask(asking, workspace, number)) for number in range(5)]
    await hanging.began.wait()
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert hanging.calls == 1
    assert await spent(workspace) == pytest.approx(MOST)


class Paired(Scripted):
    """A provider that answers two calls together, and counts how many it has at once."""

    def __init__(self) -> None:
        super().__init__(think=lambda _: CLEAN)
        self.pair = asyncio.Barrier(2)
        self.open = self.most_open = 0

    async def ask(self, question: Question, on_text: OnText | None = None) -> ModelReply:
        """Answer as soon as another call is there, too."""
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        await self.pair.wait()
        self.open -= 1
        return await super().ask(question, on_text)


async def test_no_more_calls_at_once_than_allowed(workspace: Workspace) -> None:
    """Ten questions at once reach a provider two at a time, and no fewer."""
    paired = Paired()
    asking = thinker(paired, llm_concurrency=2)
    async with asyncio.timeout(60):
        made = await asyncio.gather(*(ask(asking, workspace, number) for number in range(10)))
    assert made == [None] * 10
    assert paired.most_open == 2
    assert len(paired.asked) == 10


@pytest.mark.parametrize(
    ("fault", "begun", "counted"),
    [
        (Fault.OVERLOADED, True, True),
        (Fault.OVERLOADED, False, False),
        (Fault.CONNECTION, False, False),
        (Fault.CONNECTION, True, True),
        (Fault.MOVED, False, False),
    ],
)
async def test_what_has_begun_counts_and_what_never_left_does_not(
    workspace: Workspace, fault: Fault, begun: bool, counted: bool
) -> None:
    """A stream that fails half way counts with the most; a connection that was refused is free."""

    def fail(_: Question) -> object:
        raise ModelFaultError(fault, begun=begun)

    assert await ask(thinker(fail), workspace) is fault
    assert (await spent(workspace) > 0) is counted


async def test_a_rest_takes_no_calls_from_an_item(workspace: Workspace) -> None:
    """While the provider is left alone, the calls that a case may have are not used up."""
    faults = iter([Fault.RESTING] * 5)
    asking = thinker(lambda _: next(faults, CLEAN), llm_item_calls=2)
    told = [await ask(asking, workspace) for _ in range(8)]
    assert told == [Fault.RESTING] * 5 + [None, None, Fault.BUDGET]


async def test_an_answer_with_our_mark_is_void(workspace: Workspace) -> None:
    """Private context in any answer but a draft, which the check looks at, makes it none."""
    told = {**CLEAN, "flagged_content": " ".join(workspace.canary)}
    asking = thinker(lambda _: told)
    with pytest.raises(ModelFaultError) as caught:
        await asking.ask(workspace, GUARD, Charge(item="i", sender="a@b.example"))
    assert caught.value.fault is Fault.LEAKED
    (row,) = await workspace.db.read(rows, "SELECT outcome, cost FROM model_calls")
    assert row == {"outcome": "leaked", "cost": pytest.approx(ONE)}
    draft = await asking.ask(workspace, DRAFT, Charge(item="i", sender="a@b.example"))
    assert draft.content == told


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "1e999"])
@pytest.mark.parametrize("name", ["llm_daily_cap", "llm_monthly_cap", "llm_sender_cap"])
def test_a_cap_is_a_sum(name: str, value: str) -> None:
    """What is no number of dollars is refused at the start, not taken for no cap."""
    with pytest.raises(SettingsError, match=name):
        load_settings(**{name: value})


@pytest.mark.parametrize("line", ["m nan 1", "m inf 1", "m 1 -inf", "m -1 1", "m 1 1 nan 1"])
def test_a_price_is_a_sum(line: str) -> None:
    """So is a price."""
    with pytest.raises(ValueError, match=r"finite|greater"):
        price_from(line)


def test_both_classes_have_a_bound() -> None:
    """The bound of a question grows with its bytes and with the tokens of its answer."""
    assert {tier.value for tier in ModelTier} == {"fast", "capable"}
    price = price_from(PRICE)
    assert price.at_most(2_000, 200) > price.at_most(1_000, 200) > price.at_most(1_000, 100)
