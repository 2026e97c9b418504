"""Previews of files of received mail: offered where there may be one, drawn by a press alone."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.core.parsed_mail import Attachment
from data.records.mail.documents import DocumentText, DocumentView
from data.states import MessageStatus
from tests.core.reading.pictures import picture
from tests.core.window.drawn import button, keys, says, texts
from tests.core.window.engine import World

Opener = Callable[..., AppTest]

PLAN = Attachment(
    filename="plan.pdf", content_type="application/pdf", size_bytes=900, sha256="7" * 64
)
NOTE = Attachment(filename="note.txt", content_type="text/plain", size_bytes=9, sha256="8" * 64)
LOGO = Attachment(filename="logo.svg", content_type="image/svg+xml", size_bytes=9, sha256="9" * 64)


def list_asked(world: World) -> list[str]:
    """Return the pages that were asked for."""
    return [str(query.get("page")) for _, path, query in world.calls if path.endswith("/preview")]


@pytest.mark.parametrize("status", [MessageStatus.STORED, MessageStatus.QUARANTINED])
def test_a_message_offers_previews_of_what_is_drawn(
    window: Opener, world: World, status: MessageStatus
) -> None:
    """Not of text, not of SVG, and of nothing where the screen holds the message."""
    world.messages["news-1"] = world.messages["news-1"].model_copy(
        update={"attachments": (PLAN, NOTE, LOGO), "status": status}
    )
    app = window("inbox", message="news-1")
    offered = {key for key in keys(app) if key.startswith("preview-")}
    assert offered == ({"preview-0"} if status is MessageStatus.STORED else set())
    assert list_asked(world) == []
    read = {key for key in keys(app) if key.startswith("read-")}
    assert read == ({"read-0", "read-1", "read-2"} if offered else set())


def test_a_text_is_read_over_the_message(window: Opener, world: World) -> None:
    """By a press, as plain text; a picture has none to read."""
    photo = NOTE.model_copy(update={"filename": "a.JPG", "content_type": "a/b"})
    world.messages["news-1"] = world.messages["news-1"].model_copy(
        update={"attachments": (NOTE, photo)}
    )
    world.documents[NOTE.sha256] = DocumentView(
        message_id="",
        filename="note.txt",
        sha256=NOTE.sha256,
        document=DocumentText(kind="text", text="Nine shafts."),
    )
    app = window("inbox", message="news-1")
    assert not says(app, "Nine shafts.")
    assert {key for key in keys(app) if key.startswith(("read-", "preview-"))} == {
        "read-0",
        "preview-1",
    }
    button(app, "read-0").click().run()
    assert says(app, "Nine shafts.")


def test_the_name_of_a_picture_stands_as_it_is(window: Opener, world: World) -> None:
    """Where nothing reads Markdown there is no backslash."""
    photo = Attachment(
        filename="plug-2.png", content_type="image/png", size_bytes=9, sha256="6" * 64
    )
    case = world.cases["case-1"]
    first = case.messages[0].model_copy(update={"attachments": (photo,)})
    world.cases["case-1"] = case.model_copy(update={"messages": (first, *case.messages[1:])})
    assert "plug-2.png" in texts(window("review"))


def test_a_file_of_a_case_is_drawn_by_a_press(window: Opener, world: World) -> None:
    """Page 1 first; where there is no preview the sentence stands there, and the download."""
    case = world.cases["case-1"]
    first = case.messages[0].model_copy(update={"attachments": (PLAN, NOTE)})
    world.cases["case-1"] = case.model_copy(update={"messages": (first, *case.messages[1:])})
    app = window("review")
    assert list_asked(world) == []
    button(app, "preview-file-0").click().run()
    assert list_asked(world) == ["1"]
    assert says(app, "There is no preview of this file.")
    world.drawn[PLAN.sha256] = [picture("PNG")] * 12
    button(app, "preview-file-0").click().run()
    assert list_asked(world) == ["1", "1"]
    assert says(app, "Page 1 of 12; the first 10 pages are drawn")
    assert not says(app, "There is no preview of this file.")
