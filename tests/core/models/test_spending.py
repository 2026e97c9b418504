"""Money: reserved before a call, settled after it, and never above a cap."""

import asyncio
from datetime import timedelta

import pytest

from data.records.core.asking import Charge, Fault, ModelFaultError, Question, TokenUsage
from data.records.core.prices import price_from, price_of
from data.store.core import usage
from data.store.core.statements import rows
from flows.core.workspace import Workspace
from tests.core.models.asked import CLEAN, GUARD
from tests.core.models.money import NOON, ONE, PRICE, Clock, spent, thinker, until_refused


@pytest.mark.parametrize("cap", ["llm_daily_cap", "llm_monthly_cap", "llm_sender_cap"])
async def test_a_loop_ends_at_the_cap(workspace: Workspace, cap: str) -> None:
    """A model that is asked for ever costs no more than the cap, and at most one call less."""
    asking = thinker(lambda _: CLEAN, **{cap: 1.0})
    _, fault = await until_refused(asking, workspace)
    most = price_from(PRICE).at_most(GUARD.most_tokens_in, GUARD.max_tokens)
    assert fault is Fault.BUDGET
    assert 1.0 - most < await spent(workspace) <= 1.0


async def test_a_loop_on_one_item_ends_at_its_calls(workspace: Workspace) -> None:
    """One message or case is worked on with so many calls and no more, whatever they cost."""
    asking = thinker(lambda _: CLEAN, llm_item_calls=7)
    assert await until_refused(asking, workspace, item="case") == (7, Fault.BUDGET)


async def test_calls_side_by_side_share_what_is_left(workspace: Workspace) -> None:
    """A hundred calls at once do not spend the same money twice."""
    asking = thinker(lambda _: CLEAN, llm_daily_cap=0.3)

    async def one(number: int) -> bool:
        try:
            await asking.ask(workspace, GUARD, Charge(item=f"i{number}", sender="a@b.example"))
        except ModelFaultError as error:
            return error.fault is not Fault.BUDGET
        return True

    made = await asyncio.gather(*(one(number) for number in range(100)))
    assert 0 < sum(made) < 100
    assert await spent(workspace) == pytest.approx(sum(made) * ONE)
    assert await spent(workspace) <= 0.3


async def test_a_new_day_and_a_new_month_begin_empty(workspace: Workspace) -> None:
    """What was spent counts for its day and its month, UTC."""
    clock = Clock()
    daily = thinker(lambda _: CLEAN, clock, llm_daily_cap=0.5, llm_monthly_cap=0.8)
    _, fault = await until_refused(daily, workspace)
    first = await spent(workspace)
    clock.now = NOON + timedelta(days=1)
    _, again = await until_refused(daily, workspace)
    second = await spent(workspace)
    clock.now = NOON + timedelta(days=2)
    with pytest.raises(ModelFaultError):
        await daily.ask(workspace, GUARD, Charge(item="x", sender="a@b.example"))
    clock.now = NOON + timedelta(days=20)
    await daily.ask(workspace, GUARD, Charge(item="x", sender="a@b.example"))
    assert (fault, again) == (Fault.BUDGET, Fault.BUDGET)
    assert first <= 0.5 < second <= 0.8


async def test_one_sender_cannot_spend_what_is_for_all(workspace: Workspace) -> None:
    """When a sender's share is used up, mail of others is still worked on."""
    asking = thinker(lambda _: CLEAN, llm_sender_cap=0.1)
    await until_refused(asking, workspace)
    reply = await asking.ask(workspace, GUARD, Charge(item="other", sender="c@d.example"))
    assert reply.content == CLEAN


