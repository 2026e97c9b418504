"""Selectors of style sheets, and whether they match an element (Selectors 4).

All is compared in lower case, as browsers do for pages without a document type. The work is counted
against a budget, because a sheet can ask for much more than linear time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tasks.core.markup.css_text import unescape
from tasks.core.markup.elements import Budget, Element, Test, nth_of, walk_siblings
from tasks.core.markup.pseudo import simple_pseudo
from tasks.core.patterns import compiled

COMPOUNDS = 12
"""Simple selectors in a row of one selector; a longer one is taken for unreadable."""

LOOKED_INSIDE = 5_000
"""Steps that looking through all that an element holds counts for."""

_IDENT = r"(?:[\w-]|\\.|[^\x00-\x7f])+"
_TOKEN = compiled(
    rf"\s*(?:([>+~])\s*|([*]|[.\#]?{_IDENT})"
    r"|(\[[^\[\]]*\]|::?[a-z-]+)(?:\(((?:[^()]|\([^()]*\))*)\))?)"
)
_ATTRIBUTE = compiled(
    r"""^\s*([^\s=~|^$*"']+)\s*(?:([~|^$*]?=)\s*"""
    r"""(?:("[^"]*"|'[^']*')\s*(?:[is]\s*)?|([^\s"']+)(?:\s+(?:[is]\s*)?)?)?)?$"""
)
# Both have four groups at most and one way to go at every letter: so RE2 needs no slower machine.


@dataclass(slots=True)
class Compound:
    """Simple selectors of one element, and how it stands to the element on its left."""

    combinator: str = ""
    """Space, `>`, `+` or `~`; empty for the first."""
    tag: str = ""
    identity: str = ""
    classes: list[str] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)

    @property
    def bare(self) -> bool:
        """Whether it consists of one simple selector, which is its key."""
        return bool(self.tag) + bool(self.identity) + len(self.classes) <= 1 and not self.tests

    @property
    def key(self) -> str:
        """The rarest simple selector, by which it is looked up."""
        if self.identity:
            return f"#{self.identity}"
        return f".{self.classes[0]}" if self.classes else self.tag or "*"

    def holds(self, element: Element, budget: Budget) -> bool:
        """Whether it matches this element."""
        budget.spend()
        return (
            (self.tag in ("", "*") or self.tag == element.tag)
            and (not self.identity or self.identity == element.identity)
            and all(name in element.classes for name in self.classes)
            and all(test(element, budget) for test in self.tests)
        )


Selector = tuple[Compound, ...]


@lru_cache(maxsize=2048)
def read_selector(text: str) -> tuple[Selector, int] | None:
    """Return a selector (lower case) and its specificity, or None when it cannot be read."""
    compounds = [Compound()]
    at, weight, space = 0, 0, False
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.end() == at:
            return None
        combinator, name, test_of, argument = match.groups()
        space = text[at].isspace()
        at = match.end()
        current = compounds[-1]
        if combinator or space:
            if compounds[-1].combinator not in (">", "+", "~") or _filled(current):
                compounds.append(Compound(combinator=combinator or " "))
            current = compounds[-1]
            if combinator:
                continue
        if name:
            weight += _add_part(current, name)
        else:
            test = _test(test_of, argument)
            if test is None:
                return None
            current.tests.append(test)
            weight += 100 if test_of.lstrip(":") != "where" else 0
    if len(compounds) > COMPOUNDS or not all(_filled(compound) for compound in compounds):
        return None
    return tuple(compounds), weight


def _add_part(compound: Compound, name: str) -> int:
    """Add a tag, a `.class` or an `#identity` to a compound; return what it weighs."""
    if name.startswith("."):
        compound.classes.append(unescape(name[1:]).lower())
        return 100
    if name.startswith("#"):
        compound.identity = unescape(name[1:]).lower()
        return 10_000
    compound.tag = unescape(name)
    return int(name != "*")


def _test(value: str, argument: str | None) -> Test | None:
    """Return the test of `[attribute]` or of `:pseudo` with its argument."""
    if value.startswith("["):
        return None if argument is not None else _attribute(value[1:-1])
    return _pseudo(value.lstrip(":"), argument)


def _filled(compound: Compound) -> bool:
    """Whether anything was read into a compound."""
    return bool(compound.tag or compound.identity or compound.classes or compound.tests)


