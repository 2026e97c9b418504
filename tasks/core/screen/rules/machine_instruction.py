"""Sentences that turn to the reading machine and give it orders."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="machine_instruction",
    sentence="Speaks to the machine that reads the mail, not to the person it was sent to.",
    technique="direct_injection",
    layer=FilterLayer.INJECTION,
    severity=0.85,
    look=Combinations(
        Together(("address", "machine", "must"), 0.4, 14, False, "about_ai", 0.3),
        Together(("address", "machine", "instruction"), 0.6, 10, False, "about_ai"),
        Together(("if_you_are", "automaton"), 0.4, 3, True, "about_ai"),
        Together(("if_you_are", "automaton", "grant|diversion|leak|override"), 0.6, 14),
        Together(("address", "automaton", "grant"), 0.5, 10, True, "about_ai"),
        Together(("automaton|assistant", "reads_mail"), 0.4, 4, True, "about_ai"),
        Together(("automaton|assistant", "reads_mail", "grant|must"), 0.5, 12, True, "about_ai"),
        Together(("address|meant_for", "machine_reader"), 0.4, 4, True, "about_ai|report"),
        Together(
            ("address|meant_for", "machine_reader", "grant|override|shape|verdict"),
            0.5,
            16,
            True,
            "about_ai|report",
        ),
        Together(("unseen_by_people",), 0.3, 6, False, "about_ai|report"),
        Together(
            ("unseen_by_people",),
            0.45,
            8,
            False,
            "about_ai|report",
            beside="exfiltrate|leak|must|grant",
        ),
        Together(
            ("unseen_by_people", "machine_reader|automaton"), 0.55, 12, False, "about_ai|report"
        ),
        Together(("condition", "machine", "must|shape|exfiltrate|override|leak"), 0.75, 16),
        Together(
            ("condition", "response", "must|shape|exfiltrate|leak"),
            0.3,
            12,
            without="addressee|viewing",
        ),
        Together(
            ("condition", "person", "must|shape|exfiltrate|leak"),
            0.12,
            12,
            without="addressee|viewing",
        ),
        Together(("machine", "must", "exfiltrate|shape|leak"), 0.4, 12, True, "about_ai", 0.3),
        Together(("address", "assistant", "instruction", "must"), 0.25, 14),
        Together(
            ("address", "assistant", "exfiltrate", "secret"), 0.55, 20, True, "correspondence"
        ),
        Together(("user_claim", "exfiltrate", "target|secret"), 0.55, 25),
        Together(("user_claim", "must", "exfiltrate|leak|shape|override"), 0.42, 16),
        Together(("user_claim", "machine|task_switch|response"), 0.4, 14),
        Together(("address", "machine", "exfiltrate|shape|leak"), 0.35, 8, True, "about_ai"),
        Together(("if_processed", "automaton|machine_reader"), 0.42, 10, False, "about_ai|report"),
        Together(("turn_to_bot",), 0.34, 4, False, "about_ai|report", led_on="question"),
        Together(
            ("turn_to_bot", "shape|leak|exfiltrate|grant|must|override"), 0.5, 20, led_on="question"
        ),
        Together(("remember", "for_session"), 0.42, 12, False, "preference"),
        Together(("user_claim", "no_asking"), 0.42, 16, False, "about_ai|report"),
        Together(("user_claim",), 0.42, 8, False, "about_ai|report", beside="no_asking"),
    ),
)
