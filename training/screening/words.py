"""Filling the slots of templates."""

import random
import re
from collections.abc import Mapping, Sequence

SLOT = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
_TASKS = ("chat", "agent", "agent", "answer", "ill")
_TELLING = 18
"""Letters around a slot from which they are taken to make the attack by themselves."""
_DEPTH = 4
_BREAKS = re.compile(r" (?:/ +)+")


class Words:
    """The words of one language for the slots in braces.

    `{task}` is any of `chat`, `agent`, `answer` and `ill`, and sometimes, where the words around it
    alone make the attack, an ordinary sentence: so the surroundings are learned and not the tasks.
    With a capital, `{Task}`, so is the filling. Doubled braces are braces.
    """

    def __init__(
        self, slots: Mapping[str, Sequence[str]], neutral: Sequence[str], share: float
    ) -> None:
        self.slots = slots
        self.neutral = neutral
        """Ordinary sentences."""
        self.share = share
        """How many tasks are ordinary sentences where they may be."""

    def filled(self, template: str, chance: random.Random, framed: bool = False) -> str:
        """Return `template` with its slots filled, slots of the fillings too."""
        if not framed and "{" not in template:
            return broken(template.replace("}}", "}"))
        neutral = framed and _is_telling(template) and chance.random() < self.share
        text = template
        for _ in range(_DEPTH):
            text, slots = SLOT.subn(lambda found: self._one(found[1], chance, neutral), text)
            if not slots:
                break
        return broken(text.replace("{{", "{").replace("}}", "}"))

    def _one(self, name: str, chance: random.Random, neutral: bool) -> str:
        lower = name.lower()
        if lower == "task" and neutral and self.neutral:
            word = chance.choice(self.neutral)
        else:
            key = lower
            if lower == "task":
                key = chance.choice([kind for kind in _TASKS if kind in self.slots])
            choices = self.slots.get(key)
            if not choices:
                return str(chance.randint(10, 9999))
            word = chance.choice(choices)
        return word[:1].upper() + word[1:] if name != lower else word


def _is_telling(template: str) -> bool:
    """Return whether a template makes an attack whatever stands in its slots."""
    frame = SLOT.sub("", template)
    return len(frame) >= _TELLING if frame.isascii() else len(frame) * 2 >= _TELLING


def broken(template: str) -> str:
    """Return `template` with its line breaks, each written ` / `, two in a row ` / / `."""
    if " / " not in template:
        return template
    return _BREAKS.sub(lambda found: "\n" * found[0].count("/"), template)


def choices_of(value: str | Sequence[str]) -> list[str]:
    """Return what a slot may hold: a list, or a line each."""
    return value.strip().splitlines() if isinstance(value, str) else list(value)


def neutral_of(benign: dict[str, list[str]]) -> list[str]:
    """Return ordinary sentences as they may stand in the place of a task."""
    kinds = ("ordinary", "requests_to_people", "how_to", "delegated")
    found = [text for kind in kinds for text in benign.get(kind, ())]
    return [text[:1].lower() + text[1:].rstrip(".?!。？！") for text in found if " / " not in text]


def roughened(text: str, chance: random.Random) -> str:
    """Return `text` as hurried or loud people type it."""
    manner = chance.randrange(5)
    if manner == 0:
        return text.upper()
    if manner == 1:
        return text.lower().rstrip(".")
    if manner == 2:
        return text.replace(".", "!!!")
    spot = chance.randrange(max(1, len(text) - 1))
    doubled = text[: spot + 1] + text[spot:]
    return text[:spot] + text[spot + 1 :] if manner == 3 else doubled
