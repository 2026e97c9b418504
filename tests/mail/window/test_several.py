"""One decision on several cases: what is offered, what is sent, and what is told of it."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.screening import Verdict
from data.records.mail.vigilance import VigilanceView
from data.states import CaseState
from tests.core.window import invented
from tests.core.window.drawn import button, keys, press, says
from tests.core.window.engine import World

Opener = Callable[..., AppTest]


def put(world: World, id: str, quality: float, verdict: Verdict = Verdict.CLEAN) -> None:
    """Put a case into the world whose draft has that quality."""
    item = invented.item(id, quality=quality, verdict=verdict)
    revision = invented.case(id).revisions[0]
    checked = invented.CHECKED.model_copy(update={"quality": quality, "findings": ()})
    revision = revision.model_copy(update={"checked": checked})
    world.cases[id] = invented.case(id, item=item, revisions=(revision,))


def test_what_is_above_a_quality_is_approved_as_it_was_shown(window: Opener, world: World) -> None:
    """Doubtful ones are not offered; each approval bears version and hash of what was shown."""
    world.cases.clear()
    put(world, "case-1", 0.95)
    put(world, "case-2", 0.6)
    put(world, "case-3", 1.0, Verdict.FLAGGED)
    put(world, "case-4", 0.97)
    app = window("review")
    button(app, "several-begin").click().run()
    boxes = [one.key for one in app.checkbox]
    assert boxes == ["several-approve-case-1", "several-approve-case-4"]
    assert says(app, "The 42-tooth ring for the Heron costs")
    app.checkbox(key="several-approve-case-4").uncheck().run()
    button(app, "several-now").click().run()
    shown = {
        "id": "case-1",
        "version": 3,
        "approval_hash": invented.hashed(invented.DRAFT.subject, invented.BODY),
    }
    assert [one["cases"] for one in world.done("/cases/decide")] == [[shown]]
    assert world.cases["case-1"].state is CaseState.APPROVED
    assert world.cases["case-4"].state is CaseState.IN_REVIEW
    assert says(app, "1 case decided. “Spare chain ring for the Heron”")
    assert "several-now" not in keys(app)
    assert says(app, "Approved 1 case.")
    button(app, "undo-approval").click().run()
    assert world.cases["case-1"].state is CaseState.IN_REVIEW


def test_cases_beyond_the_page_are_covered_up_to_fifty(window: Opener, world: World) -> None:
    """From the open page on; which of how many is said, and all that is shown is decided on."""
    world.cases.clear()
    for number in range(60):
        put(world, f"case-{number:02}", 0.95)
    app = window("review")
    button(app, "several-begin").click().run()
    assert not app.exception
    boxes = [one.key for one in app.checkbox if str(one.key).startswith("several-approve-")]
    assert (len(boxes), says(app, "Cases 1 to 50 of 60")) == (50, True)
    button(app, "several-now").click().run()
    assert [len(one["cases"]) for one in world.done("/cases/decide")] == [50]
    assert says(app, "50 cases decided.")
    left = [case for case in world.cases.values() if case.state is CaseState.IN_REVIEW]
    assert len(left) == 10
    assert not app.exception


def test_fewer_are_offered_where_planted_faults_are_missed(window: Opener, world: World) -> None:
    """Why is told, and the rest stays in the list."""
    world.cases.clear()
    for number in range(7):
        put(world, f"case-{number}", 0.95)
    world.vigilance = VigilanceView(planted_a_week=3, seen=1, missed=4, most_at_once=5)
    app = window("review")
    button(app, "several-begin").click().run()
    assert says(app, "Of the last 5 planted faults 4 were missed")
    assert len([one for one in app.checkbox if str(one.key).startswith("several-")]) == 5


def test_what_has_changed_meanwhile_is_not_decided_on(window: Opener, world: World) -> None:
    """The others are; what became of it is told by its subject."""
    world.cases.clear()
    put(world, "case-1", 0.95)
    put(world, "case-2", 0.95)
    app = window("review")
    button(app, "several-begin").click().run()
    world.cases["case-2"] = world.cases["case-2"].model_copy(update={"version": 4})
    button(app, "several-now").click().run()
    assert world.cases["case-1"].state is CaseState.APPROVED
    assert world.cases["case-2"].state is CaseState.IN_REVIEW
    assert says(app, "Not done: “Spare chain ring for the Heron”")


def test_cases_are_closed_and_given_away_together(window: Opener, world: World) -> None:
    """Nothing is picked before a person picks it; a colleague is chosen first."""
    app = window("review")
    button(app, "several-begin").click().run()
    app.segmented_control(key="several-action").set_value("reassign").run()
    assert button(app, "several-now").disabled
    app.checkbox(key="several-reassign-case-1").check().run()
    app.selectbox(key="several-assignee").select("jonas@kettle.example").run()
    button(app, "several-now").click().run()
    assert world.cases["case-1"].item.assignee == "jonas@kettle.example"
    assert world.cases["case-2"].item.assignee is None
    button(app, "undo-approval").click().run()
    assert not world.cases["case-1"].item.assignee
    button(app, "several-begin").click().run()
    app.segmented_control(key="several-action").set_value("archive").run()
    app.checkbox(key="several-archive-case-2").check().run()
    button(app, "several-now").click().run()
    assert world.cases["case-2"].state is CaseState.ARCHIVED
    assert says(app, "Closed 1 case.")
    button(app, "undo-approval").click().run()
    assert says(app, "Taken back: 1 case as before.")
    assert world.cases["case-2"].state is CaseState.IN_REVIEW


def test_a_line_of_the_list_leaves_the_panel(window: Opener) -> None:
    """Nothing is decided, and the case that was pressed is open."""
    app = window("review")
    button(app, "several-begin").click().run()
    assert "approve" not in keys(app)
    press(app.run(), "case-2")
    assert app.session_state["case"] == "case-2"
    assert "approve" in keys(app)
