"""Editing a draft: the difference, the check, and what was typed and not yet sent."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.core.window import invented
from tests.core.window.drawn import button, keys, letter, says, texts, write
from tests.core.window.engine import TOKEN, Refused, World
from tests.core.window.fixtures import Served
from ui.core.pages import page_file
from ui.core.text import text_runs
from ui.mail.widgets.letter.letter import _span

Opener = Callable[..., AppTest]


def test_editing_shows_the_difference_and_signs_the_new_text(window: Opener, world: World) -> None:
    """The edited text is checked, compared, and approved with its own hash."""
    app = window("review")
    edited = invented.BODY.replace("two days", "three days")
    write(app, edited)
    assert world.done("/preview")[-1] == {"subject": invented.DRAFT.subject, "body": edited}
    assert any("twothree days" in words for words in texts(app))
    assert says(app, "of the draft")
    button(app, "approve-edited").click().run()
    assert world.done("/approve") == [
        {
            "version": 3,
            "approval_hash": invented.hashed(invented.DRAFT.subject, edited),
            "subject": invented.DRAFT.subject,
            "body": edited,
            "confirmed": False,
            "leave": None,
            "follow_up_days": None,
        }
    ]


def test_text_changed_after_the_check_is_not_approved(window: Opener, world: World) -> None:
    """Words typed in the same moment as the click are shown and checked first."""
    app = window("review")
    button(app, "approve").click()
    write(app, "Dear Ada, typed at the last moment.")
    assert world.done("/approve") == []
    assert says(app, "The text has changed since it was checked.")
    button(app, "approve-edited").click().run()
    assert len(world.done("/approve")) == 1


def test_what_was_typed_survives_a_look_elsewhere(window: Opener) -> None:
    """Leaving the editor, or the page, does not lose the text."""
    app = window("review")
    write(app, "Half a sentence")
    app.switch_page(page_file("help")).run()
    app.switch_page(page_file("review")).run()
    assert letter(app)["body"] == "Half a sentence"
    button(app, "edit-reset").click().run()
    assert letter(app)["body"] == invented.BODY


@pytest.mark.parametrize("version", [2, 3])
def test_a_text_that_was_sent_is_kept_no_more(served: Served, version: int) -> None:
    """A browser that has much to do may tell of it twice; of another version it is a new text."""

    def keeping(version: int) -> None:
        import streamlit as st

        from tests.core.window import invented
        from ui.mail.deciding import decisions, double_press, unsent

        case = invented.case("case-1")
        unsent.keep(case.id, "Re: Chains", "Dear Ada, yes.")
        double_press.note(case.id, version)
        decisions.keep(case)
        st.text(f"kept: {unsent.find_unsent(case.id)}")

    app = AppTest.from_function(keeping, kwargs={"version": version}, default_timeout=90)
    app.session_state["token"] = TOKEN
    app.run()
    assert not app.exception
    assert says(app, "kept: None") is (version == invented.case("case-1").version)


def test_a_preview_that_is_refused_bars_approval(window: Opener, world: World) -> None:
    """A text that could not be checked cannot be sent."""
    world.refusals["/preview"] = Refused(422, "RefusedError", "the text is too long")
    app = window("review")
    write(app, "Far too many words")
    assert says(app, "The text is too long.")
    assert button(app, "approve-edited").disabled


def test_the_text_of_the_draft_comes_back_and_so_does_what_was_put_away(window: Opener) -> None:
    """Going back to the draft loses nothing: one press brings the typed words back."""
    app = window("review")
    write(app, "Half a sentence")
    before = letter(app)["stamp"]
    button(app, "edit-reset").click().run()
    assert letter(app)["body"] == invented.BODY
    assert letter(app)["stamp"] != before
    button(app, "edit-again").click().run()
    assert letter(app)["body"] == "Half a sentence"
    assert "edit-again" not in keys(app)


def test_the_key_of_the_editor_sends_what_the_check_agrees_with(
    window: Opener, world: World
) -> None:
    """Ctrl+Enter has the typed words checked and approves exactly these, in one go."""
    app = window("review")
    write(app, "Dear Ada, yes.", "send")
    assert [one["body"] for one in world.done("/approve")] == ["Dear Ada, yes."]
    assert world.done("/approve")[0]["approval_hash"] == invented.hashed(
        invented.DRAFT.subject, "Dear Ada, yes."
    )
    assert app.session_state["case"] == "case-2"


def test_what_the_check_objects_to_is_shown_before_the_key_sends_it(
    window: Opener, world: World
) -> None:
    """The first press shows the finding and sends nothing; the second one stands by it."""
    text = "Dear Ada, delivery takes two days."
    app = window("review")
    write(app, text, "send")
    assert world.done("/approve") == []
    assert says(app, "the check objects to what you wrote")
    assert {mark["kind"] for mark in letter(app)["marks"]} >= {"hold"}
    write(app, text, "send")
    assert [one["body"] for one in world.done("/approve")] == [text]


def test_the_key_sends_the_draft_as_it_is_shown(window: Opener, world: World) -> None:
    """Where nothing was changed it is the same approval as that of the button."""
    app = window("review")
    write(app, invented.BODY, "send")
    assert [one["body"] for one in world.done("/case-1/approve")] == [None]


def test_what_a_finding_is_about_and_what_is_cited_is_marked(window: Opener) -> None:
    """Each mark stands where its words stand, counted as a browser counts."""
    app = window("review")
    body, marks = letter(app)["body"], letter(app)["marks"]
    assert [body[mark["start"] : mark["end"]] for mark in marks] == [
        "The 42-tooth ring for the Heron costs 38.50 EUR.",
        "On Saturday we are open from 10 to 14.",
        "takes two days",
    ]
    assert [mark["kind"] for mark in marks] == ["cited", "cited", "hold"]
    assert _span("\U0001f44d yes", 2, 5) == (3, 6)


def _half_a_sentence(app: AppTest) -> None:
    write(app, "Half a sentence")


def _still_there(app: AppTest) -> bool:
    return str(letter(app)["body"]) == "Half a sentence"


def test_what_was_typed_survives_a_page_that_is_loaded_again(window: Opener) -> None:
    """Another session of the same person finds the text, and is told that there is one."""
    _half_a_sentence(window("review"))
    again = window("review")
    assert says(again, "Edited, not sent")
    assert _still_there(again)


def test_what_was_typed_survives_a_sign_in_that_ends(window: Opener, world: World) -> None:
    """The very words with which the person finds out are kept, and are there afterwards."""
    app = window("review")
    world.token = "another one"
    write(app, "Half a sentence")
    assert says(app, "Your sign-in has ended")
    world.token = TOKEN
    assert _still_there(window("review"))


def test_what_was_typed_survives_an_engine_that_is_away(window: Opener, world: World) -> None:
    """While nothing answers the text cannot be shown; it is there when the engine is back."""
    app = window("review")
    world.refusals["/case-1"] = Refused(503, "StoreBusyError", "the engine starts")
    write(app, "Half a sentence")
    assert says(app, "The engine does not answer.")
    world.refusals.clear()
    app.run()
    assert letter(app)["body"] == "Half a sentence"


def test_nobody_else_gets_what_was_typed(window: Opener, world: World) -> None:
    """A text belongs to the person who wrote it, whoever else has that name."""
    _half_a_sentence(window("review"))
    world.me = world.me.model_copy(update={"id": "somebody else"})
    assert not _still_there(window("review"))


def test_a_sign_in_that_ends_meanwhile_leaves_the_page_as_it_is(served: Served) -> None:
    """A part that renews itself tells it, and takes nothing away that is being typed."""

    def listing() -> None:
        import streamlit as st

        from data.refusals import SignedOutError
        from ui.core.session import guard_refusals

        with guard_refusals(leaving=False):
            raise SignedOutError("this token is not valid")
        st.text("still drawn")

    app = AppTest.from_function(listing, default_timeout=90)
    app.session_state["token"] = TOKEN
    app.run()
    assert app.session_state["token"] == TOKEN
    assert says(app, "What you have typed is kept as soon as you leave the field")
    assert says(app, "still drawn")


def test_saved_replies_and_sources_are_offered_in_the_letter(window: Opener, world: World) -> None:
    """By name and text, without the greeting; what nobody vouches for is no source."""
    offered = letter(window("review"))["offers"]
    kinds = {one["kind"] for one in offered}
    assert kinds <= {"reply", "source"}
    assert {one["label"] for one in offered if one["kind"] == "reply"} == {
        one.title for one in world.replies if one.retired_at is None
    }
    assert not [one for one in offered if "{first_name}" in one["text"]]


def test_the_field_keeps_its_place_while_the_engine_is_slow(window: Opener, world: World) -> None:
    """A page that waits is emptied for another case alone, not for the one that is typed in."""
    app = window("review")
    place = app.session_state["pane-case"]
    world.slow = 0.3
    write(app, "We open at nine.")
    assert app.session_state["pane-case"] == place


def test_very_long_texts_are_compared_without_making_others_wait() -> None:
    """Line by line; the work is bounded where words would take minutes."""
    draft = "A sentence of a few words.\n" * 40
    longer = draft + "Another one that somebody has pasted.\n" * 20_000
    assert len(text_runs._compared(draft, longer)[1]) == 20_040
    assert text_runs.difference(draft, longer)[-1].mark == "added"
    assert 0.9 < text_runs.changed_share(draft, longer) < 1
