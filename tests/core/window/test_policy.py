"""The policy in the window, over the real engine: dials, evidence, warnings, versions."""

from collections.abc import Callable
from datetime import time

from streamlit.testing.v1 import AppTest

from data.records.core.organization import ServiceLevel
from data.records.core.understanding import Priority
from tests.core.small import POLICY
from tests.core.window.drawn import button, keys, says
from tests.core.window.real_engine import Engine, engine, window
from ui.core.pages import page_file

__all__ = ["engine", "window"]

Opener = Callable[..., AppTest]


def notes(app: AppTest) -> str:
    """Return the small print of the page."""
    said = " ".join(str(one.value) for one in app.caption)
    return said.replace("\\", "").replace("\u2060", "")


def test_a_dial_is_moved_warned_of_saved_and_taken_back(engine: Engine, window: Opener) -> None:
    """Nothing counts before it is saved; each saving is a version with its difference."""
    app = window("policy")
    assert not app.exception
    assert "Kept in the file policy.yaml" in notes(app)
    assert "Nobody has decided on a draft about this yet." in notes(app)
    assert "policy-save-dials" not in keys(app)
    app.segmented_control(key="dial-who-support-all-1").set_value("alone").run()
    assert not app.exception
    assert says(app, "Support: nobody has decided yet on a draft that this would have let go")
    assert button(app, "policy-save-dials").disabled
    assert not any(rule.auto_send for rule in engine.line.workspace.policy.autonomy_rules)
    app.checkbox(key="policy-knowing-dials-1").check().run()
    app.text_input(key="policy-why-dials-1").set_value("a try").run()
    button(app, "policy-save-dials").click().run()
    assert not app.exception
    (rule,) = [one for one in engine.line.workspace.policy.autonomy_rules if one.auto_send]
    assert (rule.category, rule.intent, rule.threshold) == ("support", None, None)
    assert "Kept here; the file policy.yaml does not count." in notes(app)
    app.slider(key="dial-quality-support-all-2").set_value(95).run()
    assert not app.warning
    button(app, "policy-save-dials").click().run()
    (rule,) = [one for one in engine.line.workspace.policy.autonomy_rules if one.auto_send]
    assert rule.threshold == 0.95
    app.session_state["policy-version-1"] = True
    app.run()
    assert not app.exception


def test_a_single_dial_goes_back_to_its_default(engine: Engine, window: Opener) -> None:
    """The way back stands beside what was set, and counts once it is saved."""
    app = window("policy")
    app.segmented_control(key="dial-who-support-all-1").set_value("alone").run()
    app.slider(key="policy-quality-1").set_value(70).run()
    app.checkbox(key="policy-knowing-dials-1").check().run()
    button(app, "policy-save-dials").click().run()
    before = engine.line.workspace.policy
    assert before.confidence_threshold == 0.7
    button(app, "default-dial-support-all-2").click().run()
    assert not app.exception
    button(app, "default-confidence_threshold-2").click().run()
    assert app.slider(key="policy-quality-2-confidence_threshold").value == 85
    assert engine.line.workspace.policy == before, "nothing counts before it is saved"
    button(app, "policy-save-dials").click().run()
    assert not app.exception
    after = engine.line.workspace.policy
    assert after.confidence_threshold == 0.85
    assert len(after.autonomy_rules) == len(before.autonomy_rules) - 1
    assert "support" not in [rule.category for rule in after.autonomy_rules]
    assert "default-dial-support-all-3" not in keys(app), "nothing is set there"
    assert "confidence_threshold" not in app.text_area(key="policy-text-3").value


