"""Orders about what the machine's answer must hold."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="output_control",
    sentence="Dictates what the machine's answer or summary has to contain.",
    technique="output_control",
    layer=FilterLayer.INJECTION,
    severity=0.7,
    look=Combinations(
        Together(("shape", "response", "machine"), 0.6, 20, False, "about_ai", 0.2),
        Together(("shape", "every_answer", "link_word|target|phrase_word"), 0.42, 16),
        Together(("only_answer", "phrase_word"), 0.38, 8, False, "subscription", 0.3),
        Together(("shape", "response", "target"), 0.32, 20),
        Together(("must", "shape", "response"), 0.45, 14, False, "about_ai|subject_line", 0.25),
        Together(("condition", "shape", "response"), 0.5, 16),
        Together(("shape", "response", "instruction|override"), 0.5, 16),
        Together(("if_user_asks", "just_answer"), 0.5, 20, True),
        Together(("just_answer", "just_answer"), 0.36, 14),
        Together(("shape", "response"), 0.22, 8, True, "about_ai|subject_line|viewing", 0.3),
        Together(("mark_as", "good_mark"), 0.36, 8, True, "about_ai|subscription"),
        Together(("own_text", "assert_it"), 0.38, 10, False, "about_ai|report"),
        Together(("end_with",), 0.3, 8, False, "about_ai|subscription"),
        Together(("end_with", "phrase_word|target|assert_it"), 0.42, 14, True, "about_ai"),
        Together(("output_only",), 0.3, 5, False, "about_ai|topic"),
    ),
)
