"""The verdict on what the rules found: who may only advise, and what an allowance excuses."""

from collections.abc import Sequence

from data.records.organization import Policy
from data.records.screening import Hit, Verdict
from tasks.screen.scoring import combine, verdict_for


def judged(
    hits: Sequence[Hit], policy: Policy, *, first_time: bool, read: bool, errors: bool
) -> tuple[float, Verdict]:
    """Return score and verdict; hits that only advise may flag a message and never stop it.

    `read` says that the classifier has read the message.
    """
    score = combine(hits, first_time, read)
    verdict = verdict_for(score, policy, errors)
    if hits and read and verdict is Verdict.CLEAN:  # silence keeps a message going, no more
        bare = verdict_for(combine(hits, first_time), policy, errors)
        verdict = bare if bare is Verdict.CLEAN else Verdict.FLAGGED
    firm = [hit for hit in hits if not hit.advisory]
    if verdict is Verdict.QUARANTINE and len(firm) < len(hits):
        held = verdict_for(combine(firm, first_time, read), policy, errors)
        verdict = held if held is Verdict.QUARANTINE else Verdict.FLAGGED
    return score, verdict
