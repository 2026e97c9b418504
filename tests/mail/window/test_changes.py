"""What is told of a case that has moved on while it was open."""

from typing import Any

import pytest

from data.states import CaseState
from tests.core.window import invented
from ui.mail.deciding.changes import TAKEN_OVER, changes

CASE = invented.case("case-1")
FRESH = CASE.messages[0].model_copy(update={"id": "later", "subject": "One more thing"})
DRAFT = CASE.revisions[-1].model_copy(update={"author": "mira", "revision": 7})


@pytest.mark.parametrize(
    ("update", "told"),
    [
        ({"messages": (*CASE.messages, FRESH)}, "New in this case: “One more thing”."),
        ({"state": CaseState.RUNNING}, "It is being worked on again; a new draft follows."),
        ({"state": CaseState.APPROVED}, "It was in review, and is approved now."),
        ({"state": CaseState.SUPERSEDED}, TAKEN_OVER),
        ({"revisions": (*CASE.revisions, DRAFT)}, "There is a newer draft, by mira."),
        (
            {"item": CASE.item.model_copy(update={"assignee": "mira@kettle.example"})},
            "It was given to mira@kettle.example.",
        ),
        ({"version": CASE.version + 1}, "Something about it was changed."),
    ],
)
def test_each_change_is_one_sentence(update: dict[str, Any], told: str) -> None:
    """New mail, another state, another draft, other people: each is named."""
    assert told in changes(CASE, CASE.model_copy(update=update))
