"""Promises on the overview, and other drafts in the review."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.mail.drafting import Finding, Severity
from tests.core.window.drawn import button, keys, says, texts
from tests.core.window.engine import World
from tests.core.window.promising import promise, with_others
from ui.core.text.text_runs import annotate_body

Opener = Callable[..., AppTest]


def test_an_overdue_promise_is_shown_and_closed(window: Opener, world: World) -> None:
    """The overview shows what is overdue, inert; one press closes it and it is gone."""
    world.promises["promise-1"] = promise()
    app = window()
    assert says(app, "1 overdue")
    assert any("We will send the chain ring" in text for text in texts(app))
    button(app, "promise-done-promise-1").click().run()
    assert world.done("/promise-1/close") == [{"note": ""}]
    assert not says(app, "1 overdue")
    assert not app.exception


def test_another_draft_is_chosen(window: Opener, world: World) -> None:
    """An alternative stands beside the draft; choosing it names its kind and the version seen."""
    world.cases["case-1"] = with_others("case-1")
    app = window("review", case="case-1")
    assert any("A person has it now." in text for text in texts(app))
    button(app, "choose-hand_over").click().run()
    assert world.done("/case-1/choose") == [{"version": 3, "kind": "hand_over"}]
    assert "approve" in keys(app)
    assert not app.exception


def test_a_finding_marks_its_own_place() -> None:
    """The second of two equal words is marked when the finding points at it."""
    body = "Friday is fine. We come on friday."
    found = Finding(
        check="x", severity=Severity.HOLD, excerpt="friday", sentence="why", start=27, end=33
    )
    runs = annotate_body(body, (), (found,))
    assert [run.text for run in runs if run.mark == "hold"] == ["friday"]
    assert "".join(run.text for run in runs) == body
    assert runs[0].text == "Friday is fine. We come on "
