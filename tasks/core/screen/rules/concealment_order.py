"""Orders to do something behind the user's back."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="concealment_order",
    sentence="Orders the machine to keep something from its user.",
    technique="direct_injection",
    layer=FilterLayer.INJECTION,
    severity=0.75,
    look=Combinations(
        Together(("conceal", "person", "machine"), 0.7, 25),
        Together(("conceal", "person", "exfiltrate"), 0.32, 20, False, "addressee"),
        Together(("conceal", "person", "instruction|response"), 0.5, 14, False, "addressee"),
        Together(("conceal", "instruction", "response"), 0.5, 20),
        Together(("conceal", "person"), 0.35, 4, True, "addressee|between_people"),
        Together(("conceal", "this_line"), 0.45, 10, False, "about_ai|report"),
        Together(("conceal", "user"), 0.37, 5),
        Together(("say", "user", "nothing"), 0.37, 5),
        Together(("conceal", "instruction"), 0.36, 4, True, "topic|correspondence"),
    ),
)
