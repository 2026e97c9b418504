"""Greeting a sender: a display name is untrusted text, and is repeated only when it is a name."""

import unicodedata
from functools import lru_cache

from data.lexicons.drafting import LANGUAGES, Phrases, shared_words
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import words

_LONGEST = 40
_MOST_WORDS = 4
_NAME_WORD = compiled(r"^(?:[dl]['’])?[\p{Lu}\p{Lo}][\p{L}\p{M}'’-]*\.?$")
_TITLES = frozenset(shared_words("titles"))
_DEGREES = frozenset(shared_words("degrees"))
_LONG_DEGREE = 3
_ASIDE = compiled(r"\s*\([^()]*\)|\s*\[[^\[\]]*\]|(?i:\s+via\s+.*$)")
"""What programs and lists put behind a name."""
_FUNCTIONS = frozenset(shared_words("functions"))
_PARTICLES = frozenset(shared_words("particles"))
_SHOUTED = 2
"""Letters of words that may be initials."""


def reply_language(language: str, organization: Organization) -> str:
    """Return the language a draft is written in: the sender's, the organization's, English."""
    return next((code for code in (language, organization.language) if code in LANGUAGES), "en")


def safe_name(sender: Address) -> str:
    """Return the display name in reading order when it is fit to be repeated, or nothing.

    Fit is what looks like a person's name in one alphabet: up to four capitalized words of letters,
    40 characters, no digits, no address, no function such as `Support`.
    """
    return _fit(sender.name)


@lru_cache(maxsize=1024)
def _fit(name_text: str) -> str:
    plain = _ASIDE.sub("", " ".join(name_text.split()))
    name = unicodedata.normalize("NFC", plain.strip(" '\"‘’“”"))
    if not name or len(name) > _LONGEST:
        return ""
    part_words = [
        words
        for at, part in enumerate(name.split(","))
        if (words := _untitled(part, behind=at > 0))
    ]
    if len(part_words) > 2:
        return ""
    parts = [word for part in reversed(part_words) for word in part]
    own = [part for part in parts if part not in _PARTICLES]
    few = 0 < len(own) <= _MOST_WORDS and len(parts) - len(own) <= len(own) and parts[-1] in own
    if (
        not few
        or not all(_NAME_WORD.match(part) for part in own)
        or any(part.lower().strip(".") in _FUNCTIONS for part in parts)
    ):
        return ""
    if all(part.isupper() for part in own) and any(len(part) > _SHOUTED for part in own):
        return ""
    return " ".join(parts) if _one_script(parts) else ""


def _untitled(part: str, *, behind: bool) -> list[str]:
    """Return the words of one part of a name without titles and degrees.

    Of degrees the longer ones are known anywhere, and all of them in a part that is `behind` a
    comma and holds nothing else.
    """
    words = [word for word in part.split() if word.lower().replace(".", "") not in _TITLES]
    bare = [word.lower().replace(".", "") for word in words]
    if behind and all(bare_word in _DEGREES for bare_word in bare):
        return []
    pairs = zip(words, bare, strict=True)
    return [word for word, one in pairs if len(one) < _LONG_DEGREE or one not in _DEGREES]


def letter_names(organization: Organization, sender: Address) -> frozenset[str]:
    """Return the words of the names that a letter may greet or be signed with, folded."""
    people = (person.name for person in organization.people)
    names_given = (sender.name, sender.email.partition("@")[0], organization.name, *people)
    return frozenset(word for name in names_given for word in words(name))


def _is_ours(sender: Address, organization: Organization) -> bool:
    """Return whether we would greet ourselves: a form of our own site names nobody else."""
    return sender.email.lower() in {address.lower() for address in organization.own_addresses}


def greeting(
    phrases: Phrases, language: str, policy: Policy, sender: Address, organization: Organization
) -> str:
    """Return the first line of a reply, by policy where it says one; never to ourselves by name."""
    name = "" if _is_ours(sender, organization) else safe_name(sender)
    if not name or name.casefold() == organization.name.casefold():
        return phrases.greeting_plain
    first = next((part for part in name.split() if len(part.strip(".")) > 1), name)
    template = policy.greeting.get(language, phrases.greeting)
    return template.replace("{first_name}", first).replace("{name}", name).strip()


def personal_closing(
    phrases: Phrases, language: str, policy: Policy, organization: Organization
) -> str:
    """Return the last lines of a letter that a person writes alone: closing and signature."""
    parts = [policy.closing.get(language, phrases.closing).strip()]
    template = policy.signature.get(language, organization.signature).strip()
    parts.append(template.replace("{organization}", organization.name) or organization.name)
    return "\n".join(parts)


def closing(phrases: Phrases, language: str, policy: Policy, organization: Organization) -> str:
    """Return the lines after an answer of ours: closing, signature, disclosure by policy."""
    text = personal_closing(phrases, language, policy, organization)
    disclosure = policy.disclosure.get(language, "").strip()
    return f"{text}\n\n{disclosure}" if disclosure else text


def _one_script(parts: list[str]) -> bool:
    """Return whether all letters are of one alphabet, as far as their Unicode names tell."""
    scripts = {
        unicodedata.name(letter, "?").split()[0]
        for part in parts
        for letter in part
        if letter.isalpha()
    }
    return len(scripts) <= 1
