"""Turns that several see, end or decide on at once."""

import asyncio

from data.store.agents import turns
from flows.agents.running import resume_turns
from tests.agents.conftest import Office
from tests.agents.turns.talks import ORDER, Shop, begin_talk
from tests.occupied import go_as_far_as_they_can, occupied_writer


async def test_a_turn_that_two_go_on_with_is_begun_once(office: Office) -> None:
    """A loop and a person who see it at once: it is not given up as if engines had died over it."""
    shop = Shop(approval=False, wait=asyncio.Event())
    talk = await begin_talk(office, shop)
    turn = await talk.say(ORDER)
    await shop.begun.wait()
    house, workspace = office.line.house, office.line.workspace
    (errand,) = house.errands
    errand.cancel()
    await asyncio.gather(errand, return_exceptions=True)
    shop.begun.clear()
    async with occupied_writer(workspace.db):
        going_on = [
            asyncio.create_task(resume_turns(house, workspace, shop.toolbox)) for _ in range(3)
        ]
        await go_as_far_as_they_can(workspace.db, house.control)
    await asyncio.gather(*going_on)
    await talk.settle()
    assert (await workspace.db.read(turns.read_turn, turn)).tries == 2
    assert "Nobody knows" in await talk.answer(turn)
