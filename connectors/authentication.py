"""SPF, DKIM, DMARC records and ARC, asked about one message.

pyspf and dkimpy evaluate what is signed and listed; DMARC's alignment is decided by us
(`tasks.core.authenticate.verdict`). The package authheaders wraps both, but checks the first
signature only, asks one text of a name where several make a difference, reads `a@one-two.host` as
of the domain `one`, and gives SPF no resolver.
"""

from connectors.dkim_check import check_arc, check_dkim
from connectors.dns_lookups import Lookups
from connectors.dns_resolver import NoDnsAnswerError, Resolver
from connectors.spf_query import check_spf
from data.records.core.mechanisms import Answers, PolicyAnswer, Questions


def ask(raw: bytes, asked: Questions, resolver: Resolver) -> Answers:
    """Return the answers to the questions; what the DNS does not tell is unknown, never a pass.

    Takes at most `dns_lookups.MESSAGE_SECONDS` of waiting; call it from a thread of its own.

    Args:
        raw: the message as it came, lines ending in CRLF.
        asked: what to ask.
        resolver: who answers questions to the DNS.

    """
    lookups = Lookups(resolver)
    policy = find_policy(asked.policy, lookups)
    return Answers(
        policy=policy,
        dkim=tuple(check_dkim(raw, question, lookups) for question in asked.dkim),
        spf=None if asked.spf is None else check_spf(asked.spf, lookups),
        arc=check_arc(raw, lookups) if asked.arc else None,
    )


def find_policy(domains: tuple[str, ...], lookups: Lookups) -> PolicyAnswer:
    """Return the DMARC records of the first domain that has any (RFC 7489 section 6.6.3)."""
    for domain in domains:
        try:
            records = lookups.txt(f"_dmarc.{domain}")
        except NoDnsAnswerError as error:
            return PolicyAnswer(problem=str(error))
        texts = tuple(
            text.decode("ascii", "replace").strip()
            for text in records
            if text.strip().lower().startswith(b"v=dmarc1")
        )
        if texts:
            return PolicyAnswer(domain=domain, texts=texts)
    return PolicyAnswer()
