"""What the window says, where it once said something else than what was so."""

from collections.abc import Callable
from datetime import UTC, datetime

from streamlit.testing.v1 import AppTest

from data.gate_words import explain_decision
from data.records.core.citations import Citation
from data.records.mail.deciding import Decision, Gate, Outcome
from data.records.mail.drafting import AccountedSentence, Checked, Disposition, Draft
from data.records.mail.passing_on import Purpose
from data.states import MessageStatus
from tests.core.window import invented
from tests.core.window.drawn import button, lines, says, texts
from tests.core.window.engine import World
from tests.core.window.fixtures import Served
from tests.core.window.opening import APP
from ui.core import people
from ui.core.chips import make_muted
from ui.core.text.words import language, word
from ui.mail.widgets.letter.quality import explain_quality

Opener = Callable[..., AppTest]


def test_a_wrong_token_is_called_one(served: Served) -> None:
    """Nobody whose sign-in has not begun is told that it has ended."""
    app = AppTest.from_file(str(APP), default_timeout=90)
    app.query_params["token"] = "pst_nonsense"
    app.run()
    assert says(app, "This token is not known here.")
    assert not says(app, "has ended")


def test_nothing_is_said_to_leave_while_sending_is_stopped(window: Opener, world: World) -> None:
    """The bar of an approval does not count down to what will not happen."""
    world.stopped = True
    app = window("review")
    button(app, "approve").click().run()
    assert says(app, "Sending is stopped: it waits.")
    assert not says(app, "Leaves in")


def test_a_case_that_was_given_away_is_handed_over(window: Opener, world: World) -> None:
    """It stands under Handed over and no longer under Unassigned."""
    app = window("review")
    button(app, "panel-reassign").click().run()
    app.selectbox(key="assignee-case-1").select("jonas@kettle.example").run()
    button(app, "reassign-now").click().run()
    app.session_state["filter-state"] = "escalated"
    app.run()
    assert [line["id"] for line in lines(app)] == ["case-1"]
    app.session_state["filter-state"] = "in_review"
    app.run()
    assert [line["id"] for line in lines(app)] == ["case-2", "case-3"]


def test_what_was_passed_on_has_a_list_of_its_own(window: Opener, world: World) -> None:
    """Replies, what went to colleagues and what goes to programs are told apart."""
    world.deliveries["d-1"] = invented.delivery("d-1")
    passed = invented.delivery("d-2").model_copy(update={"purpose": Purpose.FORWARD})
    world.deliveries["d-2"] = passed
    for what, ids in (("replies", ["d-1"]), ("passed_on", ["d-2"]), ("programs", [])):
        app = window("outbox", **{"outbox-what": what})
        assert [line["id"] for line in lines(app)] == ids


def test_times_are_those_of_the_organization(window: Opener, world: World) -> None:
    """A company in Auckland reads when it was there, wherever the browser says it is."""
    (known,) = world.me.organizations
    there = known.model_copy(update={"timezone": "Pacific/Auckland"})
    world.me = world.me.model_copy(update={"organizations": (there,)})
    at = datetime(2026, 3, 2, 21, 0, tzinfo=UTC)
    world.messages = {"news-1": world.messages["news-1"].model_copy(update={"received_at": at})}
    app = window("inbox")
    (piece,) = lines(app)[0]["when"]
    assert piece["note"].startswith("Tue 3 Mar 2026, 10:00:00")


def test_the_first_steps_stay_until_they_are_done(window: Opener, world: World) -> None:
    """Mail alone is not enough: without knowledge a draft says nothing."""
    assert says(window("overview"), "First steps")


def test_an_unanswered_question_is_told_once(window: Opener, world: World) -> None:
    """What a finding names is not named again below it."""
    app = window("review")
    case = world.cases["case-1"]
    newest = case.revisions[-1]
    question = "Do you deliver on Sundays?"
    assert newest.checked is not None
    finding = newest.checked.findings[0].model_copy(
        update={"excerpt": question, "sentence": "The draft does not answer this.", "start": -1}
    )
    checked = newest.checked.model_copy(update={"findings": (finding,)})
    draft = newest.draft.model_copy(update={"unanswered": (question,)})
    told = newest.model_copy(update={"draft": draft, "checked": checked})
    world.cases["case-1"] = case.model_copy(update={"revisions": (told,), "version": 9})
    app = window("review")
    assert sum(question in words for words in texts(app)) == 1


