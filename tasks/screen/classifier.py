"""The seam for a trained judge beside the rules."""

from typing import Protocol


class InjectionClassifier(Protocol):
    """Says how much a text reads like instructions to a machine."""

    def score(self, text: str) -> float:
        """Return a calibrated probability of an attack, 0 to 1, for one text."""
        ...
