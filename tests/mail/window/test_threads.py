"""Merging and splitting conversations in the window: foretold, confirmed, and taken back."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.core.parsed_mail import Address, Segments
from data.records.mail.conversations import ThreadLink
from data.records.mail.views import ThreadEntry
from tests.core.window import invented
from tests.core.window.drawn import button, keys, press, says, texts
from tests.core.window.engine import World

Opener = Callable[..., AppTest]
ADA = Address(name="Ada Quill", email="ada@quill.example")
EVE = Address(name="Eve", email="eve@shrike.test")


@pytest.fixture
def opened(world: World, window: Opener) -> AppTest:
    """Open a conversation of two messages, beside one of its contact and one of a stranger."""
    first = invented.thread()
    second = ThreadEntry(
        ref="message:m-9",
        outbound=False,
        sender=ADA,
        at=first.last_message_at,
        subject="Bell",
        turns=True,
        segments=Segments(new="And a bell."),
    )
    more = {"entries": (*first.entries, second), "contacts": (ADA.email,)}
    world.threads["thread-1"] = first.model_copy(update=more)
    for id, contact in (("thread-2", ADA), ("thread-3", EVE)):
        changed = {"subject": f"Subject of {id}", "contact": contact, "entries": ()}
        world.threads[id] = invented.thread(id).model_copy(update=changed)
    return window("inbox", **{"inbox-kind": "Conversations", "thread": "thread-1"})


def choose(app: AppTest, other: str) -> AppTest:
    """Open the panel, search for everything, and choose a conversation."""
    button(app, "merge-panel").click().run()
    app.text_input(key="merge-q-thread-1").set_value("subject").run()
    return press(app, f"merge-{other}")


def test_a_merge_is_foretold_confirmed_and_taken_back(opened: AppTest, world: World) -> None:
    """Nothing happens before the second press, and the change stands there with its way back."""
    choose(opened, "thread-2")
    assert says(opened, "Subject of thread-2 becomes part of this.")
    assert world.done("/merge") == []
    button(opened, "merge-now").click().run()
    assert world.done("/merge") == [{"other": "thread-2", "across_contacts": False}]
    assert says(opened, "Merged by ida")
    button(opened, "take-back-merge-thread-1-thread-2").click().run()
    assert world.done("/undo") == [{"change": "merge-thread-1-thread-2"}]
    assert not says(opened, "Merged by ida")


def test_a_conversation_of_several_subjects_names_them(opened: AppTest, world: World) -> None:
    """Where a message is about something else than the one before it, and nowhere else."""
    drawn = [entry for entry in texts(opened) if entry in ("Bell", "Re: A Heron in blue")]
    assert drawn == ["Bell"]


def test_across_contacts_a_merge_waits_for_a_word(opened: AppTest, world: World) -> None:
    """Both addresses are shown, and the button opens with the tick only."""
    choose(opened, "thread-3")
    assert says(opened, "ada@quill.example, eve@shrike.test")
    assert button(opened, "merge-now").disabled
    opened.checkbox(key="across-thread-1-thread-3").check().run()
    button(opened, "merge-now").click().run()
    assert world.done("/merge") == [{"other": "thread-3", "across_contacts": True}]


def test_messages_are_chosen_and_split_off(opened: AppTest, world: World) -> None:
    """The chosen message is foretold to move; the new conversation opens."""
    button(opened, "part-panel").click().run()
    assert "part-now" not in keys(opened)
    opened.checkbox(key="parted-m-9").check().run()
    assert says(opened, "1 moves away.")
    button(opened, "part-now").click().run()
    assert world.done("/split") == [{"messages": ["m-9"]}]
    assert opened.session_state["thread"] == "fresh"
    assert says(opened, "Split off by ida")


def test_cancel_leaves_everything_as_it_was(opened: AppTest, world: World) -> None:
    """Neither panel does anything by being opened."""
    for panel in ("merge-panel", "part-panel"):
        button(opened, panel).click().run()
        button(opened, "panel-cancel").click().run()
    assert {"merge-panel", "part-panel"} <= keys(opened)
    assert not [path for method, path, _ in world.calls if method == "POST"]


def test_links_and_several_contacts_are_shown_and_lead_on(world: World, window: Opener) -> None:
    """A conversation that a stranger names says so, inert, and one press opens the other."""
    link = ThreadLink(id="thread-1", subject="# [Pay](http://x.test)", contact=EVE)
    more = {"refers_to": (link,), "contacts": (ADA.email, EVE.email)}
    world.threads["thread-2"] = invented.thread("thread-2").model_copy(update=more)
    app = window("inbox", **{"inbox-kind": "Conversations", "thread": "thread-2"})
    assert says(app, "Mail of 2 contacts: ada@quill.example, eve@shrike.test.")
    shown = button(app, "to-linked-thread-1")
    assert "[Pay](http" not in shown.label.replace("\u2060", "")
    shown.click().run()
    assert app.session_state["thread"] == "thread-1"


def test_a_message_id_used_twice_is_shown_with_the_other_message(
    world: World, window: Opener
) -> None:
    """The reviewer is warned, in the inbox and in the queue."""
    marked = world.messages["m-case-1"].model_copy(update={"same_id_as": "news-1"})
    world.messages["m-case-1"] = marked
    world.cases["case-1"] = world.cases["case-1"].model_copy(update={"messages": (marked,)})
    for page, state in (("review", {"case": "case-1"}), ("inbox", {"message": "m-case-1"})):
        app = window(page, **state)
        assert says(app, "Another message has the same Message-ID")
        button(app, "other-m-case-1").click().run()
        assert app.session_state["message"] == "news-1"
