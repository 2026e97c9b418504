"""Messages composed from the building blocks: the same ones every time.

Each message is a block in a persona's manner: an opening, sentences that say nothing about the
labels, the block, perhaps a sentence that shifts one label, a closing, and slips of the keyboard.
"""

import random
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from data.records.core.understanding import Category
from training.corpus import Block, Half, Labels, Manner, blocks, manners
from training.noise import roughened

SHIFTING: dict[Category, dict[str, float]] = {
    Category.SUPPORT: {"urgent": 0.16, "low": 0.05, "negative": 0.12, "positive": 0.07},
    Category.BILLING: {"urgent": 0.12, "low": 0.05, "negative": 0.14, "positive": 0.05},
    Category.SALES: {"urgent": 0.06, "low": 0.05, "positive": 0.12},
    Category.FEATURE_REQUEST: {"urgent": 0.03, "low": 0.12, "positive": 0.15},
    Category.COMPLAINT: {"urgent": 0.10, "escalation": 0.15},
    Category.INTERNAL: {"urgent": 0.14, "low": 0.12, "positive": 0.06},
    Category.OTHER: {},
    Category.SPAM: {},
}
"""How often a sentence that shifts a label is added, by category."""

_HOSTS = ("www", "news", "lists", "files", "shop", "my", "blog", "app")
_PLACES = ("", "a/", "item?id=", "archive/", "2024/", "p/")

PER_CATEGORY = {"train": 1300, "test": 500}
"""About how many messages each category gets in a half, over all languages."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message with its labels."""

    text: str
    subject: str
    labels: Labels
    language: str
    family: str
    persona: str
    half: Half
    core: str
    """The block's own text; its variants share it."""


def _filled(text: str, slots: dict[str, list[str]], chance: random.Random) -> str:
    """`text` with every `{slot}` replaced by one of its words or by a made-up number.

    A name that is no slot stays as it is: a placeholder that a sender's program left unfilled.
    """
    parts = text.split("{")
    result = [parts[0]]
    for part in parts[1:]:
        name, mark, rest = part.partition("}")
        if not mark:
            result.append("{" + part)
            continue
        result.append(_slot(name, slots, chance) + rest)
    return "".join(result)


def _slot(name: str, slots: dict[str, list[str]], chance: random.Random) -> str:
    if name == "ref":
        return chance.choice(("#", "", "", "A-", "INV-", "no. ")) + str(
            chance.randint(1000, 9999999)
        )
    if name == "amount":
        whole = chance.choice((chance.randint(3, 99), chance.randint(100, 4999)))
        cents = chance.choice(("", "", ".90", ".50", ",99", ",00"))
        return chance.choice(
            (
                f"{whole}{cents} €",
                f"${whole}{cents}",
                f"£{whole}{cents}",
                f"{whole}{cents} EUR",
                f"€{whole}{cents}",
                f"{whole}{cents} USD",
            )
        )
    if name == "link":
        host = chance.choice(_HOSTS)
        return f"http://{host}.example/{chance.choice(_PLACES)}{chance.randint(1, 999)}"
    if name == "n":
        return str(chance.randint(2, 60))
    if name == "time":
        return f"{chance.randint(7, 19)}:{chance.choice(('00', '15', '30', '45'))}"
    return chance.choice(slots[name]) if name in slots else f"{{{name}}}"


def _shifted(block: Block, manner: Manner, chance: random.Random) -> tuple[list[str], Labels]:
    """Sentences that shift labels and the labels after them; whole texts stay as they are."""
    added, labels = [], block.labels
    for word, share in SHIFTING[labels.category].items():
        if chance.random() < share and manner.shifts.get(word):
            if word == "low" and labels.priority == "urgent":
                continue
            if word == "positive" and labels.sentiment == "negative":
                continue
            added.append(chance.choice(manner.shifts[word]))
            labels = labels.changed([word])
    return added, labels


