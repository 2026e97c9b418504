"""What a person has released says so, with the name and the reason, wherever it is shown."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.core.screening import Screening, Verdict
from data.records.mail.deciding import Gate
from data.records.mail.views import MessageView, Standing
from tests.core.window import invented
from tests.core.window.drawn import says
from tests.core.window.engine import World

Opener = Callable[..., AppTest]
BY_MAUD = Standing(action="release", stopped=True, by="maud", at=invented.before(minutes=3))
STOPPED = invented.screening(Verdict.QUARANTINE)
EXCUSED = Screening(verdict=Verdict.FLAGGED, score=0.0, excused=STOPPED.hits)


def released(screening: Screening) -> MessageView:
    """Return a message that maud has released."""
    return invented.message("m-case-1", screening=screening, released=BY_MAUD, decision=BY_MAUD)


@pytest.mark.parametrize("screening", [STOPPED, EXCUSED])
def test_a_released_message_says_who_released_it(
    screening: Screening, window: Opener, world: World
) -> None:
    """One chip *released* stands in place of the verdict, also when all hits are allowed."""
    world.messages["m-case-1"] = released(screening)
    app = window("inbox", message="m-case-1")
    assert says(app, ">released<")
    assert says(app, "maud released this from quarantine; a person answers.")
    assert not says(app, ">quarantine<")
    assert not says(app, ">flagged<")


@pytest.mark.parametrize("failed", [False, True])
def test_a_case_says_why_it_never_leaves_by_itself(
    failed: bool, window: Opener, world: World
) -> None:
    """The gate of the screen names who let the message go on, unless the screen has failed."""
    said = "Screening could not run guard; unknown is no." if failed else "Screening says flagged."
    case = invented.case("case-1")
    assert case.decision
    gates = (Gate(name="screening", passed=False, reason=said),)
    item = case.item.model_copy(update={"verdict": Verdict.QUARANTINE})
    decision = case.decision.model_copy(update={"gates": gates})
    update = {"messages": (released(STOPPED),), "item": item, "decision": decision}
    world.cases = {"case-1": case.model_copy(update=update)}
    app = window("review")
    assert says(app, "Screen\nmaud released this from quarantine; a person answers.") is not failed
    assert says(app, said) is failed
    assert says(app, ">released<")
    assert not says(app, ">quarantine<")
