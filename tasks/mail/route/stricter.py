"""Of two decisions on one draft, what both allow: a model's word can only restrict.

The same gates are asked with the model's understanding and plan, and with the embedded ones.
"""

from data.records.mail.deciding import Decision, Gate, Outcome


def combine_decisions(shown: Decision, embedded: Decision) -> Decision:
    """Return the decision on what is shown, held back by whatever holds back the embedded one.

    A case is sent or filed away only if both say so, and handed to a person if either does.
    """
    gates = tuple(_combine_gates(*pair) for pair in zip(shown.gates, embedded.gates, strict=True))
    tightened = shown.model_copy(update={"gates": gates})
    if shown.outcome is embedded.outcome:
        would = shown.would_auto_send and embedded.would_auto_send
        return tightened.model_copy(update={"would_auto_send": would})
    if shown.outcome is Outcome.ESCALATE:
        return tightened.model_copy(update={"would_auto_send": False})
    if embedded.outcome is Outcome.ESCALATE:
        return embedded.model_copy(update={"gates": gates})
    why = (
        f"The model's view alone would lead to {_spell_outcome(shown.outcome)}, the "
        f"embedded one to {_spell_outcome(embedded.outcome)}; a person decides."
    )
    return Decision(outcome=Outcome.REVIEW, gates=gates, reason=why)


def _combine_gates(shown: Gate, embedded: Gate) -> Gate:
    if shown.passed and not embedded.passed:
        return embedded.model_copy(
            update={"reason": f"{embedded.reason} (By the embedded provider's understanding.)"}
        )
    return shown


def _spell_outcome(outcome: Outcome) -> str:
    return outcome.value.replace("_", " ")
