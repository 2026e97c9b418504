"""Files of our own on a letter, and blind copies, in the window."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.mail.attaching import AttachedFile, EnclosedFile
from data.states import CaseState
from tests.core.window import invented
from tests.core.window.drawn import says
from tests.core.window.engine import World


def attach(app: AppTest, *files: tuple[str, bytes, str]) -> None:
    """Choose files in the field of the open case."""
    (field,) = [one for one in app.file_uploader if str(one.key).startswith("files-case-1-")]
    field.set_value(list(files)).run()


def test_files_are_put_on_and_taken_off(window: Callable[..., AppTest], world: World) -> None:
    """Each is one call with the version of the one before; what is refused leaves the others."""
    app = window("review", case="case-1")
    version = world.cases["case-1"].version
    attach(
        app,
        ("prices.csv", b"a;b", "text/csv"),
        ("setup.exe", b"MZ", "application/octet-stream"),
        ("door.txt", b"the password is x", "text/plain"),
    )
    assert world.cases["case-1"].version == version + 2
    names = [one.filename for one in world.cases["case-1"].attachments]
    assert names == ["prices.csv", "door.txt"]
    assert says(app, "2 files attached.")
    assert says(app, "cannot be attached")
    assert says(app, "seems to hold a password")
    first = world.cases["case-1"].attachments[0]
    (off,) = [one for one in app.button if one.key == f"detach-of-{first.id}"]
    off.click().run()
    names = [one.filename for one in world.cases["case-1"].attachments]
    assert names == ["door.txt"]


def test_nothing_is_taken_off_after_the_approval(
    window: Callable[..., AppTest], world: World
) -> None:
    """The files stay in view and can be opened; no button takes one off, no field adds one."""
    case = world.cases["case-1"]
    file = AttachedFile(
        id="file-1",
        filename="prices.csv",
        content_type="text/csv",
        size_bytes=3,
        sha256="f" * 64,
        added_by="ida",
        added_at=case.item.waiting_since,
    )
    world.cases["case-1"] = case.model_copy(
        update={"state": CaseState.APPROVED, "attachments": (file,)}
    )
    app = window("review", case="case-1")
    assert not [one for one in app.button if str(one.key).startswith("detach-of-")]
    assert not [one for one in app.file_uploader if str(one.key).startswith("files-")]
    assert [one for one in app.get("download_button") if "prices" in one.proto.label]


def test_a_blind_copy_is_chosen_beside_the_others(
    window: Callable[..., AppTest], world: World
) -> None:
    """It reaches the engine as such, and leaves who gets an open copy alone."""
    app = window("review", case="case-1")
    (box,) = [one for one in app.multiselect if str(one.key).startswith("blind-case-1-")]
    box.set_value(["audit@lab.example"]).run()
    assert world.done("/case-1/copies")[-1]["bcc"] == ["audit@lab.example"]
    assert world.done("/case-1/copies")[-1]["cc"] is None
    assert world.cases["case-1"].bcc == ("audit@lab.example",)
    assert says(app, "A blind copy goes to 1.")


def test_the_outbox_shows_what_goes_with_a_letter(
    window: Callable[..., AppTest], world: World
) -> None:
    """Its files can be opened, and who gets a copy or a blind one is apart from to whom it goes."""
    file = EnclosedFile(
        filename="Preise [x](http://y.test).csv",
        content_type="text/csv",
        size_bytes=3,
        sha256="f" * 64,
    )
    world.deliveries["d-1"] = invented.delivery("d-1").model_copy(
        update={
            "attachments": (file,),
            "rcpt_to": ("ann@quill.example", "ben@quill.example", "audit@lab.example"),
            "bcc": ("audit@lab.example",),
        }
    )
    app = window("outbox", delivery="d-1")
    (opened,) = app.get("download_button")
    assert "3 bytes" in opened.proto.label
    assert "](" not in opened.proto.label
    assert says(app, "To  ann@quill.example")
    assert says(app, "Copy  ben@quill.example")
    assert says(app, "Blind copy  audit@lab.example")


@pytest.mark.parametrize(("page", "place"), [("review", "review"), ("inbox", "inbox")])
def test_a_new_mail_is_begun_and_opened(
    window: Callable[..., AppTest], world: World, page: str, place: str
) -> None:
    """What is refused stays in the fields; what is begun opens as a case to be written."""
    app = window(page)

    def begin(to: str) -> None:
        app.text_input(key=f"new-mail-to-{place}").set_value(to)
        app.text_input(key=f"new-mail-subject-{place}").set_value("Chains for your school")
        (press,) = [one for one in app.button if one.label == "Begin the mail"]
        press.click().run()

    begin("nobody")
    assert says(app, "no mail address")
    assert app.text_input(key=f"new-mail-to-{place}").value == "nobody"
    begin("nora@alder.example")
    assert world.done("/letters")[-1]["to"] == "nora@alder.example"
    assert app.session_state["case"] == "letter"


def test_a_new_mail_is_drawn_without_mail_that_came(
    window: Callable[..., AppTest], world: World
) -> None:
    """Its page says that it answers nothing, and to whom it goes."""
    item = invented.item("case-1", again=True)
    world.cases["case-1"] = invented.case(
        "case-1", item=item, messages=(), thread=None, recipients=("nora@alder.example",)
    )
    app = window("review", case="case-1")
    assert not app.exception
    assert says(app, "nora@alder.example")


def test_letters_approved_together_say_what_goes_with_them(
    window: Callable[..., AppTest], world: World
) -> None:
    """Files and blind copies are named; a file that a person should look at is approved alone."""
    made = AttachedFile(
        id="file-1",
        filename="prices.csv",
        content_type="text/csv",
        size_bytes=3,
        sha256="f" * 64,
        added_by="ida",
        added_at=world.cases["case-1"].item.waiting_since,
    )
    doubtful = made.model_copy(update={"warnings": ("It seems to hold a password or a key.",)})
    for id, file in (("case-1", made), ("case-3", doubtful)):
        checked = world.cases[id].revisions[-1].checked
        assert checked
        fine = (
            world.cases[id]
            .revisions[-1]
            .model_copy(
                update={"checked": checked.model_copy(update={"quality": 1.0, "findings": ()})}
            )
        )
        world.cases[id] = world.cases[id].model_copy(
            update={"attachments": (file,), "bcc": ("audit@lab.example",), "revisions": (fine,)}
        )
    app = window("review")
    app.button(key="several-begin").click().run()
    assert says(app, "blind copy to audit@lab.example; with 1 file: prices.csv")
    offered = [one.key for one in app.checkbox if str(one.key).startswith("several-approve-")]
    assert "several-approve-case-1" in offered
    assert "several-approve-case-3" not in offered


def test_a_picture_on_a_letter_is_previewed_a_table_is_not(
    window: Callable[..., AppTest], world: World
) -> None:
    """By a press alone, before it leaves and after."""
    case = world.cases["case-1"]
    files = tuple(
        AttachedFile(
            id=name,
            filename=f"{name}.{ending}",
            content_type="application/octet-stream",
            size_bytes=3,
            sha256=ending[0] * 64,
            added_by="ida",
            added_at=case.item.waiting_since,
        )
        for name, ending in (("photo", "png"), ("plan", "pdf"), ("prices", "csv"))
    )
    for state in (CaseState.IN_REVIEW, CaseState.APPROVED):
        world.cases["case-1"] = case.model_copy(update={"state": state, "attachments": files})
        app = window("review", case="case-1")
        assert not app.exception
        offered = [one.key for one in app.button if str(one.key).startswith("attached-preview-")]
        assert offered == ["attached-preview-photo", "attached-preview-plan"]
