"""Requests to log in or to confirm an account, under pressure."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="credential_request",
    sentence="Presses the reader to log in or to confirm an account.",
    technique="phishing",
    layer=FilterLayer.CONTENT,
    severity=0.6,
    look=Combinations(
        Together(("confirm", "account", "pressure", "target"), 0.55, 45),
        Together(("confirm", "account", "pressure"), 0.5, 35),
        Together(("confirm", "account", "target"), 0.3, 25),
        Together(("account", "pressure"), 0.25, 12),
        Together(("hand_over", "codes", "just_sent"), 0.5, 20, without="never_hand", weakened=0.3),
        Together(("gift", "pay|must|exfiltrate"), 0.3, 25),
    ),
)
