"""Domains that many unrelated people have their mail at; nobody is imitated by using one."""

from functools import cache
from importlib.resources import files


@cache
def free_mail_domains() -> frozenset[str]:
    """Return the domains of the large mail providers, lower case."""
    text = files("data").joinpath("lexicons", "contacts", "free_mail.txt").read_text("utf-8")
    return frozenset(text.split())


def is_free_mail(domain: str) -> bool:
    """Return whether unrelated people have their mail at a domain (lower case)."""
    return domain in free_mail_domains()
