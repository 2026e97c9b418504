"""Requests to say what the machine was told in secret."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="prompt_leak",
    sentence="Asks for the machine's own instructions.",
    technique="prompt_leak",
    layer=FilterLayer.INJECTION,
    severity=0.85,
    look=Combinations(
        Together(("leak", "prompt_object"), 0.65, 8, True, "notion", 0.3),
        Together(("leak", "prompt_object", "machine|must|override"), 0.7, 25, False, "notion", 0.3),
        Together(("leak", "own_rules", "machine|freedom|task_switch"), 0.7, 25),
        Together(("leak", "own_rules", "verbatim"), 0.65, 20),
        Together(("leak", "own_rules"), 0.37, 6, True, "topic|correspondence", 0.6, led_on="goods"),
        Together(("leak", "own_rules"), 0.5, 6, True, "topic|correspondence", 0.6, "in_full"),
        Together(("whole_question",), 0.42, 9, False, "topic|correspondence"),
        Together(("prompt_object", "leak_last"), 0.6, 8, True, "notion", 0.3),
        Together(("own_rules", "leak_last"), 0.42, 5, True, "topic|correspondence"),
        Together(("leak", "instruction", "machine"), 0.2, 10, True),
        Together(("prompt_object", "leak"), 0.3, 8, True, "notion", 0.3),
        Together(("leak", "instruction", "given_rules"), 0.6, 14),
        Together(("instruction", "given_rules"), 0.3, 7),
        Together(("secret_kept|guarded", "spell_out"), 0.6, 14),
        Together(("leak", "secret_kept"), 0.32, 8, False, "subscription|account", 0.4),
        Together(("guarded|secret_kept", "machine|assistant|override|conceal"), 0.3, 20),
        Together(("secret_kept",), 0.12, 1),
        Together(("leak", "above_text", "verbatim"), 0.5, 14),
        Together(("leak", "above_text", "prompt_object|own_rules|machine"), 0.6, 20),
        Together(("above_text", "verbatim|in_full", "leak_last"), 0.5, 10, True),
        Together(("leak", "above_text"), 0.12, 6, True),
        Together(("leak", "given_rules"), 0.4, 8, True, "topic|correspondence"),
        Together(("pass_word", "spell_game"), 0.3, 12, False, "subscription"),
        Together(("pass_word", "you_guard"), 0.45, 8),
    ),
)
