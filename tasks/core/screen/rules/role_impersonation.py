"""Text that claims to come from somebody a machine obeys."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="role_impersonation",
    sentence="Claims to be the system, the developer or the administrator of the machine.",
    technique="role_impersonation",
    layer=FilterLayer.INJECTION,
    severity=0.85,
    look=Combinations(
        Together(("as_authority", "obey_me"), 0.7, 25),
        Together(("as_authority|lent_authority", "rules_changed|override|freedom"), 0.55, 20),
        Together(("as_authority",), 0.55, 8, beside="obey_me"),
        Together(("lent_authority",), 0.45, 10, False, "about_ai|report"),
        Together(("claim", "authority", "obey_me"), 0.6, 25),
        Together(("claim", "authority", "override"), 0.75, 14, True),
        Together(("claim", "authority", "machine"), 0.6, 20),
        Together(("claim", "authority", "instruction", "must"), 0.6, 30, False, "report"),
        Together(("claim", "authority", "leak", "prompt_object|own_rules"), 0.75, 40),
        Together(("authority", "machine", "must"), 0.5, 20),
        Together(("claim", "authority", "freedom"), 0.65, 25),
        Together(("claim", "authority", "task_switch"), 0.6, 25),
        Together(("as_authority", "switched_off"), 0.5, 20),
        Together(("held_back", "switched_off"), 0.4, 6, False, "about_ai|topic|subscription"),
    ),
)
