"""Orders to take no notice of what the machine was told before."""

from data.records.screening import Layer
from tasks.screen.combinations import Combinations, Together
from tasks.screen.rule import Rule

RULE = Rule(
    name="direct_override",
    sentence="Tells the machine to ignore, forget or replace its instructions.",
    technique="direct_injection",
    layer=Layer.INJECTION,
    severity=0.95,
    look=Combinations(
        Together(("override", "prior", "instruction"), 0.85, 10, True, "correspondence|topic"),
        Together(("override", "instruction", "prior"), 0.75, 8, True, "correspondence|topic"),
        Together(("override", "prompt_object|own_rules"), 0.85, 6, True),
        Together(("override", "instruction", "machine"), 0.7, 20, False, "correspondence|topic"),
        Together(("override", "prior", "task_switch"), 0.75, 20, True, "correspondence|topic"),
        Together(("override", "instruction", "task_switch"), 0.7, 20, True, "correspondence|topic"),
        Together(("override", "said", "task_switch|must|shape|leak|persona"), 0.65, 25, True),
        Together(("override", "said"), 0.5, 6, True, "correspondence|topic"),
        Together(("override", "instruction"), 0.3, 3, True, "correspondence|topic"),
        Together(("prior", "instruction", "override"), 0.3, 6, True, "correspondence|topic"),
        Together(("task_switch", "machine|assistant", "must"), 0.6, 15),
        Together(("task_switch", "machine"), 0.55, 15),
        Together(
            ("override", "instruction", "shape|leak|exfiltrate"),
            0.42,
            10,
            True,
            "correspondence|topic",
        ),
        Together(("task_switch", "override"), 0.25, 12),
        Together(("override", "instruction", "obey_me"), 0.75, 25),
        Together(("override", "prior", "obey_me"), 0.6, 25),
        Together(("your_old", "instruction", "void"), 0.5, 12, False, "correspondence|topic"),
        Together(("your_old", "void"), 0.45, 6, False, "correspondence|topic|subscription"),
        Together(
            ("prior|your_old", "instruction", "override_last"), 0.8, 7, True, "correspondence"
        ),
        Together(("true_task", "diversion"), 0.5, 12),
        Together(("task_switch", "diversion"), 0.4, 8),
        Together(("true_task", "machine|obey_me|tool_call"), 0.45, 15),
        Together(("override", "given_rules"), 0.45, 14, False, "correspondence|topic"),
        Together(("override", "above_text"), 0.7, 6, True, "correspondence|topic"),
        Together(("above_text", "override"), 0.6, 4, True, "correspondence|topic"),
        Together(("instruction", "prior", "override"), 0.5, 4, True, "correspondence|topic"),
        Together(("task_switch", "must"), 0.3, 8),
        Together(
            ("override", "read_matter", "shape|leak|just_answer"),
            0.6,
            14,
            True,
            "correspondence|topic|subscription",
        ),
        Together(
            ("override", "verdict", "shape|leak|grant"),
            0.45,
            14,
            True,
            "correspondence|topic|heeded",
            0.2,
        ),
        Together(("task_done", "then_task"), 0.4, 14, True),
        Together(("then_task",), 0.3, 4, beside="task_done"),
        Together(("override|put_off", "own_task"), 0.36, 5, True, "correspondence|topic"),
        Together(("override|put_off", "own_task", "shape|leak|then_task|true_task"), 0.6, 22, True),
        Together(("void", "own_task"), 0.4, 8, False, "correspondence|topic"),
        Together(
            ("override", "everything", "shape|leak|only_answer"),
            0.36,
            6,
            True,
            "correspondence|topic|heeded",
            0.2,
        ),
        Together(("own_knowledge", "put_off|override", "read_matter"), 0.45, 16),
    ),
)
