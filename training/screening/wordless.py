"""What mail holds beside words: numbers, keys, rulers, tables, lists of addresses, quoted lines.

None of it gives orders. Without it a classifier of n-grams knows long numbers only from attacks
that carry a reference.
"""

import random
import string
import textwrap
from collections.abc import Callable, Iterator

from training.screening.corpus import Composer
from training.screening.families import Fold
from training.screening.messages import Sample, lone

WANTED = 1500
"""How many texts are made."""
_SEED = 4711
_SMALL = string.ascii_lowercase + string.digits
_CODE = string.ascii_letters + string.digits + "+/"
_RULERS = "*=-_~#+"

Make = Callable[[random.Random, Composer], str]


def _run(chance: random.Random, letters: str, size: int) -> str:
    return "".join(chance.choices(letters, k=size))


def _prose(chance: random.Random, composer: Composer) -> str:
    return composer.part(chance.choice(composer.fillers), chance).text


def _digits(chance: random.Random, _: Composer) -> str:
    return _run(chance, string.digits, chance.randint(20, 300))


def _sums(chance: random.Random, _: Composer) -> str:
    size = chance.choice((32, 40, 64))
    return "\n".join(_run(chance, "0123456789abcdef", size) for _ in range(chance.randint(1, 8)))


def _key(chance: random.Random, _: Composer) -> str:
    lines = "\n".join(_run(chance, _CODE, 64) for _ in range(chance.randint(2, 20)))
    begin, end = chance.choice(
        (("", ""), ("-----BEGIN PGP SIGNATURE-----\n\n", "\n-----END PGP SIGNATURE-----"))
    )
    return f"{begin}{lines}{end}"


def _between_rulers(chance: random.Random, composer: Composer) -> str:
    ruler = chance.choice(_RULERS) * chance.randint(20, 78)
    return f"{ruler}\n{_prose(chance, composer)}\n{ruler}"


def _table(chance: random.Random, _: Composer) -> str:
    return "\n".join(
        f"{chance.randint(0, 999_999)} {chance.choice(_SMALL) * 3} {chance.random() * 1000:.2f}"
        f" {chance.randint(1, 31)}.{chance.randint(1, 12)}."
        for _ in range(chance.randint(3, 15))
    )


def _links(chance: random.Random, _: Composer) -> str:
    return "\n".join(
        f"http://{_run(chance, _SMALL, chance.randint(4, 12))}.example/"
        f"{_run(chance, _SMALL + '/-_?=&', chance.randint(5, 60))}"
        for _ in range(chance.randint(1, 8))
    )


def _statements(chance: random.Random, _: Composer) -> str:
    return "\n".join(
        f"{chance.choice('-+ ')}{' ' * chance.choice((0, 4, 8))}"
        f"{_run(chance, _SMALL, chance.randint(2, 9))}({_run(chance, _SMALL, 4)},"
        f" {chance.randint(0, 99)});"
        for _ in range(chance.randint(3, 20))
    )


def _references(chance: random.Random, _: Composer) -> str:
    return " ".join(
        chance.choice(string.ascii_uppercase) * chance.randint(1, 6)
        + str(chance.randint(1, 99_999))
        for _ in range(chance.randint(3, 30))
    )


def _quoted(chance: random.Random, composer: Composer) -> str:
    marks = "> " * chance.choice((1, 1, 2, 3))
    width = chance.choice((40, 60, 70))
    lines = textwrap.wrap(_prose(chance, composer), width)
    quoted = "\n".join(f"{marks}{line}" for line in lines)
    return f"{quoted}\n\n{_prose(chance, composer)}"


_MAKERS: tuple[Make, ...] = (
    _digits,
    _sums,
    _key,
    _between_rulers,
    _table,
    _links,
    _statements,
    _references,
    _quoted,
    _quoted,
    _quoted,
)


def wordless(fold: Fold | None) -> Iterator[Sample]:
    """Yield ordinary texts of few words, the same each time."""
    chance = random.Random(_SEED)
    composer = Composer("en", fold)
    for number in range(WANTED):
        text = chance.choice(_MAKERS)(chance, composer)
        yield lone(text, "wordless", "en", f"wordless {number}")
