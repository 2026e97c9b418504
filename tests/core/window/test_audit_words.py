"""The audit log in sentences."""

import re
from pathlib import Path

import pytest

import flows
from data.records.core.audit_views import AuditView
from tests.core.window import invented
from ui.core.text.audit_words import ACTIONS, place, tell_action, tell_detail


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("approve", "approved a reply"),
        ("stop sending", "stopped all sending"),
        ("forward retry", "had a message forwarded again"),
        ("forward-cancel", "gave a forward up"),
        ("forward-undo", "took the giving up of a forward back"),
        ("undo_training", "took what the classifier had learned back"),
        ("undo merge of conversations", "took a merge of conversations back"),
        ("something-new", "something new"),
    ],
)
def test_an_event_is_a_sentence(action: str, sentence: str) -> None:
    """Names of the engine become words, one that nobody has named yet its own words."""
    assert tell_action(action) == sentence


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ('version 1: invoices: archive {"senders":[]}', "version 1: invoices: archive"),
        ("wrong_fact the price is old", "Wrong fact the price is old"),
        ("confirm", "it was: confirmed a threat"),
        ("sha256 0123456789abcdef", "the text with the fingerprint 0123456789ab…"),
        ("approval 01m8, sha256 0123456789abcdef", "the text with the fingerprint 0123456789ab…"),
        (
            "person: null reverse-path ada@quill.example",
            "mail of ada@quill.example that bears “null reverse-path”: a person's",
        ),
        ("of ada@quill.example; change 01m811", "of ada@quill.example"),
        ("domain bright.example", "domain bright.example"),
    ],
)
def test_a_detail_is_what_people_want_to_know(detail: str, told: str) -> None:
    """What only programs read is left out, reasons are words."""
    assert tell_detail(detail) == told


def test_an_event_leads_to_what_it_was_about() -> None:
    """Cases, messages, deliveries and conversations have a page; the kill switch has none."""
    event = AuditView(
        sequence=1, at=invented.now(), actor="ada", action="approve", subject="case:c-1", detail=""
    )
    assert place(event) == ("review", "case", "c-1")
    assert place(event.model_copy(update={"subject": "delivery:all"})) is None
    assert place(event.model_copy(update={"subject": "rule-1"})) is None


def test_everything_that_the_engine_notes_has_words() -> None:
    """Each name of an action in the engine's code is a sentence here."""
    named = re.compile(
        r'(?:action ?= ?|_audit\(\w+, [\w.]+, |_audit\(\w+, "\w+", |act\.note\('
        r'|note(?:_decision)?\(act, )"([a-z_ -]+)"'
    )
    folder = Path(flows.__file__).parent
    found = {
        name
        for file in folder.rglob("*.py")
        for name in named.findall(file.read_text(encoding="utf-8"))
    }
    assert len(found) > 20
    raw = {name.replace("_", "-").replace(" ", "-") for name in found}
    assert raw - set(ACTIONS) == set()


def test_what_was_done_with_an_agent_names_it() -> None:
    """Its version is a number; the hash behind it says nothing to a person."""
    assert tell_detail("1.0.0+be5d767922d0", "agent:desk") == "desk, version 1.0.0"
    assert tell_detail("", "agent:desk") == "desk"
