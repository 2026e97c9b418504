"""Editing a draft: the difference, the check, and what was typed and not yet sent."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.window import invented
from tests.window.conftest import Served
from tests.window.drawn import button, says, texts
from tests.window.engine import TOKEN, Refused, World

Opener = Callable[..., AppTest]


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


def _half_a_sentence(app: AppTest) -> None:
    button(app, "panel-edit").click().run()
    app.text_area(key="edit-body-case-1").input("Half a sentence").run()


def _still_there(app: AppTest) -> bool:
    button(app, "panel-edit").click().run()
    return str(app.text_area(key="edit-body-case-1").value) == "Half a sentence"


def test_what_was_typed_survives_a_page_that_is_loaded_again(window: Opener) -> None:
    """Another session of the same person finds the text, and is told that there is one."""
    _half_a_sentence(window("review"))
    again = window("review")
    assert says(again, "Edited, not sent")
    assert _still_there(again)


def test_what_was_typed_survives_a_sign_in_that_ends(window: Opener, world: World) -> None:
    """The very words with which the person finds out are kept, and are there afterwards."""
    app = window("review")
    button(app, "panel-edit").click().run()
    world.token = "another one"
    app.text_area(key="edit-body-case-1").input("Half a sentence").run()
    assert says(app, "Your sign-in has ended")
    world.token = TOKEN
    assert _still_there(window("review"))


def test_what_was_typed_survives_an_engine_that_is_away(window: Opener, world: World) -> None:
    """While nothing answers the text cannot be shown; it is there when the engine is back."""
    app = window("review")
    button(app, "panel-edit").click().run()
    world.refusals["/case-1"] = Refused(503, "StoreBusyError", "the engine starts")
    app.text_area(key="edit-body-case-1").input("Half a sentence").run()
    assert says(app, "The engine does not answer.")
    world.refusals.clear()
    app.run()
    assert app.text_area(key="edit-body-case-1").value == "Half a sentence"


def test_nobody_else_gets_what_was_typed(window: Opener, world: World) -> None:
    """A text belongs to the person who wrote it."""
    _half_a_sentence(window("review"))
    world.me = world.me.model_copy(update={"user": "somebody else"})
    assert not _still_there(window("review"))


def test_a_sign_in_that_ends_meanwhile_leaves_the_page_as_it_is(served: Served) -> None:
    """A part that renews itself tells it, and takes nothing away that is being typed."""

    def listing() -> None:
        import streamlit as st

        from data.refusals import SignedOutError
        from ui.session import guarded

        with guarded(leaving=False):
            raise SignedOutError("this token is not valid")
        st.text("still drawn")

    app = AppTest.from_function(listing, default_timeout=20)
    app.session_state["token"] = TOKEN
    app.run()
    assert app.session_state["token"] == TOKEN
    assert says(app, "What you have typed is kept as soon as you leave the field")
    assert says(app, "still drawn")
