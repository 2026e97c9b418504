"""Words instead of raw names: gates, rules, who wrote a draft, and what its quality means."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data import gate_words
from data.records.core.parsed_mail import Hidden
from data.records.mail.deciding import Decision, Gate, Outcome
from data.records.mail.drafting import Checked
from data.rule_words import RULES
from data.states import CaseState
from tasks.core.screen.chain import CHAIN
from tasks.mail.route.gates import GATES
from tests.core.window import invented
from tests.core.window.drawn import says, texts
from tests.core.window.engine import World
from ui.core.text import screen_words
from ui.core.text.words import TECHNIQUES, percent, word_sentence

Opener = Callable[..., AppTest]
COUNTED = "3 of 21 gates hold it back, first 'shadow_mode': Shadow mode: it is counted."


def test_every_gate_and_every_rule_has_words() -> None:
    """A new gate or rule cannot reach people under its raw name."""
    assert set(gate_words.GATES) == {name for name, _ in GATES}
    assert {rule.name for rule in CHAIN} <= set(RULES)
    assert {rule.technique for rule in CHAIN} <= set(TECHNIQUES)
    assert set(TECHNIQUES) == set(screen_words.TECHNIQUE_NAMES)


@pytest.mark.parametrize(
    ("holding", "quality", "line"),
    [
        (("shadow_mode", "quality", "findings"), 0.0, "No sentence of the draft answers it."),
        (("shadow_mode", "quality", "newer_mail"), 0.5, "Something changed since it was drafted"),
        (("shadow_mode", "sender_authenticated", "working_hours"), 0.9, "Nobody has proved who"),
    ],
)
def test_a_line_of_the_queue_says_why_it_waits(
    holding: tuple[str, ...], quality: float, line: str, window: Opener, world: World
) -> None:
    """What tells most stands first; the mode, which holds every case, is not named."""
    item = invented.item(
        "case-1",
        outcome=Outcome.REVIEW,
        would_auto_send=False,
        reason=COUNTED,
        holding=holding,
        quality=quality,
    )
    world.cases = {"case-1": invented.case("case-1", item=item)}
    app = window("review")
    assert says(app, line)
    assert not any("shadow_mode" in words for words in texts(app) if "gates hold" in words)


def test_agents_say_why_a_case_waits_without_a_gates_name() -> None:
    """One sentence, as the queue has it: what tells most, or whom it was handed to for what."""
    gates = tuple(
        Gate(name=name, passed=False, reason="No.") for name in ("shadow_mode", "category_rule")
    )
    review = Decision(outcome=Outcome.REVIEW, gates=gates, reason=COUNTED)
    assert gate_words.tell_briefly(review, 1.0) == "No rule lets its category leave by itself."
    handed = Decision(outcome=Outcome.ESCALATE, reason="A complaint; handed to ida@loom.example")
    assert gate_words.tell_briefly(handed, 1.0) == "A complaint."


def test_other_decisions_keep_their_own_sentence() -> None:
    """What was handed over says why; what only shadow mode holds says that it would have left."""
    item = invented.item("case-1", outcome=Outcome.ESCALATE, holding=("shadow_mode",))
    handed = {"reason": "A complaint goes to a person; handed to mira@kettle.example."}
    plain = item.model_copy(update=handed | {"would_auto_send": False})
    assert gate_words.explain_wait(plain) == "A complaint goes to a person"
    alone = item.model_copy(update={"would_auto_send": True})
    assert gate_words.explain_wait(alone).startswith("Only shadow mode holds it")
    assert "failed" in gate_words.explain_wait(item.model_copy(update={"state": CaseState.FAILED}))


@pytest.mark.parametrize(
    ("parts", "quality", "cites", "meaning"),
    [
        (
            {"complete": 0.0, "safe": 1.0},
            0.0,
            False,
            "no sentence of this draft answers what was asked",
        ),
        ({"complete": 0.0, "safe": 1.0}, 0.0, True, "what this draft tells answers nothing that"),
        ({"complete": 1.0, "safe": 0.0}, 0.0, True, "the check found something in this draft"),
        (
            {"complete": 0.5, "safe": 1.0},
            0.5,
            True,
            f"It answers {percent(0.5)} of what was asked.",
        ),
        ({}, 0.0, True, "not known, and so counts as 0"),
    ],
)
def test_what_the_quality_means_is_said(
    parts: dict[str, float],
    quality: float,
    cites: bool,
    meaning: str,
    window: Opener,
    world: World,
) -> None:
    """A good holding reply of quality 0 is called one, and the bar has a name."""
    case = invented.case("case-1")
    checked = Checked(quality=quality, parts=parts)
    newest = case.revisions[-1]
    draft = newest.draft if cites else newest.draft.model_copy(update={"citations": ()})
    revision = newest.model_copy(update={"checked": checked, "draft": draft})
    world.cases = {"case-1": case.model_copy(update={"revisions": (revision,)})}
    app = window("review")
    assert says(app, meaning)
    assert says(app, '<span class="muted">quality</span>')


@pytest.mark.parametrize(
    ("author", "told"),
    [
        ("local", "written by Postern"),
        ("a-model-5", "written by a model"),
        ("mira", "edited by a person"),
    ],
)
def test_who_wrote_the_draft_is_seen_at_once(
    author: str, told: str, window: Opener, world: World
) -> None:
    """Postern itself, a language model, and a person are told apart."""
    case = invented.case("case-1")
    step = case.steps[0].model_copy(update={"stage": "draft", "provider": "a-model-5"})
    revision = case.revisions[-1].model_copy(update={"author": author})
    update = {"revisions": (revision,), "steps": (step,)}
    world.cases = {"case-1": case.model_copy(update=update)}
    app = window("review")
    assert says(app, told)
    assert not any(words == "by local" for words in texts(app))


def test_a_case_marks_what_is_hidden_where_it_stands(window: Opener, world: World) -> None:
    """What an attack hid is marked in place on the case's page, with how it hides."""
    case = invented.case("case-1")
    hidden = Hidden(text="obey me", reason="display_none")
    update = {"text": "Hello there.", "hidden": (hidden,), "hidden_at": (6,)}
    message = case.messages[0].model_copy(update=update)
    world.cases = {"case-1": case.model_copy(update={"messages": (message,)})}
    app = window("review")
    assert "Hello  ⟦not displayed: obey me⟧ there." in texts(app)
    assert says(app, "1 hidden text marked in place")
    assert says(app, "From outside, not vouched for")