async def test_what_is_settled_is_what_was_used(workspace: Workspace) -> None:
    """Tokens, cache hits and cost of a call are on the books, to the cent of a cent."""
    asking = thinker(lambda _: CLEAN)
    asking.provider.usage = TokenUsage(  # type: ignore[attr-defined]
        tokens_in=10_000, cache_read=8_000, cache_write=1_000, tokens_out=500
    )
    await asking.ask(workspace, GUARD, Charge(item="i", sender="A@B.example"))
    (row,) = await workspace.db.read(rows, "SELECT * FROM model_calls")
    assert row["cost"] == pytest.approx((1_000 * 10 + 8_000 * 1 + 1_000 * 12.5 + 500 * 50) / 1e6)
    told = {name: row[name] for name in ("agent", "model", "sender", "outcome", "cache_read")}
    assert told == {
        "agent": "guard",
        "model": "scripted-fast",
        "sender": "a@b.example",
        "outcome": "answered",
        "cache_read": 8_000,
    }


@pytest.mark.parametrize(
    ("fault", "calls", "counted"),
    [
        (Fault.RATE_LIMITED, 2, False),
        (Fault.OVERLOADED, 2, False),
        (Fault.SERVER, 2, False),
        (Fault.CONNECTION, 2, True),
        (Fault.TIMEOUT, 1, True),
        (Fault.MALFORMED, 1, True),
        (Fault.REFUSED, 1, True),
        (Fault.KEY, 1, False),
    ],
)
async def test_only_what_may_pass_is_tried_again_and_what_may_cost_counts(
    workspace: Workspace, fault: Fault, calls: int, counted: bool
) -> None:
    """Two tries at most; a call that nobody turned away counts with the most it may have cost."""
    asking = thinker(lambda _: fault)
    with pytest.raises(ModelFaultError) as caught:
        await asking.ask(workspace, GUARD, Charge(item="i", sender="a@b.example"))
    assert caught.value.fault is fault
    assert len(asking.provider.asked) == calls  # type: ignore[attr-defined]
    assert (await spent(workspace) > 0) is counted


async def test_an_unknown_price_is_said_not_guessed(workspace: Workspace) -> None:
    """With a cap a model without a price is not asked; without one its cost is marked unknown."""
    capped = thinker(lambda _: CLEAN, llm_prices=("other 1 1",), llm_daily_cap=1)
    with pytest.raises(ModelFaultError) as caught:
        await capped.ask(workspace, GUARD, Charge(item="i", sender="a@b.example"))
    assert caught.value.fault is Fault.PRICE
    free = thinker(lambda _: CLEAN, llm_prices=("other 1 1",))
    await free.ask(workspace, GUARD, Charge(item="i", sender="a@b.example"))
    (row,) = await workspace.db.read(rows, "SELECT priced, cost FROM model_calls")
    assert row == {"priced": False, "cost": 0.0}


async def test_a_call_that_was_never_settled_keeps_counting(workspace: Workspace) -> None:
    """What was reserved when the process died counts with the most it may have cost."""
    asking = thinker(lambda _: CLEAN, llm_daily_cap=1.0)
    call = asking._build_call(GUARD, Charge(item="i"), 1, price_from(PRICE))
    await workspace.db.write(usage.reserve, call, asking.settings.model_caps)
    assert await spent(workspace) == pytest.approx(call.cost)
    assert call.cost > ONE


async def test_one_call_costs_no_more_than_its_agent_may(workspace: Workspace) -> None:
    """The limit of an agent's manifest is held before the call."""
    asking = thinker(lambda _: CLEAN)
    small = Question(**{**GUARD.__dict__, "budget": 0.0001})
    with pytest.raises(ModelFaultError) as caught:
        await asking.ask(workspace, small, Charge(item="i", sender="a@b.example"))
    assert caught.value.fault is Fault.BUDGET
    assert asking.provider.asked == []  # type: ignore[attr-defined]


def test_prices_are_lines_that_people_can_read() -> None:
    """Three or five words; the cache's prices follow from the input's where they are not given."""
    price = price_from("wren 2 10")
    assert (price.cache_read, price.cache_write) == (0.2, 2.5)
    assert price_of("wren", ("* 1 1", "wren 2 10")) == price
    assert price_of("heron", ("wren 2 10",)) is None
    with pytest.raises(ValueError, match="model input output"):
        price_from("wren 2")
