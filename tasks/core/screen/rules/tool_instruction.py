"""Orders to use the tools an agent has."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="tool_instruction",
    sentence="Orders the machine to call a tool or run a command.",
    technique="tool_instruction",
    layer=FilterLayer.INJECTION,
    severity=0.8,
    look=Combinations(
        Together(("tool", "exfiltrate", "secret"), 0.6, 25),
        Together(("tool", "machine", "must"), 0.6, 20),
        Together(("tool", "override"), 0.25, 15),
        Together(("tool", "conceal", "must|machine|exfiltrate|secret|target"), 0.5, 20),
        Together(("tool", "conceal"), 0.2, 20),
        Together(("tool", "exfiltrate", "target"), 0.45, 20, False, "subscription", 0.3),
        Together(("exfiltrate", "target", "mail_form"), 0.36, 25, False, "subscription", 0.1),
        Together(("user_claim", "tool", "must|machine"), 0.5, 20),
        Together(("user_claim", "tool"), 0.2, 20, False, "about_ai|topic|correspondence"),
        Together(("tool", "machine"), 0.3, 10, False, "about_ai"),
        Together(("call_it", "tool_call", "exfiltrate|erase|hoard|target"), 0.45, 16),
        Together(("erase", "hoard", "secret|hoard"), 0.38, 10),
        Together(("call_it", "tool_call", "obey_it|must|conceal|machine"), 0.4, 16),
        Together(("mail_rule", "erase|exfiltrate"), 0.36, 14, True, "about_ai|topic"),
        Together(("your_tool",), 0.34, 6, False, "about_ai|topic|correspondence"),
        Together(("your_tool", "exfiltrate|erase|hoard|target|conceal|secret"), 0.5, 20),
    ),
)
