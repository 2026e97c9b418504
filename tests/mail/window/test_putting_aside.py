"""Rejecting, giving away, correcting, closing and trying again."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.mail.deciding import RejectReason
from data.records.mail.snoozing import SnoozeView
from data.states import CaseState, StepStatus
from tests.core.window import invented
from tests.core.window.drawn import button, keys, letter, lines, says
from tests.core.window.engine import World

Opener = Callable[..., AppTest]


@pytest.mark.parametrize("reason", list(RejectReason))
def test_each_reason_is_one_button(reason: RejectReason, window: Opener, world: World) -> None:
    """Rejecting takes one more press, and sends the reason."""
    app = window("review")
    button(app, "panel-reject").click().run()
    button(app, f"reason-{reason}").click().run()
    assert world.done("/case-1/reject") == [
        {"version": 3, "reason": str(reason), "note": "", "redraft": False}
    ]
    gone = reason is RejectReason.SHOULD_NOT_REPLY
    assert (world.cases["case-1"].state is CaseState.ARCHIVED) is gone
    assert app.session_state["case"] == ("case-2" if gone else "case-1")
    assert bool(letter(app)["focus"]) is not gone
    assert says(app, "Closed “" if gone else "the case stays with you")


def test_rejecting_can_ask_for_another_draft(window: Opener, world: World) -> None:
    """Note and wish travel with the reason."""
    app = window("review")
    button(app, "panel-reject").click().run()
    app.text_input(key="note-case-1").input("say what delivery costs").run()
    app.checkbox(key="redraft-case-1").check().run()
    button(app, "reason-missed_question").click().run()
    assert world.done("/reject")[0]["note"] == "say what delivery costs"
    assert world.done("/reject")[0]["redraft"] is True
    assert world.cases["case-1"].state is CaseState.RUNNING
    assert says(app, "another draft is being written")


def test_a_case_can_be_given_away(window: Opener, world: World) -> None:
    """The chosen person gets the case."""
    app = window("review")
    button(app, "panel-reassign").click().run()
    app.selectbox(key="assignee-case-1").select("jonas@kettle.example").run()
    button(app, "reassign-now").click().run()
    assert world.cases["case-1"].item.assignee == "jonas@kettle.example"
    assert says(app, "to Jonas")


def test_a_case_that_was_given_away_can_be_given_back(window: Opener, world: World) -> None:
    """The bar offers it: the case is with whom it was before, here with nobody, and opens."""
    app = window("review")
    button(app, "panel-reassign").click().run()
    app.selectbox(key="assignee-case-1").select("jonas@kettle.example").run()
    button(app, "reassign-now").click().run()
    assert says(app, "Gave “")
    button(app, "undo-approval").click().run()
    assert world.done("/reassign")[-1]["assignee"] == ""
    assert world.cases["case-1"].item.assignee is None
    assert app.session_state["case"] == "case-1"
    assert says(app, "It is nobody's again.")


def test_a_label_can_be_corrected(window: Opener, world: World) -> None:
    """What a person says of the category goes to the engine with the version that was shown."""
    app = window("review")
    button(app, "panel-relabel").click().run()
    app.selectbox(key="category-case-1").select("complaint").run()
    button(app, "relabel-now").click().run()
    assert world.done("/relabel")[0]["category"] == "complaint"
    assert says(app, "Corrected. The classifier learns from it overnight.")


def test_a_case_can_be_closed_without_reply(window: Opener, world: World) -> None:
    """The note goes along, and the case leaves the list."""
    app = window("review")
    button(app, "panel-close").click().run()
    app.text_input(key="note-case-1").input("answered by phone").run()
    button(app, "close-now").click().run()
    assert world.done("/archive") == [{"version": 3, "note": "answered by phone"}]
    assert "case-1" not in [line["id"] for line in lines(app)]


def test_a_panel_can_be_left(window: Opener, world: World) -> None:
    """Cancel brings the buttons back and asks nothing."""
    app = window("review")
    button(app, "panel-reject").click().run()
    button(app, "panel-cancel").click().run()
    assert "approve" in keys(app)
    assert not [call for call in world.calls if call[0] == "POST"]


def test_a_failed_case_can_be_tried_again(window: Opener, world: World) -> None:
    """Failed cases are shown with their error, and retry."""
    case = invented.case("case-9", state=CaseState.FAILED)
    failed = case.steps[-1].model_copy(
        update={"status": StepStatus.FAILED, "error": "no knowledge folder"}
    )
    world.cases = {
        "case-9": case.model_copy(
            update={
                "steps": (*case.steps[:-1], failed),
                "item": case.item.model_copy(update={"state": CaseState.FAILED}),
            }
        )
    }
    app = window("review", **{"filter-state": "failed"})
    assert says(app, "Failed at route: no knowledge folder")
    button(app, "retry").click().run()
    assert world.cases["case-9"].state is CaseState.RUNNING


def test_a_letter_that_names_another_colleague_says_so(window: Opener, world: World) -> None:
    """The machine's words say who has the case; given to somebody else, they are wrong."""
    case = world.cases["case-1"]
    last = case.revisions[-1]
    body = (
        "Hello,\n\nYour message is now with Mira Holt.\n\nKind regards\nMira Holt, Kettle & Chain"
    )
    written = last.model_copy(update={"draft": last.draft.model_copy(update={"body": body})})
    for holder, warned in (("mira", False), ("jonas", True)):
        item = case.item.model_copy(update={"assignee": f"{holder}@kettle.example"})
        world.cases["case-1"] = case.model_copy(
            update={"item": item, "revisions": (*case.revisions[:-1], written)}
        )
        app = window("review")
        assert says(app, "names Mira Holt; the case is with Jonas Abel") is warned


@pytest.mark.parametrize("until", ["tomorrow", "monday", "answer"])
def test_a_case_can_be_put_off_and_brought_back(until: str, window: Opener, world: World) -> None:
    """One more press says until when, the next case opens, and the bar takes it back."""
    app = window("review")
    button(app, "panel-snooze").click().run()
    button(app, f"snooze-{until}").click().run()
    assert world.done("/case-1/snooze") == [{"version": 3, "until": until}]
    assert app.session_state["case"] == "case-2"
    assert says(app, "Put “")
    button(app, "undo-approval").click().run()
    assert world.done("/case-1/unsnooze") == [{"version": 4}]
    assert app.session_state["case"] == "case-1"


def test_a_case_that_is_put_off_says_so(window: Opener, world: World) -> None:
    """Its page says by whom and until when, and brings it back."""
    case = world.cases["case-1"]
    kept = SnoozeView(snoozed_by="ida", snoozed_at=case.item.waiting_since)
    world.cases["case-1"] = case.model_copy(update={"snooze": kept})
    app = window("review")
    assert says(app, "ida put it off until they answer.")
    button(app, "unsnooze").click().run()
    assert world.done("/case-1/unsnooze") == [{"version": 3}]
    assert "unsnooze" not in keys(app)
