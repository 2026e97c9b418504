"""Orders to become somebody who has no rules."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="persona",
    sentence="Asks the machine to play somebody without rules, or to enter a special mode.",
    technique="persona",
    layer=FilterLayer.INJECTION,
    severity=0.9,
    look=Combinations(
        Together(("persona", "freedom", "machine"), 0.85, 30),
        Together(("persona", "freedom"), 0.7, 15),
        Together(("freedom", "machine", "must"), 0.65, 25),
        Together(("freedom", "machine"), 0.4, 12),
        Together(("persona", "machine", "must"), 0.4, 18, False, "about_ai"),
        Together(("persona", "machine"), 0.4, 5, True, "about_ai"),
        Together(("persona", "instruction", "must"), 0.35, 15, False, "about_ai"),
        Together(("assign_role", "machine|freedom|instruction|response"), 0.6, 30),
        Together(("assign_role", "shape|must|leak"), 0.32, 30),
        Together(("assign_surely",), 0.3, 2, False, "about_ai"),
        Together(("assign_role",), 0.12, 2),
        Together(("left_work", "obey_me"), 0.5, 16),
        Together(("left_work",), 0.45, 6, beside="obey_me"),
        Together(("reset_self", "obey_me|task_switch|persona|true_task"), 0.5, 16),
        Together(("role_end",), 0.42, 1),
        Together(("role_end", "must|shape|freedom|machine|persona|leak"), 0.65, 20),
        Together(("mode_word", "machine|freedom|task_switch|answer_verb|assign_role"), 0.5, 12),
        Together(("mode_word",), 0.12, 1),
        Together(("wild_mode",), 0.4, 1),
        Together(("fiction", "machine|freedom"), 0.5, 30),
        Together(("fiction", "fiction"), 0.4, 40),
        Together(("be_somebody", "for_session"), 0.42, 12),
        Together(("be_somebody", "freedom"), 0.6, 20),
        Together(("assign_role|persona", "for_session"), 0.42, 14, False, "preference"),
        Together(("two_answers", "persona|freedom|be_somebody|refusal"), 0.42, 24),
        Together(("dead_relative", "persona|be_somebody|assign_role"), 0.42, 20),
        Together(("persona|assign_role", "what_now"), 0.38, 22, True),
    ),
)
