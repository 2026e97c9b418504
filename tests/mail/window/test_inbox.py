"""The inbox: messages, conversations, and why each is where it is."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.parsed_mail import Address, Attachment, Carried, Segments
from data.states import MessageStatus
from tests.core.window import invented
from tests.core.window.drawn import button, keys, says, texts
from tests.core.window.engine import Refused, World

Opener = Callable[..., AppTest]


def test_a_message_says_why_it_is_where_it_is(window: Opener) -> None:
    """Note, machine's signs, envelope and screening stand beside the text."""
    app = window("inbox", message="news-1")
    words = "\n".join(texts(app))
    for expected in (
        "Written by a machine (newsletter); kept, never answered.",
        "header list-unsubscribe",
        "Envelope sender  ada@quill.example",
        "This week: twelve bells, and one horn.",
    ):
        assert expected in words, expected
    assert says(app, "so no machine answers")


def test_no_messages_says_so(window: Opener, world: World) -> None:
    """An inbox without mail and a search without result are two sentences."""
    app = window("inbox")
    app.text_input(key="inbox-q-messages").input("never written").run()
    assert says(app, "Nothing matches. Clear the search or the filters to see all.")
    world.messages.clear()
    assert says(window("inbox"), "Mail to your addresses stands here")


def test_a_conversation_shows_both_sides(window: Opener) -> None:
    """All messages in order, ours marked as ours."""
    app = window("inbox", **{"inbox-kind": "Conversations", "thread": "thread-1"})
    words = "\n".join(texts(app))
    first = words.index("Could you hold the blue Heron")
    assert first < words.index("Thank you for your order of 3 March")
    assert says(app, ">us<")


def test_no_conversations_says_so(window: Opener, world: World) -> None:
    """Before the first conversation there is a sentence."""
    world.threads.clear()
    assert says(window("inbox", **{"inbox-kind": "Conversations"}), "None have begun.")


def test_a_search_without_hits_leaves_no_conversation_open(window: Opener, world: World) -> None:
    """What does not match is not on the page."""
    app = window("inbox", **{"inbox-kind": "Conversations", "thread": "thread-1"})
    world.threads.clear()
    app.text_input(key="inbox-q-conversations").input("nothing like this").run()
    assert says(app, "Nothing matches.")
    assert says(app, "Nothing is open.")
    assert not app.exception


def test_conversations_are_listed_by_tag(window: Opener, world: World) -> None:
    """The tags that there are can be chosen, with how many conversations bear each."""
    (id,) = [one for one in world.threads if one == "thread-1"]
    other = world.threads[id].model_copy(update={"id": "thread-9", "subject": "A bell of tin"})
    world.threads["thread-9"] = other.model_copy(update={"tags": ("tin",)})
    app = window("inbox", **{"inbox-kind": "Conversations"})
    assert says(app, "A bell of tin")
    total = len(world.threads)
    assert total > 1
    app.selectbox(key="inbox-tag-conversations").set_value("tin").run()
    assert says(app, "1 conversation")
    assert says(app, "A bell of tin")


def test_from_a_message_to_its_conversation_and_case(window: Opener) -> None:
    """One press leads to either."""
    app = window("inbox", message="m-case-1")
    button(app, "to-thread").click().run()
    assert says(app, "Could you hold the blue Heron")
    app = window("inbox", message="m-case-1")
    button(app, "to-case").click().run()
    assert "approve" in keys(app)
    assert app.session_state["case"] == "case-1"


def test_a_stored_message_can_be_called_a_persons(window: Opener, world: World) -> None:
    """It goes on, and the page says what comes of it."""
    app = window("inbox", message="news-1")
    assert "replay" not in keys(app)
    button(app, "person").click().run()
    assert world.messages["news-1"].status is MessageStatus.SCREENING
    assert says(app, "It becomes a case.")