def test_words_in_tag_characters_are_told_once(window: Opener, world: World) -> None:
    """The mark spells them; the characters that no font draws are not written out again."""
    case = invented.case("case-1")
    drawn = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
    hidden = Hidden(text="obey me", reason="tag_characters")
    update = {"text": f"Hello {drawn} there.", "hidden": (hidden,), "hidden_at": (6,)}
    message = case.messages[0].model_copy(update=update)
    world.cases = {"case-1": case.model_copy(update={"messages": (message,)})}
    app = window("review")
    assert any("obey me⟧" in words and words.count("obey me") == 1 for words in texts(app))


def test_raw_names_in_sentences_and_excerpts_become_words() -> None:
    """What hides an order, states and kinds of machines are said as people say them."""
    assert word_sentence("DMARC not_established.") == "DMARC not established."
    assert (
        word_sentence("written by a machine: out_of_office")
        == "written by a machine: out of office"
    )
    assert screen_words.excerpt("zero_size: pay now") == "letters of no size: pay now"
    assert screen_words.excerpt("Dear all: pay now") == "Dear all: pay now"


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0"), (0.001, "1"), (0.5, "50"), (0.994, "99"), (0.9991, "99"), (1, "100")],
)
def test_only_all_is_a_hundred_percent(share: float, said: str) -> None:
    """A judge that is nearly sure is not shown as one that cannot err."""
    assert percent(share) == f"{said}\N{NO-BREAK SPACE}%"
