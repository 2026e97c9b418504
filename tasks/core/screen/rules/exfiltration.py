"""Orders to carry data out, and to use tools for it."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="exfiltration",
    sentence="Orders the machine to send private data somewhere.",
    technique="exfiltration",
    layer=FilterLayer.INJECTION,
    severity=0.9,
    look=Combinations(
        Together(("exfiltrate", "secret", "target", "conceal"), 0.85, 45),
        Together(("exfiltrate", "secret", "conceal"), 0.7, 30),
        Together(("exfiltrate", "secret", "machine"), 0.65, 20),
        Together(("exfiltrate", "secret", "carrier"), 0.5, 25, True),
        Together(("exfiltrate", "response", "carrier"), 0.5, 20),
        Together(("exfiltrate", "secret", "target"), 0.32, 16, True),
        Together(("exfiltrate", "hoard", "target"), 0.4, 16),
        Together(("exfiltrate", "hoard", "response"), 0.42, 14),
        Together(("gather", "hoard|secret", "exfiltrate", "target"), 0.5, 22),
        Together(("exfiltrate", "target", "conceal"), 0.5, 25),
        Together(
            ("exfiltrate|leak|shape|gather", "hoard|secret", "of_user"),
            0.45,
            14,
            False,
            "topic|about_ai",
        ),
    ),
)