def test_a_failed_message_can_be_worked_on_again(window: Opener, world: World) -> None:
    """Replay sends it through the stages, and says so."""
    kept = world.messages["news-1"]
    world.messages["news-1"] = kept.model_copy(update={"status": MessageStatus.FAILED})
    app = window("inbox", message="news-1")
    assert "person" not in keys(app)
    button(app, "replay").click().run()
    assert world.messages["news-1"].status is MessageStatus.SCREENING
    assert says(app, "It goes through the stages again.")


def test_words_beside_the_body_are_shown_as_they_are(window: Opener, world: World) -> None:
    """What a calendar entry or a header of a part says is shown, with its place, and is inert."""
    places = (
        Carried(place="ics", name="meeting.ics", text="Calendar: REQUEST **bold** <b>loud</b>"),
        Carried(place="preamble", text="Nobody reads this."),
    )
    world.messages["words-1"] = invented.message("words-1", carried=places)
    app = window("inbox", message="words-1")
    assert any(entry.label == "Words beside the body · 2 places" for entry in app.expander)
    words = "\n".join(texts(app))
    assert "calendar entry: meeting.ics" in words
    assert "Calendar: REQUEST **bold** <b>loud</b>" in words
    assert "preamble\nNobody reads this." in words


def test_a_very_long_body_folds_its_rest_and_loses_nothing(window: Opener, world: World) -> None:
    """The first part is shown, the rest is one press away."""
    body = "".join(f"line {number}\n" for number in range(2000))
    world.messages["long-1"] = invented.message("long-1", segments=Segments(new=body))
    app = window("inbox", message="long-1")
    assert "".join(texts(app)).count("line 1999") == 1
    assert any(entry.label.startswith("The other ") for entry in app.expander)


def test_a_message_that_is_gone_is_told(window: Opener, world: World) -> None:
    """An id without a message is a sentence, not a trace."""
    world.refusals["/messages/news-1"] = Refused(404, "NotFoundError", "nothing under 'news-1'")
    app = window("inbox", message="news-1")
    assert says(app, "Nothing under 'news-1'.")
    assert not app.exception


def test_a_long_name_does_not_push_the_address_away(window: Opener, world: World) -> None:
    """However long a display name is, the address stands beside what is shown of it."""
    name = "Trusted Bank " * 20
    sender = Address(name=name, email="ada@quill.example")
    message = world.messages["news-1"].model_copy(update={"sender": sender})
    world.messages["news-1"] = message
    app = window("inbox", message="news-1")
    (shown,) = [words for words in texts(app) if words.endswith("<ada@quill.example>")]
    assert len(shown) < 90


def test_many_recipients_and_files_are_folded(window: Opener, world: World) -> None:
    """The first ones stand open with how many more there are; all of them can be looked up."""
    many = tuple(Address(email=f"person{number}@quill.example") for number in range(60))
    files = tuple(
        Attachment(filename=f"scan-{n}.pdf", content_type="a/b", size_bytes=n, sha256=f"{n:064x}")
        for n in range(40)
    )
    message = world.messages["news-1"].model_copy(update={"to": many, "attachments": files})
    world.messages["news-1"] = message
    app = window("inbox", message="news-1")
    assert says(app, "person3@quill.example and 56 more")
    labels = [entry.label for entry in app.expander]
    assert {"All 60 addresses", "34 more of 40 files", "34 more to download"} <= set(labels)
    assert any("person59@quill.example" in words for words in texts(app))


def test_the_inbox_is_narrowed_by_what_its_cases_are(window: Opener, world: World) -> None:
    """Category, priority and assignee reach the engine for messages and conversations."""
    for kind, path in (("Messages", "/messages"), ("Conversations", "/threads")):
        app = window("inbox", **{"inbox-kind": kind})
        name = kind.lower()
        app.selectbox(key=f"inbox-{name}-category").select("complaint").run()
        app.selectbox(key=f"inbox-{name}-priority").select("urgent").run()
        app.text_input(key=f"inbox-q-{name}").input("from:wren").run()
        asked = [query for _, called, query in world.calls if called.endswith(path)][-1]
        assert (asked["category"], asked["priority"]) == ("complaint", "urgent")
        assert asked["q"] == "from:wren"
