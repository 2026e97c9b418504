"""Orders never to say no, and how to begin the answer."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="refusal_suppression",
    sentence="Forbids the machine to refuse, to warn or to apologize.",
    technique="refusal_suppression",
    layer=FilterLayer.INJECTION,
    severity=0.7,
    look=Combinations(
        Together(("refusal", "machine"), 0.55, 20),
        Together(("refusal", "freedom"), 0.55, 30),
        Together(("refusal", "response"), 0.35, 12, False, "caveat", 0.6),
        Together(("refusal", "instruction|prompt_object|own_rules"), 0.35, 12, False, "caveat"),
        Together(("refusal", "refusal"), 0.36, 30, False, "caveat", 0.6),
        Together(("open_with", "yes_opening"), 0.5, 8),
        Together(("refusal", "response|every_answer"), 0.36, 12),
        Together(("refusal", "answer_verb|yes_opening"), 0.36, 14, True),
        Together(("if_not", "threat"), 0.42, 12),
        Together(("no_refusing",), 0.3, 8, False, "caveat"),
    ),
)