def matches(selector: Selector, element: Element, budget: Budget) -> bool:
    """Return whether a selector matches, from right to left.

    Raises:
        SheetTooCostlyError: the budget is used up.
    """
    last = len(selector) - 1
    return selector[last].holds(element, budget) and _left_matches(selector, last, element, budget)


def _left_matches(selector: Selector, at: int, element: Element, budget: Budget) -> bool:
    """Whether what stands left of position `at` matches around `element`."""
    if at == 0:
        return True
    combinator = selector[at].combinator
    around = {">": _parent, "+": _find_element_before, "~": _all_before}.get(combinator, _ancestors)
    return any(
        selector[at - 1].holds(neighbour, budget)
        and _left_matches(selector, at - 1, neighbour, budget)
        for neighbour in around(element)
    )


def _parent(element: Element) -> Iterator[Element]:
    if element.parent is not None:
        yield element.parent


def _ancestors(element: Element) -> Iterator[Element]:
    above = element.parent
    while above is not None:
        yield above
        above = above.parent


def _all_before(element: Element) -> Iterator[Element]:
    for node in walk_siblings(element):
        yield Element(node.tag or "", node.attributes, node, element.parent)


def _find_element_before(element: Element) -> Iterator[Element]:
    for earlier in _all_before(element):
        yield earlier
        return


def _attribute(inside: str) -> Test | None:
    """Return the test of `[name]` or `[name=value]`."""
    match = _ATTRIBUTE.match(inside)
    if match is None:
        return None
    name, sign = match.group(1), match.group(2)
    quoted, bare = match.group(3), match.group(4)
    value_wanted = unescape(quoted[1:-1] if quoted else bare or "")

    def test(element: Element, _: Budget) -> bool:
        if name not in element.attributes:
            return False
        value = (element.attributes[name] or "").lower()
        if sign is None or sign == "=":
            return sign is None or value == value_wanted
        if not value_wanted:
            return False
        return {
            "~=": value_wanted in value.split(),
            "|=": value == value_wanted or value.startswith(f"{value_wanted}-"),
            "^=": value.startswith(value_wanted),
            "$=": value.endswith(value_wanted),
            "*=": value_wanted in value,
        }[sign]

    return test


def _pseudo(name: str, argument: str | None) -> Test | None:
    """Return the test of a pseudo-class, or None when it is not known."""
    if name in ("not", "is", "where", "matches", "-webkit-any", "-moz-any"):
        inner = [read_selector(selector_text) for selector_text in split_list(argument or "")[:20]]
        chosen = [parsed[0] for parsed in inner if parsed is not None]
        is_positive = name != "not"
        return lambda element, budget: (
            any(matches(s, element, budget) for s in chosen) is is_positive
        )
    if name == "has":
        return _has((argument or "").strip())
    number, chosen_of, others = (argument or "").partition(" of ")
    if chosen_of and name in ("nth-child", "nth-last-child"):
        return _nth_of(name, number.strip(), others.strip())
    return simple_pseudo(name, argument)


def _nth_of(name: str, number: str, others: str) -> Test | None:
    """Return the test of `:nth-child(an+b of …)`: counted are siblings that match."""
    selectors = [
        one[0] for each in split_list(others)[:20] if (one := read_selector(each)) is not None
    ]
    counted = nth_of(number)
    if counted is None or not selectors:
        return None

    def test(element: Element, budget: Budget) -> bool:
        if not any(matches(selector, element, budget) for selector in selectors):
            return False
        place = 1
        for node in walk_siblings(element, after="last" in name):
            budget.spend(5)
            other = Element(node.tag or "", node.attributes, node, element.parent)
            place += any(matches(selector, other, budget) for selector in selectors)
        return counted(place)

    return test


def _has(argument: str) -> Test | None:
    """Return the test of `:has()`, for descendants; other relations are not known here."""
    if read_selector(argument) is None:
        return None

    def test(element: Element, budget: Budget) -> bool:
        budget.spend(LOOKED_INSIDE)
        return element.node is not None and element.node.css_first(argument) is not None

    return test


def split_list(prelude: str) -> list[str]:
    """Return the selectors of a list; commas in brackets do not count."""
    if "(" not in prelude and "[" not in prelude:
        return [part.strip() for part in prelude.split(",")]
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(prelude):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif letter == "," and depth <= 0:
            parts.append(prelude[start:at].strip())
            start = at + 1
    return [*parts, prelude[start:].strip()]