def composed(
    block: Block, others: Sequence[Block], manner: Manner, chance: random.Random
) -> Message:
    """One message around `block`; longer ones take in some of `others`, which say the same."""
    name = chance.choice(sorted(manner.personas))
    persona = manner.personas[name]
    labels, parts = block.labels, [block.text]
    if others and chance.random() < (0.4 if block.whole else 0.15):
        size = chance.choice((1, 1, 2, 3, 5) if block.whole else (1, 1, 2))
        parts += [other.text for other in chance.sample(others, min(size, len(others)))]
    if not block.whole:
        added, labels = _shifted(block, manner, chance)
        size = chance.choice((0, 0, 0, 1, 1, 2, 3, 5) if persona["manner"] != "sms" else (0, 0, 1))
        before = chance.randint(0, size)
        fillers = chance.sample(manner.fillers, min(size, len(manner.fillers)))
        parts = [*fillers[:before], *parts, *fillers[before:]]
        for sentence in added:
            parts.insert(chance.choice((0, len(parts), len(parts))), sentence)
        parts = [chance.choice((" ", " ", "\n\n")).join(parts)]
        if chance.random() < 0.7:
            parts.insert(0, chance.choice(persona["opens"]))
        if chance.random() < 0.7:
            parts.append(chance.choice(persona["closes"]))
    text = "\n\n".join(part for part in parts if part)
    how = "plain" if block.whole and persona["manner"] == "loud" else persona["manner"]
    text = roughened(_filled(text, manner.slots, chance), how, block.language, chance)
    subject = block.subject if block.whole or chance.random() < 0.6 else ""
    return Message(
        text=text,
        subject=_filled(subject, manner.slots, chance),
        labels=labels,
        language=block.language,
        family=block.family,
        persona=f"{block.language}-{name}",
        half=block.half,
        core=block.text,
    )


def messages(half: Half) -> Iterator[Message]:
    """All messages of a half: every block several times, categories about equally often."""
    own = [block for block in blocks() if block.half == half]
    counts = Counter(block.labels.category for block in own)
    kin: dict[tuple[str, str], list[Block]] = {}
    for block in own:
        kin.setdefault((block.family, block.language), []).append(block)
    for block in own:
        others = [
            other
            for other in kin[block.family, block.language]
            if other is not block and other.labels == block.labels
        ]
        chance = random.Random(zlib.crc32(f"{block.language} {block.family} {block.text}".encode()))
        wanted = PER_CATEGORY[half] / counts[block.labels.category]
        times = min(12, int(wanted) + (chance.random() < wanted % 1)) or 1
        for _ in range(times):
            yield composed(block, others, manners()[block.language, half], chance)


def varied(message: Message, count: int, kin: Sequence[Message]) -> Iterator[Message]:
    """`message` as written, then `count` times in another manner; the same ones every time.

    Every second variant is a long one: with others of `kin`, which are labelled alike, and with
    sentences that say nothing, so that length and chatter speak for no category.
    """
    yield message
    manner = manners()[message.language, "train"]
    chance = random.Random(zlib.crc32(f"{message.language} {message.core}".encode()))
    framed = message.labels.category not in (Category.SPAM, Category.OTHER)
    for number in range(count):
        persona = manner.personas[chance.choice(sorted(manner.personas))]
        parts = [message.text]
        if number % 2 == 1 and kin:
            parts += [own.text for own in chance.sample(kin, min(len(kin), chance.randint(1, 3)))]
        if framed:
            size = chance.randint(0, 8) if number % 2 == 1 else chance.choice((0, 0, 1))
            for filler in chance.sample(manner.fillers, min(size, len(manner.fillers))):
                parts.insert(chance.randint(0, len(parts)), filler)
        parts = [chance.choice((" ", "\n\n")).join(parts)]
        if framed and chance.random() < 0.5:
            parts.insert(0, chance.choice(persona["opens"]))
        if framed and chance.random() < 0.5:
            parts.append(chance.choice(persona["closes"]))
        how = "plain" if persona["manner"] == "loud" else persona["manner"]
        text = _filled("\n\n".join(part for part in parts if part), manner.slots, chance)
        subject = message.subject if chance.random() < 0.5 else ""
        yield replace(message, text=roughened(text, how, message.language, chance), subject=subject)
