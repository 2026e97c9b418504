"""A person behind a sender that takes no answers.

A website's form, a booking system or somebody's own program sends from `noreply@` what a person
wrote. The address alone is no proof of a machine: what the text says, and whom Reply-To names,
decides. What reads like a person's becomes a case and is never answered without a person.
"""

from collections.abc import Collection, Sequence

from data.concepts import concepts_named_in
from data.records.core.parsed_mail import Address, ParsedMail
from tasks.core.patterns import compiled
from tasks.core.words.clauses import clauses
from tasks.core.words.sentence_rows import words
from tasks.core.words.sentence_signs import begins_request, speaks_of_self, tells_trouble
from tasks.mail.automated.signs import is_machine, is_silent

_STAMP = compiled(r"\bMon,? +(?:[A-Z][a-z]{2} +\d|\d{1,2} +[A-Z][a-z]{2})")
"""The Monday of a program's time stamp, which is no French *my*."""
READ = 4_000
"""Characters of a text that are looked at."""
ENOUGH = 2
"""Signs of a person that a text bears where nothing but the text speaks for one."""
_TOKEN = 16
"""Characters of a local part from which it is a number of a system's, not a person's name."""


def writer_behind(mail: ParsedMail, own: Collection[str]) -> Address | None:
    """Return the one person whom Reply-To names instead of such a sender, where the text is one's.

    `own` are our addresses, case-folded. An address within the sender's own domain is the
    sender's own desk or a number of its system, and proves nothing.
    """
    if mail.sender is None or len(mail.reply_to) != 1 or len(mail.header_values("reply-to")) != 1:
        return None
    writer = mail.reply_to[0]
    local, _, domain = writer.email.casefold().rpartition("@")
    from_local, _, host = mail.sender.email.casefold().rpartition("@")
    if not is_silent(from_local):
        return None
    if not local or writer.email.casefold() in own or _is_near(domain, host):
        return None
    if is_machine(local) or "+" in local or (len(local) > _TOKEN and not writer.name):
        return None
    return writer if _signs_of_person(mail) else None


def reads_like_a_person(mail: ParsedMail) -> bool:
    """Return whether a text speaks of its writer and wants something, as no notice does."""
    return _signs_of_person(mail) >= ENOUGH


def speaks_of_writer(mail: ParsedMail) -> bool:
    """Return whether somebody speaks of himself in a text without a link."""
    return _speaks_of_self(_plain_clauses(mail))


def _signs_of_person(mail: ParsedMail) -> int:
    """Return how many signs of a person a text bears: it speaks of itself, asks, tells trouble."""
    plain_clauses = _plain_clauses(mail)
    asked = any("?" in clause or _wishes(clause) for clause in plain_clauses)
    trouble = any(
        tells_trouble(clause) and "you" not in concepts_named_in(clause) for clause in plain_clauses
    )
    return _speaks_of_self(plain_clauses) + asked + trouble


def _plain_clauses(mail: ParsedMail) -> list[str]:
    """Return the clauses of a text but its courtesies; none of a text with a link.

    Notices have one, and ask and speak of an *I* as well.
    """
    text = _STAMP.sub(" ", mail.text[:READ])
    if "http" in text or "www." in text:
        return []
    return [clause.text for clause in clauses(text) if not clause.polite]


def _speaks_of_self(plain_clauses: Sequence[str]) -> bool:
    return any(_wishes(clause) or "me" in concepts_named_in(clause) for clause in plain_clauses)


def _wishes(clause: str) -> bool:
    return speaks_of_self(clause) and begins_request(words(clause), len(words(clause)))


def _is_near(domain: str, host: str) -> bool:
    """Return whether one of two domains is, or lies within, the other."""
    return domain == host or domain.endswith(f".{host}") or host.endswith(f".{domain}")
