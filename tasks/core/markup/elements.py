"""Elements as selectors see them, where they stand among others, and what looking may cost."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from tasks.core.patterns import compiled

_NTH = compiled(r"^([+-]?[0-9]*)n(?:\s*([+-])\s*([0-9]+))?$")


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


def walk_siblings(element: Element, *, after: bool = False) -> Iterator[LexborNode]:
    """Yield the elements before or after an element, from the nearest."""
    node = element.node
    while node is not None:
        node = node.next if after else node.prev
        if node is not None and node.is_element_node:
            yield node


def place_of(element: Element, name: str, budget: Budget) -> int:
    """Return the element's number among its siblings, or among those of its tag."""
    place = 1
    for sibling in walk_siblings(element, after="last" in name):
        budget.spend()
        place += not name.endswith("type") or sibling.tag == element.tag
    return place


def is_last(element: Element, name: str, budget: Budget) -> bool:
    """Return whether an element is the last of its siblings, of its tag, or the only one."""
    for node in walk_siblings(element, after=True):
        budget.spend()
        if name != "last-of-type" or node.tag == element.tag:
            return False
    return name != "only-child" or place_of(element, name, budget) == 1


def nth_of(argument: str) -> Callable[[int], bool] | None:
    """Return whether a number is one of `an+b`, or None when that cannot be read."""
    argument = {"odd": "2n+1", "even": "2n"}.get(argument, argument)
    if argument.isdecimal():
        step, start = 0, int(argument[:6])
    elif match := _NTH.match(argument):
        steps = match.group(1)
        step = int(steps[:6]) if steps not in ("", "+", "-") else (-1 if steps == "-" else 1)
        start = int((match.group(2) or "+") + (match.group(3) or "0")[:6])
    else:
        return None

    def is_counted(place: int) -> bool:
        offset = place - start
        return offset == 0 if step == 0 else offset % step == 0 and offset // step >= 0

    return is_counted


def nth(name: str, argument: str) -> Test | None:
    """Return the test of `:nth-child(an+b)`."""
    is_counted = nth_of(argument)
    if is_counted is None:
        return None
    return lambda element, budget: is_counted(place_of(element, name, budget))
