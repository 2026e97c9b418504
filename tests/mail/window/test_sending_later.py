"""Approving a reply to leave later, from the bar of a case."""

from collections.abc import Callable
from datetime import date, time, timedelta

from streamlit.testing.v1 import AppTest

from data.records.mail.views import CaseView
from tests.core.window import invented
from tests.core.window.drawn import button, keys, lines, says, write
from tests.core.window.engine import World
from ui.core.text.clock import now

Opener = Callable[..., AppTest]


def scheduled(app: AppTest, world: World) -> CaseView:
    """Let the first case's reply leave tomorrow; return the case as it is then."""
    button(app, "panel-leave").click().run()
    button(app, "leave-tomorrow").click().run()
    return world.cases["case-1"]


def test_a_reply_is_approved_to_leave_later(window: Opener, world: World) -> None:
    """One more key says when, the next case opens, and the bar says when and takes it back."""
    app = window("review")
    after = scheduled(app, world)
    (given,) = world.done("/case-1/approve")
    assert given["leave"] == "tomorrow"
    assert app.session_state["case"] == "case-2"
    assert after.leaves_at is not None
    assert says(app, f"It leaves {after.leaves_at:%a %-d %b %Y}")
    button(app, "undo-approval").click().run()
    assert world.done("/cancel")
    assert app.session_state["case"] == "case-1"


def test_a_day_and_a_time_are_of_the_organizations_zone(window: Opener, world: World) -> None:
    """What was chosen goes to the engine with its zone; a moment that is over goes nowhere."""
    app = window("review")
    button(app, "panel-leave").click().run()
    tomorrow = now().date() + timedelta(days=1)
    app.date_input(key="leave-day-case-1").set_value(tomorrow).run()
    app.time_input(key="leave-time-case-1").set_value(time(14, 30)).run()
    button(app, "leave-then").click().run()
    (given,) = world.done("/case-1/approve")
    assert str(given["leave"]).startswith(f"{date.isoformat(tomorrow)}T14:30:00")
    assert given["leave"][19:]  # its zone


def test_an_edited_letter_leaves_later_too(window: Opener, world: World) -> None:
    """The text that was checked is the one that is approved."""
    app = write(window("review"), "We open at nine.")
    scheduled(app, world)
    (given,) = world.done("/case-1/approve")
    assert (given["body"], given["leave"]) == ("We open at nine.", "tomorrow")


def test_its_page_says_when_it_leaves(window: Opener, world: World) -> None:
    """The case that waits for its moment names it, and offers to take it back."""
    app = window("review")
    scheduled(app, world)
    app = window("review", case="case-1")
    assert says(app, "Nothing to decide: its reply is approved and leaves ")
    assert "take-back" in keys(app)


def test_the_outbox_lists_what_leaves_later(window: Opener, world: World) -> None:
    """Its line and its page say when; the list can be narrowed to these."""
    scheduled(window("review"), world)
    app = window("outbox", delivery="delivery-case-1")
    assert says(app, "leaves ")
    assert says(app, "Leaves  ")
    world.deliveries["other"] = invented.delivery("other")
    app = window("outbox", **{"outbox-state": "leaves_later"})
    assert [line["id"] for line in lines(app)] == ["delivery-case-1"]
