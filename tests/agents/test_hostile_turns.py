"""A model that wants harm, in turns of agents: nothing that is promised breaks."""

from data.store.core import users
from tests.agents.conftest import Office
from tests.agents.hostile_turns import open_stage

TURNS = 25


async def test_a_hostile_model_breaks_no_promise(office: Office) -> None:
    """`make bench ARGS=hostile_turns` plays ten thousand."""
    house = office.line.house
    ida, ben = [
        await house.control.read(users.principal, (await office.sign_in(name)).user_id)
        for name in ("Ida", "Ben")
    ]
    stage = await open_stage(house, office.line.workspace, ida, ben)
    broken = {seed: await stage.play(seed) for seed in range(TURNS)}
    assert {seed: found for seed, found in broken.items() if found} == {}
    assert stage.approved  # some calls were asked for, and some of these had a yes
    assert stage.effects.had
