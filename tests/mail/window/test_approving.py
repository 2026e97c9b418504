"""Approving: what is signed, what asks for a word first, and taking it back."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.mail.drafting import Checked, Finding, Severity
from data.states import CaseState, DeliveryState
from tests.core.window import invented
from tests.core.window.drawn import button, keys, opened, says, tick, write
from tests.core.window.engine import World
from tests.core.window.holding import Refused

Opener = Callable[..., AppTest]


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
            "leave": None,
            "follow_up_days": None,
        }
    ]
    (looked,) = world.looked()
    assert looked is not None
    assert looked > 0
    assert app.session_state["case"] == "case-2"
    assert opened(app) == ["case-2"]
    assert says(app, "Approved “")


def test_a_planted_fault_is_told(window: Opener, world: World) -> None:
    """What the engine says of it stands on the page, and the case stays open."""
    sentence = "Nothing has been sent. This letter held a fault that was planted."
    world.refusals["/case-1/approve"] = Refused(409, "PlantedFaultError", sentence)
    app = window("review")
    button(app, "approve").click().run()
    assert world.deliveries == {}
    assert says(app, "This letter held a fault that was planted")
    assert opened(app) == ["case-1"]


def test_an_approval_can_be_taken_back(window: Opener, world: World) -> None:
    """The bar with the countdown cancels the delivery, and the case opens again."""
    app = window("review")
    button(app, "approve").click().run()
    assert says(app, "Leaves in ")
    button(app, "undo-approval").click().run()
    assert world.deliveries["delivery-case-1"].state is DeliveryState.CANCELLED
    assert world.cases["case-1"].state is CaseState.IN_REVIEW
    assert app.session_state["case"] == "case-1"
    assert "undo-approval" not in keys(app)


def test_a_press_for_a_case_that_has_left_the_page_decides_nothing(
    window: Opener, world: World
) -> None:
    """A busy browser may press the button that is going as well as the one that comes."""
    app = window("review")
    app.session_state["case"] = "case-2"
    app.session_state["drawn_case"] = "case-2"
    button(app, "approve").click().run()
    assert world.deliveries == {}
    assert says(app, "nothing was decided on it")
    assert opened(app) == ["case-2"]
    button(app, "approve").click().run()
    assert list(world.deliveries) == ["delivery-case-2"]


def test_a_conflict_is_told_and_shows_the_case_as_it_is(window: Opener, world: World) -> None:
    """Somebody else was faster: nothing is done, and the page shows the new version."""
    app = window("review")
    world.cases["case-1"] = invented.case("case-1", version=4, recipient_reason="It has changed.")
    button(app, "approve").click().run()
    assert says(app, "Nothing was done: this case has changed since you opened it")
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
    tick(app).check().run()
    button(app, "approve").click().run()
    assert len(world.done("/approve")) == 1


def test_a_tick_stands_for_the_marks_that_were_seen_alone(window: Opener, world: World) -> None:
    """Another red mark, in the same case, is not stood by before it is ticked itself."""
    revision = invented.case("case-1").revisions[0]

    def draw_with(excerpt: str, app: AppTest | None = None) -> AppTest:
        finding = Finding(
            check="promise", severity=Severity.BLOCK, excerpt=excerpt, sentence="A promise."
        )
        checked = Checked(findings=(finding,), quality=0.4)
        marked = revision.model_copy(update={"checked": checked})
        world.cases["case-1"] = invented.case("case-1", revisions=(marked,))
        return app.run() if app else window("review")

    app = draw_with("two days")
    tick(app).check().run()
    assert not button(app, "approve").disabled
    app = draw_with("for free", app)
    app.run()
    assert button(app, "approve").disabled
    assert not tick(app).value


def test_a_case_without_a_draft_cannot_be_approved(window: Opener, world: World) -> None:
    """Without a draft there is nothing to sign; a person can write one."""
    world.cases["case-1"] = invented.case("case-1", revisions=(), approval_hash="")
    app = window("review")
    assert says(app, "There is no draft.")
    assert button(app, "approve").disabled
    write(app, "Dear Ada, yes.")
    button(app, "approve-edited").click().run()
    assert world.done("/approve")[0]["body"] == "Dear Ada, yes."


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