def test_the_working_week_differs_by_weekday(engine: Engine, window: Opener) -> None:
    """A short Friday is a form; without hours again every hour counts."""
    app = window("policy")
    app.toggle(key="week-limited-1").set_value(True).run()
    app.time_input(key="week-until-5-1").set_value(time(8)).run()
    assert "A day ends before it begins" in notes(app)
    app.time_input(key="week-until-5-1").set_value(time(13)).run()
    button(app, "policy-save-week").click().run()
    assert not app.exception
    hours = engine.line.workspace.policy.working_hours
    assert hours is not None
    assert (hours.days, hours.span_of(4), hours.span_of(5)) == (
        (1, 2, 3, 4, 5), ("09:00", "17:00"), ("09:00", "13:00"),
    )  # fmt: skip
    app.checkbox(key="week-day-6-2").check().run()
    button(app, "policy-save-week").click().run()
    assert engine.line.workspace.policy.working_hours.days == (1, 2, 3, 4, 5, 6)
    app.toggle(key="week-limited-3").set_value(False).run()
    button(app, "policy-save-week").click().run()
    assert engine.line.workspace.policy.working_hours is None


def test_service_levels_and_planted_faults_are_forms(engine: Engine, window: Opener) -> None:
    """A narrow level goes before the wide one; one without hours is taken out."""
    app = window("policy")
    app.number_input(key="level-first-new-1").set_value(16.0).run()
    button(app, "policy-save-levels").click().run()
    assert not app.exception
    app.selectbox(key="level-urgency-2").select("urgent").run()
    app.number_input(key="level-first-new-2").set_value(2.0).run()
    app.number_input(key="level-whole-0-2").set_value(40.0).run()
    button(app, "policy-save-levels").click().run()
    assert engine.line.workspace.policy.service_levels == (
        ServiceLevel(priority=Priority.URGENT, first_answer_hours=2),
        ServiceLevel(first_answer_hours=16, resolution_hours=40),
    )
    app.number_input(key="level-first-0-3").set_value(0.0).run()
    button(app, "policy-save-levels").click().run()
    assert [one.priority for one in engine.line.workspace.policy.service_levels] == [None]
    app.slider(key="planted-4").set_value(3).run()
    button(app, "policy-save-planted").click().run()
    assert not app.exception
    assert engine.line.workspace.policy.planted_a_week == 3


def test_a_key_goes_back_to_its_default(engine: Engine, window: Opener) -> None:
    """What is chosen is said no longer, everything else stays, and it is one more version."""
    app = window("policy")
    before = app.text_area(key="policy-text-1").value
    assert "undo_seconds: 0\n" in before
    app.multiselect(key="policy-default-keys-1").select("undo_seconds").run()
    assert not app.exception
    button(app, "policy-save-default").click().run()
    assert not app.exception
    assert engine.line.workspace.policy.undo_seconds == 15
    written = app.text_area(key="policy-text-2").value
    assert written == before.replace("undo_seconds: 0\n", "")


def test_a_text_that_cannot_be_used_says_why_and_changes_nothing(
    engine: Engine, window: Opener
) -> None:
    """The button is not there before it can."""
    app = window("policy")
    app.text_area(key="policy-text-1").set_value("modus: live").run()
    assert not app.exception
    assert says(app, "key 'modus' is not known; write 'mode' or remove it")
    assert "policy-save-text" not in keys(app)
    app.text_area(key="policy-text-1").set_value(POLICY + "reply_to_all: true\n").run()
    button(app, "policy-save-text").click().run()
    assert engine.line.workspace.policy.reply_to_all


def test_what_people_said_stands_beside_the_dial(engine: Engine, window: Opener) -> None:
    """A draft that something else held is counted, and not as one that would have left."""
    engine.receive("When is the workshop open?")
    app = window("review")
    button(app, "approve").click().run()
    app.switch_page(page_file("policy")).run()
    assert not app.exception
    assert says(app, "1 draft")
    app.slider(key="dial-quality-support-all-1").set_value(0).run()
    assert "none would have left. 1 reaches this quality and would have been held all the" in notes(
        app
    )
    assert "The sender is not authenticated: DMARC not established." in notes(app)
