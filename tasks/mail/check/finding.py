"""A finding of the check, with its words cut to what a reviewer is shown."""

from data.records.mail.drafting import Finding, Severity

CANARY = "canary"
"""Name of the check that finds private context in a draft; its case is quarantined."""
_EXCERPT = 200


def make_finding(name: str, severity: Severity, excerpt: str, sentence: str) -> Finding:
    """Return a finding with its excerpt cut to 200 characters."""
    return Finding(check=name, severity=severity, excerpt=excerpt[:_EXCERPT], sentence=sentence)
