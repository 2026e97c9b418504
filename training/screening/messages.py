"""A made message of the screen's corpus, and the pieces it was put together from."""

from dataclasses import dataclass

HARD = frozenset(
    {
        "reports_attacks",
        "corrections",
        "developers",
        "requests_to_people",
        "how_to",
        "marketing",
        "roles_and_words",
        "markup_and_rules",
        "delegated",
        "letters",
        "chat_triggers",
        "roleplay_people",
        "policies",
        "job_offers",
        "notices",
        "translations",
        "abstracts",
        "instructions",
        "mailing_lists",
        "support_tickets",
        "ai_talk",
    }
)
"""Kinds of ordinary mail that look like attacks."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """A piece of a message: an attack, or ordinary text."""

    text: str
    attack: bool
    family: str
    """The template it was made from."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A made message."""

    parts: tuple[Part, ...]
    technique: str
    """Of the attack; for ordinary mail its kind."""
    language: str
    glue: str
    """Stands between the parts."""
    family: str
    weight: float = 1.0
    """What it counts in training."""
    whole: bool = False
    """Whether what it was made around is, or stood in, a mail that was written as a whole."""

    @property
    def text(self) -> str:
        """The whole message."""
        return self.glue.join(part.text for part in self.parts)

    @property
    def heart(self) -> Part:
        """What it was made around."""
        return next(part for part in self.parts if part.family == self.family)

    @property
    def attack(self) -> bool:
        """Whether an attack stands in it."""
        return any(part.attack for part in self.parts)

    @property
    def hard(self) -> bool:
        """Whether it is ordinary mail that looks like an attack."""
        return not self.attack and self.technique in HARD


def lone(text: str, kind: str, language: str, family: str) -> Sample:
    """Return ordinary text that is a message by itself."""
    part = Part(text=text, attack=False, family=family)
    return Sample(parts=(part,), technique=kind, language=language, glue="", family=family)
