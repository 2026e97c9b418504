"""Notes that money should go to another account from now on."""

from data.records.screening import Layer
from tasks.screen.combinations import Combinations, Together
from tasks.screen.rule import Rule

RULE = Rule(
    name="payment_change",
    sentence="Says that bank details have changed and payments should go elsewhere.",
    technique="payment_change",
    layer=Layer.CONTENT,
    severity=0.6,
    look=Combinations(
        Together(("bank", "changed", "pay"), 0.55, 30, without="doubt|unchanged"),
        Together(("bank", "changed"), 0.4, 10, without="doubt|unchanged"),
        Together(("pay", "bank", "pressure"), 0.35, 25),
    ),
)
