"""Orders to decode or to assemble something and then to obey it."""

from data.records.core.screening import FilterLayer
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.rule import ScreenRule

RULE = ScreenRule(
    name="coded_order",
    sentence="Orders the machine to decode or put together pieces and to follow the result.",
    technique="payload_splitting",
    layer=FilterLayer.INJECTION,
    severity=0.75,
    look=Combinations(
        Together(("decode_it", "coded_thing", "obey_it"), 0.55, 18),
        Together(("join_it", "pieces", "obey_it"), 0.5, 18),
        Together(("decode_order", "obey", "machine"), 0.65, 20, False),
        Together(("decode_order", "obey", "coded_thing"), 0.5, 16, False),
        Together(("decode_order", "obey"), 0.12, 12, True),
        Together(("decode_order", "instruction", "must"), 0.4, 12),
    ),
)
