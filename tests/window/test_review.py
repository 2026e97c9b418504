"""The review queue: what is shown, and what each button does."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.deciding import RejectReason
from data.records.drafting import Checked, Finding, Severity
from data.states import CaseState, DeliveryState, StepStatus
from tests.window import invented
from tests.window.conftest import Served
from tests.window.drawn import button, keys, says, texts
from tests.window.engine import TOKEN, Refused, World

Opener = Callable[..., AppTest]


def test_everything_a_reviewer_needs_is_there(window: Opener) -> None:
    """Conversation, understanding, plan, draft, sources, findings, gates, recipients, hash."""
    app = window("review")
    assert not app.exception
    words = "\n".join(texts(app))
    for expected in (
        "the chain ring of my Heron is worn",
        "Thank you for your order of 3 March",
        "Do you have the one with 42 teeth",
        "A question that the knowledge answers.",
        "costs 38.50 EUR.[1] Delivery to Ghent takes two days. On Saturday",
        "[2] Opening hours",
        "No source says how long delivery takes.",
        "Not answered: What does delivery to Ghent cost?",
        "Quality 0.71 is below the threshold 0.85.",
        "The sender of the last message; no Reply-To was given.",
        "To: ada@quill.example\nSubject: Re: Spare chain ring for the Heron",
        invented.hashed(invented.DRAFT.subject, invented.BODY),
        "classify  23 ms",
        "Ada Quill <ada@quill.example>",
    ):
        assert expected in words, expected


def test_an_empty_queue_says_when_the_last_message_came(window: Opener, world: World) -> None:
    """Nothing to do is said in one sentence."""
    world.cases.clear()
    app = window("review")
    assert says(app, "Nothing needs you.")
    assert says(app, "The last message came 4 minutes ago.")


def test_an_empty_queue_without_mail_says_so(window: Opener, world: World) -> None:
    """The very first visit has its own sentence."""
    world.cases.clear()
    world.messages.clear()
    assert says(window("review"), "No mail has come yet.")


def test_a_filter_without_result_says_so(window: Opener) -> None:
    """An empty list because of a filter is not an empty queue."""
    app = window("review")
    app.text_input(key="filter-q").input("nothing like this").run()
    assert says(app, "Nothing matches.")


def test_filters_reach_the_engine(window: Opener, world: World) -> None:
    """Each narrower filter is a parameter of the list."""
    app = window("review")
    app.selectbox(key="filter-priority").select("urgent").run()
    queue = [query for _, path, query in world.calls if path.endswith("/queue")][-1]
    assert queue["priority"] == "urgent"
    assert "state" not in queue
    assert keys(app) >= {"open-now-case-2"}
    assert "open-case-1" not in keys(app)


def test_approving_sends_what_was_shown_and_opens_the_next(window: Opener, world: World) -> None:
    """The hash on the screen is the one that is signed; the next case opens."""
    app = window("review")
    button(app, "approve").click().run()
    assert world.done("/case-1/approve") == [
        {
            "version": 3,
            "approval_hash": invented.hashed(invented.DRAFT.subject, invented.BODY),
            "subject": None,
            "body": None,
            "confirmed": False,
        }
    ]
    assert app.session_state["case"] == "case-2"
    assert "open-now-case-2" in keys(app)
    assert says(app, "Approved.")


def test_an_approval_can_be_taken_back(window: Opener, world: World) -> None:
    """The bar with the countdown cancels the delivery, and the case opens again."""
    app = window("review")
    button(app, "approve").click().run()
    assert says(app, "Leaves in 1")
    button(app, "undo-approval").click().run()
    assert world.deliveries["delivery-case-1"].state is DeliveryState.CANCELLED
    assert world.cases["case-1"].state is CaseState.IN_REVIEW
    assert app.session_state["case"] == "case-1"
    assert "undo-approval" not in keys(app)


def test_a_conflict_is_told_and_shows_the_case_as_it_is(window: Opener, world: World) -> None:
    """Somebody else was faster: nothing is done, and the page shows the new version."""
    app = window("review")
    world.cases["case-1"] = invented.case("case-1", version=4, recipient_reason="It has changed.")
    button(app, "approve").click().run()
    assert says(app, "This has changed since you opened it, so nothing was done.")
    assert says(app, "It has changed.")
    assert world.deliveries == {}
    button(app, "approve").click().run()
    assert world.cases["case-1"].state is CaseState.APPROVED


def test_a_grave_finding_asks_for_a_word_first(window: Opener, world: World) -> None:
    """A draft with a barring finding cannot be approved before a person stands by it."""
    grave = Finding(
        check="promise", severity=Severity.BLOCK, excerpt="two days", sentence="A promise."
    )
    revision = invented.case("case-1").revisions[0]
    revision = revision.model_copy(update={"checked": Checked(findings=(grave,), quality=0.4)})
    world.cases["case-1"] = invented.case("case-1", revisions=(revision,))
    app = window("review")
    assert button(app, "approve").disabled
    app.checkbox(key="confirmed-case-1").check().run()
    button(app, "approve").click().run()
    assert len(world.done("/approve")) == 1


def test_a_case_without_a_draft_cannot_be_approved(window: Opener, world: World) -> None:
    """Without a draft there is nothing to sign; a person can write one."""
    world.cases["case-1"] = invented.case("case-1", revisions=(), approval_hash="")
    app = window("review")
    assert says(app, "There is no draft.")
    assert button(app, "approve").disabled
    button(app, "panel-edit").click().run()
    app.text_area(key="edit-body-case-1").input("Dear Ada, yes.").run()
    button(app, "approve-edited").click().run()
    assert world.done("/approve")[0]["body"] == "Dear Ada, yes."


def test_editing_shows_the_difference_and_signs_the_new_text(window: Opener, world: World) -> None:
    """The edited text is checked, compared, and approved with its own hash."""
    app = window("review")
    button(app, "panel-edit").click().run()
    edited = invented.BODY.replace("two days", "three days")
    app.text_area(key="edit-body-case-1").input(edited).run()
    assert world.done("/preview")[-1] == {"subject": invented.DRAFT.subject, "body": edited}
    assert any("twothree days" in words for words in texts(app))
    assert says(app, "of the machine's draft")
    button(app, "approve-edited").click().run()
    assert world.done("/approve") == [
        {
            "version": 3,
            "approval_hash": invented.hashed(invented.DRAFT.subject, edited),
            "subject": invented.DRAFT.subject,
            "body": edited,
            "confirmed": False,
        }
    ]


def test_text_changed_after_the_check_is_not_approved(window: Opener, world: World) -> None:
    """Words typed in the same moment as the click are shown and checked first."""
    app = window("review")
    button(app, "panel-edit").click().run()
    app.text_area(key="edit-body-case-1").input("Dear Ada, typed at the last moment.")
    button(app, "approve-edited").click().run()
    assert world.done("/approve") == []
    assert says(app, "The text has changed since it was checked.")
    button(app, "approve-edited").click().run()
    assert len(world.done("/approve")) == 1


def test_what_was_typed_survives_a_look_elsewhere(window: Opener) -> None:
    """Leaving the editor, or the page, does not lose the text."""
    app = window("review")
    button(app, "panel-edit").click().run()
    app.text_area(key="edit-body-case-1").input("Half a sentence").run()
    button(app, "edit-cancel").click().run()
    app.switch_page("views/help.py").run()
    app.switch_page("views/review.py").run()
    button(app, "panel-edit").click().run()
    assert app.text_area(key="edit-body-case-1").value == "Half a sentence"
    button(app, "edit-reset").click().run()
    assert app.text_area(key="edit-body-case-1").value == invented.BODY


def test_a_preview_that_is_refused_bars_approval(window: Opener, world: World) -> None:
    """A text that could not be checked cannot be sent."""
    world.refusals["/preview"] = Refused(422, "RefusedError", "the text is too long")
    app = window("review")
    button(app, "panel-edit").click().run()
    assert says(app, "The text is too long.")
    assert button(app, "approve-edited").disabled


@pytest.mark.parametrize("reason", list(RejectReason))
def test_each_reason_is_one_button(reason: RejectReason, window: Opener, world: World) -> None:
    """Rejecting takes one more press, and sends the reason."""
    app = window("review")
    button(app, "panel-reject").click().run()
    button(app, f"reason-{reason}").click().run()
    assert world.done("/case-1/reject") == [
        {"version": 3, "reason": str(reason), "note": "", "redraft": False}
    ]
    assert world.cases["case-1"].state is CaseState.ARCHIVED
    assert app.session_state["case"] == "case-2"


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
    assert says(app, "Given to jonas@kettle.example.")


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
    assert "open-case-1" not in keys(app)


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


def test_moving_through_the_list(window: Opener) -> None:
    """Next and previous walk the list and stop at its ends."""
    app = window("review")
    seen = []
    for key in ("move-next", "move-next", "move-next", "move-previous"):
        button(app, key).click().run()
        seen.append(app.session_state["case"])
    assert seen == ["case-2", "case-3", "case-3", "case-2"]


def test_a_line_of_the_list_opens_its_case(window: Opener) -> None:
    """Pressing a line shows that case on the right."""
    app = window("review")
    button(app, "open-case-3").click().run()
    assert app.session_state["case"] == "case-3"
    assert says(app, "Billing address")


@pytest.mark.parametrize(("version", "told"), [(3, False), (2, True)])
def test_a_case_that_moved_on_is_told_without_a_reload(
    version: int, told: bool, served: Served
) -> None:
    """The watcher compares versions, says so, and leaves the reload to the reader."""

    def watching(version: int) -> None:
        from tests.window import invented
        from ui.views.review import watch

        watch(invented.case("case-1").model_copy(update={"version": version, "revisions": ()}))

    app = AppTest.from_function(watching, kwargs={"version": version}, default_timeout=20)
    app.session_state["token"] = TOKEN
    app.session_state["case"] = "case-1"
    app.run()
    assert not app.exception
    assert says(app, "Changed since you opened it") is told
    assert says(app, "There is a newer draft, by Postern.") is told
    assert ("reload" in keys(app)) is told


def test_a_settled_case_offers_only_what_is_left(window: Opener, world: World) -> None:
    """An approved case can be taken back, and nothing else."""
    app = window("review")
    button(app, "approve").click().run()
    app.session_state["case"] = "case-1"
    app.run()
    assert says(app, "Nothing to decide: its reply is approved and waits in the outbox.")
    assert "approve" not in keys(app)
    button(app, "take-back").click().run()
    assert world.cases["case-1"].state is CaseState.IN_REVIEW


def test_no_key_means_two_things_on_one_page(window: Opener, world: World) -> None:
    """Every shortcut on the screen belongs to one button."""
    world.stopped = True
    for opened in ("", "reject", "reassign", "close", "edit"):
        app = window("review", panel=opened)
        shortcuts = [entry.proto.shortcut for entry in app.button if entry.proto.shortcut]
        assert len(shortcuts) == len(set(shortcuts)), shortcuts
