"""Ways to other cases, from a case and from a conversation."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.records.core.parsed_mail import Address
from data.records.mail.conversations import CaseLink
from data.states import CaseState
from tests.core.window.drawn import button, keys, says
from tests.core.window.engine import World
from tests.core.window.invented import now

Opener = Callable[..., AppTest]


def link(id: str, state: CaseState) -> CaseLink:
    """Return a case that is named elsewhere."""
    return CaseLink(
        id=id, version=3, state=state, subject="Chain", received_at=now(), thread_id="thread-1"
    )


def test_a_customers_other_cases_are_named_and_opened(window: Opener, world: World) -> None:
    """They stand in the tab of the sender."""
    other = link("case-2", CaseState.IN_REVIEW)
    case = world.cases["case-1"]
    world.cases["case-1"] = case.model_copy(update={"other_cases": (other,)})
    app = window("review")
    assert says(app, "1 more case of this customer")
    button(app, "to-other").click().run()
    assert app.session_state["case"] == "case-2"


def test_a_conversation_is_replied_to_and_written_to(window: Opener, world: World) -> None:
    """What waits is replied to in its case; what is answered is written to once more."""
    (id, thread), *_ = world.threads.items()
    session = {"inbox-kind": "Conversations", "thread": id}
    world.threads[id] = thread.model_copy(update={"cases": (link("case-1", CaseState.IN_REVIEW),)})
    app = window("inbox", **session)
    assert "thread-write" not in keys(app)
    button(app, "to-case-here").click().run()
    assert app.session_state["case"] == "case-1"
    world.threads[id] = thread.model_copy(update={"cases": (link("case-1", CaseState.SENT),)})
    app = window("inbox", **session)
    button(app, "thread-write").click().run()
    assert world.done("/case-1/again") == [{"version": 3}]
    assert app.session_state["case"] == "letter"


def test_cases_of_several_contacts_say_whose_each_is(window: Opener, world: World) -> None:
    """In a conversation of one contact the name is not said again."""
    (id, thread), *_ = world.threads.items()
    eve = Address(name="Eve Shrike", email="eve@shrike.test")
    case = link("case-1", CaseState.IN_REVIEW).model_copy(update={"contact": eve})
    session = {"inbox-kind": "Conversations", "thread": id}
    world.threads[id] = thread.model_copy(update={"cases": (case,), "contacts": ("a@b.example",)})
    assert not says(window("inbox", **session), "Eve Shrike: Chain")
    both = ("a@b.example", "eve@shrike.test")
    world.threads[id] = thread.model_copy(update={"cases": (case,), "contacts": both})
    assert says(window("inbox", **session), "Eve Shrike: Chain")