def test_a_case_that_is_decided_on_waits_for_nobody() -> None:
    """Why it waited is told in the past once somebody has decided."""
    gates = tuple(Gate(name=name, passed=False, reason="no") for name in ("shadow_mode", "quality"))
    decision = Decision(outcome=Outcome.REVIEW, gates=gates, reason="2 of 20 gates hold it back: …")
    assert explain_decision(decision, 0.4, waits=True).startswith("It waits for you: ")
    assert explain_decision(decision, 0.4, waits=False).startswith("It waited for a person: ")


def test_a_draft_that_tells_something_else_is_not_said_to_tell_nothing() -> None:
    """With quality 0, what it says decides whether it only says that the mail has come."""
    checked = Checked(parts={"complete": 0.0, "grounded": 1.0, "tone": 1.0, "safe": 1.0})
    draft = Draft(subject="Re: sound", body="Hello.", language="en")
    cited = draft.model_copy(
        update={"citations": (Citation(sentence="No sound?", ref="knowledge:sound"),)}
    )
    assert "only says that the mail has come" in explain_quality(checked, draft)
    assert "only says" not in explain_quality(checked, cited)
    assert "answers nothing that was asked" in explain_quality(checked, cited)


def test_what_stands_out_follows_the_quality(window: Opener, world: World) -> None:
    """A draft that answers nothing is to be written anew, not sent with the key that leaps out."""
    assert _looks(window("review")) == {"approve": "primary", "panel-edit": "secondary"}
    case = world.cases["case-1"]
    nothing = case.item.model_copy(update={"quality": 0.0})
    world.cases["case-1"] = case.model_copy(update={"item": nothing})
    assert _looks(window("review")) == {"approve": "secondary", "panel-edit": "primary"}


def _looks(app: AppTest) -> dict[str, str]:
    return {key: button(app, key).proto.type for key in ("approve", "panel-edit")}


def test_nobody_is_proposed_to_give_a_case_to(window: Opener, world: World) -> None:
    """Who stands first in the list of people gets no case by one key too many."""
    app = window("review")
    button(app, "panel-reassign").click().run()
    assert app.selectbox(key="assignee-case-1").value is None
    assert button(app, "reassign-now").disabled
    app.selectbox(key="assignee-case-1").select("jonas@kettle.example").run()
    assert not button(app, "reassign-now").disabled


def test_another_list_of_the_outbox_puts_away_what_was_open(window: Opener, world: World) -> None:
    """What went to a colleague does not stand beside a reply that was looked at before."""
    world.deliveries["d-1"] = invented.delivery("d-1")
    app = window("outbox", delivery="d-1")
    assert not says(app, "Nothing is open.")
    app.segmented_control(key="outbox-what").set_value("passed_on").run()
    assert says(app, "Nothing is open.")


def test_what_a_long_letter_asks_does_not_push_all_else_away(window: Opener, world: World) -> None:
    """Of what is not dealt with eight pieces are listed; the others stand where all do."""
    asked = tuple(
        AccountedSentence(text=f"What does number {number} cost?", disposition=Disposition.OPEN)
        for number in range(20)
    )
    (revision,) = invented.case("case-1").revisions
    checked = invented.CHECKED.model_copy(update={"accounts": asked})
    world.cases["case-1"] = invented.case(
        "case-1", revisions=(revision.model_copy(update={"checked": checked}),)
    )
    app = window("review")
    assert says(app, "And 12 other pieces of the mail; each is named below.")
    assert says(app, "What does number 19 cost?")


def test_a_colleague_is_named_where_the_address_is_whole() -> None:
    """Not where it is a part of somebody else's."""
    given = "given to an@kettle.example. It was with jan@kettle.example, an@kettle.example.org"
    assert people._put_name(given, "an@kettle.example", "An") == (
        "given to An. It was with jan@kettle.example, an@kettle.example.org"
    )
    assert people._put_name("'an@kettle.example'!", "an@kettle.example", "An") == "'An'!"


def test_quiet_words_that_are_none_take_no_line() -> None:
    """A case that is back has nothing to say of it where a person brought it back."""
    assert not make_muted("")
    assert "put off" in make_muted("put off")


def test_languages_that_mail_comes_in_have_names() -> None:
    """Also those that nobody here writes in."""
    assert [language(code) for code in ("he", "ar", "pl")] == ["Hebrew", "Arabic", "Polish"]


def test_where_a_message_is_stands_in_words_of_people() -> None:
    """No status of a list is called as the engine calls it."""
    named = {word(status) for status in MessageStatus}
    assert not named & {"threaded", "classified", "stored", "processing", "escalated"}
    assert len(named) == len(MessageStatus)
