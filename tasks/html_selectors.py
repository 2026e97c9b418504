"""Selectors of style sheets, and whether they match an element (Selectors 4).

All is compared in lower case, as browsers do for pages without a document type. The work is counted
against a budget, because a sheet can ask for much more than linear time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import re2
from selectolax.lexbor import LexborNode

from tasks.html_css import unescape

COMPOUNDS = 12
"""Simple selectors in a row of one selector; a longer one is taken for unreadable."""

_IDENT = r"(?:[\w-]|\\.|[^\x00-\x7f])+"
_TOKEN = re2.compile(
    rf"\s*(?:([>+~])\s*|([*]|{_IDENT})|\.({_IDENT})|\#({_IDENT})"
    r"|\[([^\[\]]*)\]|::?([a-z-]+)(?:\(([^()]*)\))?)"
)
_ATTRIBUTE = re2.compile(
    r"""^\s*([^\s=~|^$*"']+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s"']*))\s*(?:[is]\s*)?)?$"""
)
_NTH = re2.compile(r"^([+-]?[0-9]*)n(?:\s*([+-])\s*([0-9]+))?$")
_NEVER = frozenset({
    "hover", "focus", "active", "visited", "target", "checked", "disabled", "focus-within",
    "focus-visible", "before", "after", "first-line", "first-letter", "selection", "placeholder",
    "marker", "backdrop", "-webkit-scrollbar", "-moz-selection", "-moz-focus-inner", "invalid",
})  # fmt: skip
_ALWAYS = frozenset({"enabled", "defined", "scope"})


class SheetTooCostlyError(Exception):
    """Matching a document's style sheets has used up its budget."""


@dataclass(slots=True)
class Budget:
    """Steps of matching that one document may still cost."""

    steps: int = 400_000

    def spend(self, steps: int = 1) -> None:
        """Count steps.

        Raises:
            SheetTooCostlyError: none are left.
        """
        self.steps -= steps
        if self.steps < 0:
            raise SheetTooCostlyError


@dataclass(slots=True)
class Element:
    """An element as selectors see it, with the one that holds it."""

    tag: str
    attributes: dict[str, str | None]
    node: LexborNode | None
    """Where it stands among its siblings; None when that is not known."""
    parent: "Element | None"
    identity: str = ""
    classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Take identity and classes out of the attributes."""
        self.identity = (self.attributes.get("id") or "").lower()
        self.classes = tuple((self.attributes.get("class") or "").lower().split()[:50])


Test = Callable[[Element, Budget], bool]


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
        combinator, tag, name, identity, attribute, pseudo, argument = match.groups()
        space = text[at].isspace()
        at = match.end()
        current = compounds[-1]
        if combinator or space:
            if compounds[-1].combinator not in (">", "+", "~") or _filled(current):
                compounds.append(Compound(combinator=combinator or " "))
            current = compounds[-1]
            if combinator:
                continue
        if tag:
            current.tag = unescape(tag)
            weight += tag != "*"
        elif name:
            current.classes.append(unescape(name).lower())
            weight += 100
        elif identity:
            current.identity = unescape(identity).lower()
            weight += 10_000
        else:
            test = _attribute(attribute) if attribute is not None else _pseudo(pseudo, argument)
            if test is None:
                return None
            current.tests.append(test)
            weight += 100 if pseudo not in ("where",) else 0
    if len(compounds) > COMPOUNDS or not all(_filled(one) for one in compounds):
        return None
    return tuple(compounds), weight


def _filled(compound: Compound) -> bool:
    """Whether anything was read into a compound."""
    return bool(compound.tag or compound.identity or compound.classes or compound.tests)


def matches(selector: Selector, element: Element, budget: Budget) -> bool:
    """Return whether a selector matches, from right to left.

    Raises:
        SheetTooCostlyError: the budget is used up.
    """
    last = len(selector) - 1
    return selector[last].holds(element, budget) and _left(selector, last, element, budget)


def _left(selector: Selector, at: int, element: Element, budget: Budget) -> bool:
    """Whether what stands left of position `at` matches around `element`."""
    if at == 0:
        return True
    combinator = selector[at].combinator
    around = {">": _parent, "+": _before, "~": _all_before}.get(combinator, _ancestors)
    return any(
        selector[at - 1].holds(one, budget) and _left(selector, at - 1, one, budget)
        for one in around(element)
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
    node = element.node.prev if element.node else None
    while node is not None:
        if node.is_element_node:
            yield Element(node.tag or "", node.attributes, node, element.parent)
        node = node.prev


def _before(element: Element) -> Iterator[Element]:
    for one in _all_before(element):
        yield one
        return


def _attribute(inside: str) -> Test | None:
    """Return the test of `[name]` or `[name=value]`."""
    match = _ATTRIBUTE.match(inside)
    if match is None:
        return None
    name, sign = match.group(1), match.group(2)
    wanted = unescape(match.group(3) or match.group(4) or match.group(5) or "")

    def test(element: Element, _: Budget) -> bool:
        if name not in element.attributes:
            return False
        value = (element.attributes[name] or "").lower()
        if sign is None or sign == "=":
            return sign is None or value == wanted
        if not wanted:
            return False
        return {
            "~=": wanted in value.split(),
            "|=": value == wanted or value.startswith(f"{wanted}-"),
            "^=": value.startswith(wanted),
            "$=": value.endswith(wanted),
            "*=": wanted in value,
        }[sign]

    return test


def _pseudo(name: str, argument: str | None) -> Test | None:
    """Return the test of a pseudo-class, or None when it is not known."""
    if name in _NEVER or name in _ALWAYS:
        return lambda _element, _budget: name in _ALWAYS
    if name in ("not", "is", "where", "matches", "-webkit-any", "-moz-any"):
        inner = [read_selector(one) for one in (argument or "").split(",")[:20]]
        chosen = [one[0] for one in inner if one is not None]
        wanted = name != "not"
        return lambda element, budget: any(matches(s, element, budget) for s in chosen) is wanted
    if name in ("nth-child", "nth-of-type"):
        return _nth(name, (argument or "").strip())
    return {
        "link": lambda element, _: element.tag == "a" and "href" in element.attributes,
        "any-link": lambda element, _: element.tag == "a" and "href" in element.attributes,
        "root": lambda element, _: element.tag == "html",
        "empty": lambda element, _: element.node is not None and not element.node.first_child,
        "first-child": lambda element, budget: _place(element, name, budget) == 1,
        "first-of-type": lambda element, budget: _place(element, name, budget) == 1,
        "last-child": lambda element, budget: _is_last(element, name, budget),
        "only-child": lambda element, budget: _is_last(element, name, budget),
        "last-of-type": lambda element, budget: _is_last(element, name, budget),
    }.get(name)


def _place(element: Element, name: str, budget: Budget) -> int:
    """Return the element's number among its siblings, or among those of its tag."""
    place = 1
    for one in _all_before(element):
        budget.spend()
        place += not name.endswith("type") or one.tag == element.tag
    return place


def _is_last(element: Element, name: str, budget: Budget) -> bool:
    node = element.node.next if element.node else None
    while node is not None:
        budget.spend()
        if node.is_element_node and (name != "last-of-type" or node.tag == element.tag):
            return False
        node = node.next
    return name != "only-child" or _place(element, name, budget) == 1


def _nth(name: str, argument: str) -> Test | None:
    """Return the test of `:nth-child(an+b)`."""
    argument = {"odd": "2n+1", "even": "2n"}.get(argument, argument)
    if argument.isdecimal():
        step, start = 0, int(argument[:6])
    elif match := _NTH.match(argument):
        steps = match.group(1)
        step = int(steps[:6]) if steps not in ("", "+", "-") else (-1 if steps == "-" else 1)
        start = int((match.group(2) or "+") + (match.group(3) or "0")[:6])
    else:
        return None

    def test(element: Element, budget: Budget) -> bool:
        offset = _place(element, name, budget) - start
        return offset == 0 if step == 0 else offset % step == 0 and offset // step >= 0

    return test
