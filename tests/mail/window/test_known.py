"""What is known of a customer, and reading an attachment, in the review queue."""

from collections.abc import Callable
from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from data.records.core.accounts import Account, CustomerFacts
from data.records.core.parsed_mail import Attachment
from data.records.core.screening import Verdict
from data.records.mail.documents import DocumentText, DocumentView
from tests.core.window.drawn import button, keys, says
from tests.core.window.engine import World
from tests.core.window.invented import HOSTILE

Opener = Callable[..., AppTest]
FILE = Attachment(
    filename="looms.pdf", content_type="application/pdf", size_bytes=900, sha256="7" * 64
)


def with_file(world: World, entry: Attachment = FILE) -> None:
    """Let the first case have a message with a file."""
    case = world.cases["case-1"]
    first = case.messages[0].model_copy(update={"attachments": (entry,), "case_id": "case-1"})
    world.cases["case-1"] = case.model_copy(update={"messages": (first, *case.messages[1:])})


@pytest.mark.parametrize("established", [True, False])
def test_what_is_known_of_a_customer_stands_in_the_case(
    window: Opener, world: World, established: bool
) -> None:
    """Plan, account and notes are for people; where nobody vouches for the sender it says so."""
    account = Account(
        id="a",
        email="ada@quill.example",
        plan="Quill 12",
        renewal=date(2027, 3, 1),
        balance="7 EUR",
    )
    facts = CustomerFacts(plan="Quill 9", notes="prefers ink", accounts=(account,))
    world.cases["case-1"] = world.cases["case-1"].model_copy(
        update={"customer": facts, "customer_established": established}
    )
    app = window("review")
    for words in ("Quill 9", "prefers ink", "Quill 12 · renews 2027-03-01 · 7 EUR"):
        assert says(app, words)
    assert says(app, "The sender is not established") is not established


def test_a_file_is_read_by_a_press_and_not_before(window: Opener, world: World) -> None:
    """Its text, summary, tags and the screen's warning are shown; another case does not show it."""
    with_file(world)
    world.documents["7" * 64] = DocumentView(
        message_id="",
        filename="looms.pdf",
        sha256="7" * 64,
        document=DocumentText(
            kind="PDF", text=f"Nine shafts. {HOSTILE}", summary="Nine shafts.", tags=("shafts",)
        ),
        verdict=Verdict.FLAGGED,
        findings=("direct_override: ignore all",),
    )
    app = window("review")
    assert "read-file-0" in keys(app)
    assert not says(app, "Nine shafts.")
    button(app, "read-file-0").click().run()
    assert says(app, "Nine shafts.")
    assert says(app, "the screen warns of it")
    assert says(app, "ignore all")


def test_a_file_that_cannot_be_read_says_why(window: Opener, world: World) -> None:
    """One sentence, and nothing else."""
    with_file(world)
    trouble = "The file is encrypted: it opens with a password only."
    world.documents["7" * 64] = DocumentView(
        message_id="", filename="looms.pdf", sha256="7" * 64, document=DocumentText(trouble=trouble)
    )
    app = window("review")
    button(app, "read-file-0").click().run()
    assert says(app, trouble)


def test_a_case_without_files_offers_nothing(window: Opener, world: World) -> None:
    """There is no empty fold."""
    case = world.cases["case-1"]
    bare = tuple(one.model_copy(update={"attachments": ()}) for one in case.messages)
    world.cases["case-1"] = case.model_copy(update={"messages": bare, "customer": None})
    app = window("review")
    assert not [key for key in keys(app) if key.startswith("read-file")]
    assert not says(app, "Known of this customer")
