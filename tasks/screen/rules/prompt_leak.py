"""Requests to say what the machine was told in secret."""

from data.records.screening import Layer
from tasks.screen.combinations import Combinations, Together
from tasks.screen.rule import Rule

RULE = Rule(
    name="prompt_leak",
    sentence="Asks for the machine's own instructions.",
    technique="prompt_leak",
    layer=Layer.INJECTION,
    severity=0.85,
    look=Combinations(
        Together(("leak", "prompt_object"), 0.65, 8, True, "notion", 0.3),
        Together(("leak", "prompt_object", "machine|must|override"), 0.7, 25, False, "notion", 0.3),
        Together(("leak", "own_rules", "machine|freedom|task_switch"), 0.7, 25),
        Together(("leak", "own_rules", "verbatim"), 0.65, 20),
        Together(("leak", "own_rules"), 0.3, 6, True),
        Together(("leak", "instruction", "machine"), 0.2, 10, True),
        Together(("prompt_object", "leak"), 0.3, 8, True, "notion", 0.3),
        Together(("leak", "instruction", "given_rules"), 0.6, 14),
        Together(("instruction", "given_rules"), 0.3, 7),
        Together(("secret_kept", "spell_out"), 0.6, 14),
        Together(("leak", "secret_kept"), 0.32, 8, False, "subscription|account", 0.4),
        Together(("secret_kept",), 0.15, 1),
    ),
)
