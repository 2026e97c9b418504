"""What an organization knows of a sender and of spam, for one message that is tried."""

from typing import TYPE_CHECKING

from flows.tryout.world import Trial

if TYPE_CHECKING:
    from tasks.screen import KnownSenders
    from tasks.screen.bayes import Learned


def known_senders(trial: Trial) -> "KnownSenders":
    """Return what the screen is told: the organization's domains, and what people have taught.

    Whether the sender wrote before is not looked at.
    """
    from tasks.screen import Allowance, KnownSenders

    memory = trial.world.memory
    return KnownSenders(
        organization_domains=trial.world.domains,
        contact_domains=memory.contact_domains,
        blocked_addresses=memory.blocked_addresses,
        blocked_domains=memory.blocked_domains,
        allowances=tuple(Allowance(rule=rule, sender=who) for rule, who in memory.allowances),
        learned=_learned(trial),
    )


def _learned(trial: Trial) -> "Learned | None":
    from tasks.screen.bayes import Examples, judge
    from tasks.screen.spam_tokens import spam_tokens

    memory = trial.world.memory
    known = Examples(spam=memory.spam, ham=memory.ham)
    if not known.both:
        return None
    tokens = spam_tokens(trial.mail, trial.segments, trial.automated)
    return judge(tokens, memory.counts, known)
