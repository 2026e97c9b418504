"""The next case is read while a person looks at the one before it."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.states import CaseState
from tests.core.window.drawn import button, says
from tests.core.window.engine import Refused, World
from tests.core.window.world import moved

Opener = Callable[..., AppTest]


def asked(world: World, case_id: str) -> int:
    """Return how often a case was read, however it stood."""
    return sum(
        path.endswith(f"/cases/{case_id}") and "seen" not in query for _, path, query in world.calls
    )


def test_a_step_takes_the_case_that_was_read_ahead(window: Opener, world: World) -> None:
    """It is asked for before the step, and not once more by it."""
    app = window("review")
    first, second = list(world.cases)[:2]
    assert app.session_state["case"] == first
    app.session_state["ahead"][second][1].result(timeout=60)
    before = asked(world, second)
    assert before >= 1
    button(app, "move-next").click().run()
    assert app.session_state["case"] == second
    assert says(app, world.cases[second].item.subject)
    assert asked(world, second) == before


def test_what_has_changed_since_it_was_read_ahead_is_drawn_anew(
    window: Opener, world: World
) -> None:
    """The step shows at once what is known, then what it has become."""
    app = window("review")
    second = list(world.cases)[1]
    app.session_state["ahead"][second][1].result(timeout=60)
    world.cases[second] = moved(world.cases[second], CaseState.ARCHIVED)
    button(app, "move-next").click().run()
    assert says(app, "it was closed without a reply")


def test_what_was_read_ahead_too_long_ago_is_read_again(window: Opener, world: World) -> None:
    """A case that somebody else has settled meanwhile is shown as it is."""
    app = window("review")
    second = list(world.cases)[1]
    kept = app.session_state["ahead"]
    kept[second][1].result(timeout=60)
    kept[second] = (kept[second][0] - 3600, kept[second][1])
    world.cases[second] = moved(world.cases[second], CaseState.ARCHIVED)
    button(app, "move-next").click().run()
    assert says(app, "it was closed without a reply")


def test_a_case_that_could_not_be_read_ahead_is_asked_for_again(
    window: Opener, world: World
) -> None:
    """A failure in the background is nobody's concern until the case is wanted."""
    first, second = list(world.cases)[:2]
    world.refusals[f"/cases/{second}"] = Refused(503, "StoreBusyError", "the engine rests")
    app = window("review", case=first)
    assert app.session_state["ahead"][second][1].result(timeout=60) is None
    world.refusals.clear()
    button(app, "move-next").click().run()
    assert says(app, world.cases[second].item.subject)
    assert not says(app, "does not answer")


def test_the_case_says_where_in_the_queue_it_stands(window: Opener, world: World) -> None:
    """So a person knows how much is left, on later pages of the list too."""
    app = window("review")
    assert says(app, f"1 of {len(world.cases)}")
    button(app, "move-next").click().run()
    assert says(app, f"2 of {len(world.cases)}")


def test_colleagues_are_called_by_their_names(window: Opener, world: World) -> None:
    """Whose a case is, and to whom it was handed; addresses are for machines."""
    person = world.me.organizations[0].people[0]
    case = world.cases["case-1"]
    decision = case.decision
    assert decision is not None
    reason = f"A complaint goes to a person; handed to {person.email}."
    item = case.item.model_copy(update={"assignee": person.email})
    decision = decision.model_copy(update={"reason": reason, "would_auto_send": False, "gates": ()})
    world.cases["case-1"] = case.model_copy(update={"item": item, "decision": decision})
    app = window("review", case="case-1")
    assert says(app, f"handed to {person.name}.")
    assert says(app, f"with {person.name}")
    assert not says(app, f"handed to {person.email}")
