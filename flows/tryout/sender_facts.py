"""The organization's facts on a sender and on spam, for one message that is tried."""

from typing import TYPE_CHECKING

from flows.tryout.world import TriedMail

if TYPE_CHECKING:
    from tasks.core.screen import Allowance, KnownSenders
    from tasks.core.screen.bayes import BayesOpinion


def known_senders(trial: TriedMail) -> "KnownSenders":
    """Return what the screen is told: the organization's domains, and what people have taught.

    Whether the sender wrote before is not looked at.
    """
    from tasks.core.screen import KnownSenders

    memory = trial.world.memory
    return KnownSenders(
        organization_domains=trial.world.domains,
        contact_domains=memory.contact_domains,
        blocked_addresses=memory.blocked_addresses,
        blocked_domains=memory.blocked_domains,
        allowances=_allowances(trial),
        learned=_judge_by_examples(trial),
    )


def excused_markers(trial: TriedMail, beginning: str) -> frozenset[str]:
    """Return what allowances named `beginning` and a marker excuse for the sender of the trial."""
    from tasks.core.screen import KnownSenders

    allowed = KnownSenders(allowances=_allowances(trial))
    return allowed.allowed_markers(trial.sender.email, beginning)


def _allowances(trial: TriedMail) -> "tuple[Allowance, ...]":
    from tasks.core.screen import Allowance

    return tuple(
        Allowance(rule=rule, sender=sender) for rule, sender in trial.world.memory.allowances
    )


def _judge_by_examples(trial: TriedMail) -> "BayesOpinion | None":
    from tasks.core.screen.bayes import Examples, judge
    from tasks.core.screen.spam_tokens import spam_tokens

    memory = trial.world.memory
    examples = Examples(spam=memory.spam, ham=memory.ham)
    if not examples.both:
        return None
    tokens = spam_tokens(trial.mail, trial.segments, trial.automated)
    return judge(tokens, memory.counts, examples)
