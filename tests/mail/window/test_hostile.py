"""Mail is drawn inert: no text from outside reaches anything that interprets it."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.records.core.briefing import Snippet, SourceKind
from data.records.core.citations import Citation
from data.records.core.parsed_mail import Address, Attachment, Hidden, Link, Segments
from data.records.core.screening import Verdict
from data.records.mail.drafting import Checked, Draft, Finding, Severity
from data.records.mail.views import DraftRevision, MessageLine
from data.states import DeliveryState, MessageStatus, StepStatus
from tests.core.window import invented
from tests.core.window.drawn import INTERPRETS_NOTHING, elements, says, texts
from tests.core.window.engine import Refused, World
from tests.core.window.invented import HOSTILE, before

Opener = Callable[..., AppTest]

MARK = "127.0.0.1:9"
"""Stands in every piece of hostile text, and in nothing of ours."""

SENDER = Address(name=HOSTILE, email="a@b.example")


def poison(world: World) -> None:
    """Put hostile text into every field that comes from outside."""
    message = invented.held_message("held-1").model_copy(
        update={
            "sender": SENDER,
            "to": (SENDER,),
            "cc": (SENDER,),
            "reply_to": (SENDER,),
            "subject": HOSTILE,
            "mail_from": HOSTILE,
            "rcpt_to": (HOSTILE,),
            "message_id": f"<{HOSTILE}>",
            "segments": Segments(new=HOSTILE, quoted=HOSTILE, forwarded=HOSTILE, signature=HOSTILE),
            "hidden": (Hidden(text=HOSTILE, reason=HOSTILE),),
            "links": (Link(text=HOSTILE, href=HOSTILE),),
            "attachments": (
                Attachment(filename=HOSTILE, content_type=HOSTILE, size_bytes=1, sha256="a" * 64),
            ),
            "defects": (HOSTILE,),
            "note": HOSTILE,
        }
    )
    world.messages = {"held-1": message, "m-1": message.model_copy(update={"id": "m-1"})}
    line = MessageLine(
        id="held-1",
        status=MessageStatus.QUARANTINED,
        sender=SENDER,
        subject=HOSTILE,
        preview=HOSTILE,
        received_at=before(minutes=1),
        verdict=Verdict.FLAGGED,
        note=HOSTILE,
    )
    world.held = {"held-1": invented.held("held-1", message=line, excerpt=HOSTILE)}
    draft = Draft(
        subject=HOSTILE,
        body=f"Yes. {HOSTILE}",
        language="en",
        unanswered=(HOSTILE,),
        citations=(Citation(sentence="Yes.", ref="r", title=HOSTILE),),
    )
    finding = Finding(check="x", severity=Severity.HOLD, excerpt=HOSTILE, sentence=HOSTILE)
    revision = DraftRevision(
        revision=0,
        draft=draft,
        checked=Checked(findings=(finding,)),
        author=HOSTILE,
        created_at=before(minutes=1),
    )
    thread = invented.thread()
    entries = tuple(
        entry.model_copy(update={"sender": SENDER, "segments": message.segments})
        for entry in thread.entries
    )
    thread = thread.model_copy(update={"subject": HOSTILE, "contact": SENDER, "entries": entries})
    world.threads = {"thread-1": thread}
    case = invented.case("case-1")
    step = case.steps[0].model_copy(update={"error": HOSTILE, "status": StepStatus.RETRY})
    world.cases = {
        "case-1": case.model_copy(
            update={
                "item": invented.item("case-1", subject=HOSTILE, contact=SENDER, preview=HOSTILE),
                "messages": (message,),
                "thread": thread,
                "revisions": (revision, revision.model_copy(update={"revision": 1})),
                "snippets": (
                    Snippet(source=SourceKind.THREAD, ref="r", title=HOSTILE, text=HOSTILE),
                    Snippet(source=SourceKind.CONTACT, ref="s", title=HOSTILE, text=HOSTILE),
                ),
                "recipients": (HOSTILE,),
                "recipient_reason": HOSTILE,
                "reply_preview": HOSTILE,
                "steps": (step,),
            }
        )
    }
    world.deliveries = {
        "d-1": invented.delivery(
            "d-1",
            DeliveryState.UNKNOWN,
            subject=HOSTILE,
            body=HOSTILE,
            response=HOSTILE,
            rcpt_to=(HOSTILE,),
        )
    }


@pytest.mark.parametrize(
    ("page", "state"),
    [
        ("review", {}),
        ("review", {"panel": "edit"}),
        ("inbox", {"message": "held-1"}),
        ("inbox", {"inbox-kind": "Conversations", "thread": "thread-1"}),
        ("quarantine", {"held": "held-1"}),
        ("outbox", {"delivery": "d-1"}),
        ("overview", {}),
    ],
)
def test_hostile_text_reaches_only_what_interprets_nothing(
    page: str, state: dict[str, object], window: Opener, world: World
) -> None:
    """Every other element, container and label of the page is free of it."""
    poison(world)
    app = window(page, **state)
    assert not app.exception
    leaked = [
        (entry.type, str(entry.proto)[:300])
        for entry in elements(app)
        if entry.type not in INTERPRETS_NOTHING and MARK in str(entry.proto)
    ]
    assert leaked == []
    if page != "overview":
        assert any(HOSTILE in words for words in texts(app)), "the words themselves are shown"


def test_hostile_text_in_a_notice_is_escaped(window: Opener, world: World) -> None:
    """A refusal that quotes mail is drawn as words."""
    world.refusals["/case-1"] = Refused(404, "NotFoundError", f"nothing under {HOSTILE}")
    app = window("review")
    assert says(app, "**bold**")
    assert all(MARK not in str(entry.proto) for entry in app.error)


def test_direction_tricks_are_seen(window: Opener, world: World) -> None:
    """A subject that turns itself around shows the character that does it."""
    world.cases = {
        "case-1": invented.case("case-1", item=invented.item("case-1", subject="a\u202egpj.exe"))
    }
    assert says(window("review"), "a‹U+202E›gpj.exe")


def test_the_components_script_sets_text_only() -> None:
    """What draws marked text has no way to make markup of it."""
    import ui.core.widgets

    folder = next(iter(ui.core.widgets.__path__))
    with open(f"{folder}/marked.js", encoding="utf-8") as script:  # noqa: PTH123
        source = script.read()
    assert "textContent" in source
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval", "fetch("):
        assert way not in source
