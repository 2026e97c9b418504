"""The work of an agent for an answer, and its reasons, in lines that unfold below it."""

from typing import TypedDict

from data.counting import plural
from data.records.agents.turn_work import CallShown, ClaimStanding, TurnWork
from data.states import MoveState
from ui.core.text.inert import one_line
from ui.core.text.words import as_sentence

_MOST = 300
"""Characters of one line."""
_ENDS = {
    MoveState.AWAITING_APPROVAL: "It waits for a yes.",
    MoveState.RUNNING: "It is under way.",
    MoveState.FAILED: "It did not happen.",
    MoveState.UNKNOWN: "Nobody knows whether it happened.",
}
"""What is said of a call that is not simply done."""

_STANDS = {
    ClaimStanding.MISATTRIBUTED: "stands in another source than the one that is named.",
    ClaimStanding.STITCHED: "is put together from several sources.",
    ClaimStanding.NONE: "stands in no source.",
}
"""What is said of a claim that its source does not simply hold."""


class FoldedLines(TypedDict):
    """Lines below an answer, as the component takes them."""

    head: str
    """What is shown of them while they are folded."""
    lines: list[str]


def fold_work(work: TurnWork) -> FoldedLines:
    """Return the head of the fold, with what it cost, and its lines; text alone, no markup."""
    calls = plural(len(work.calls), "call") if work.calls else "nothing looked up"
    parts = [calls, *_model(work), f"{work.seconds:.1f} s"]
    lines = [_line(call) for call in work.calls]
    if not lines and work.requests:
        lines.append("It answered from what it was told at the beginning, and looked nothing up.")
    elif not lines:
        lines.append("It was recognized by its words, and needed no look-up.")
    if work.remembering is MoveState.FAILED:
        lines.append(f"What you said could not be read for what to remember: {work.remembered}")
    elif work.remembered:
        lines.append(f"Of what you said, to be remembered: {work.remembered}.")
    lines += _claims(work)
    lines.append(f"It worked as version {work.version} of the agent.")
    return {
        "head": f"What it did: {', '.join(parts)}",
        "lines": [one_line(line, _MOST) for line in lines],
    }


def list_unheld(work: TurnWork) -> list[str]:
    """Return the words of an answer that nothing holds which was before the agent."""
    return [claim.excerpt for claim in work.claims if claim.standing is ClaimStanding.NONE]


def _claims(work: TurnWork) -> list[str]:
    """Return how much of what an answer states its sources hold, and of the rest each with why."""
    if not work.claims:
        return []
    holds = sum(claim.standing is ClaimStanding.SUPPORTED for claim in work.claims)
    stated = plural(len(work.claims), "figure, day or name", "figures, days and names")
    others = [
        f"“{one_line(claim.excerpt, 60)}” {_STANDS[claim.standing]}"
        for claim in work.claims
        if claim.standing in _STANDS
    ]
    return [f"Of {stated} in the answer its sources hold {holds}.", *others]


def _model(work: TurnWork) -> tuple[str, ...]:
    """Return how often a model was asked, and what that cost."""
    if not work.requests:
        return ("no model",)
    money = "price not known" if work.cost is None else f"US$ {work.cost:.4f}"
    return (plural(work.requests, "request"), money)


def _line(call: CallShown) -> str:
    """Return a call in words: what it is for, how it ended, and what stood in its way."""
    what = as_sentence(call.description or call.tool)
    return " ".join([what, *filter(None, [_ENDS.get(call.state)]), *map(as_sentence, call.why)])
