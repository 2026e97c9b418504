"""Style sheets of a document: their rules by what they are looked up by, and the cascade.

(CSS Cascade 4, CSS Nesting 1.) Rules that set nothing that matters for being seen are dropped.
"""

from dataclasses import dataclass, field

import re2

from tasks.markup.css import Declarations, read_declarations
from tasks.markup.css_text import without_comments
from tasks.markup.elements import Budget, Element
from tasks.markup.media import media_holds, supports_holds
from tasks.markup.selectors import Selector, matches, read_selector, split_list

SHEET_CHARACTERS = 1_000_000
"""Characters of all style sheets that are read."""
SELECTORS = 200
"""Selectors of one rule that are read."""
MARKS = 20_000
"""Braces, semicolons, strings and brackets of all sheets that are read."""
NESTING = 20
"""Blocks inside each other that are read."""

_STRUCTURE = re2.compile(
    r"""(?s)"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\\.|\([^()"'{}]*\)|[{};]"""
)
_LAST_STEPS = frozenset({"to", "100%"})
_MARKUP_COMMENT = re2.compile(r"<!--|-->")


@dataclass(slots=True)
class Rule:
    """What one selector sets."""

    selector: Selector
    weight: tuple[int, int]
    """Specificity and position."""
    ordinary: Declarations
    important: Declarations


@dataclass
class Sheets:
    """The rules of all style sheets of a document."""

    by_key: dict[str, list[Rule]] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    read: int = 0
    """Characters read."""
    marks: int = 0
    """Braces and the like read."""
    count: int = 0
    frames: dict[str, Declarations] = field(default_factory=dict)
    """How animations end, by their names."""
    cut: bool = False
    """Whether some of the sheets was too long to be read."""
    _known: dict[tuple[str, str | None, str | None], tuple[Declarations, Declarations]] = field(
        default_factory=dict
    )
    _merged: dict[tuple[int, ...], tuple[Declarations, Declarations]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return bool(self.by_key)

    def add(self, sheet: str, media: str = "") -> None:
        """Add the rules of one style sheet that holds for `media`."""
        if not media_holds(media.lower()):
            return
        room = SHEET_CHARACTERS - self.read
        self.cut = self.cut or len(sheet) > room
        self.read += len(sheet)
        text = without_comments(_MARKUP_COMMENT.sub(" ", sheet[: max(room, 0)])).lower()
        _read_blocks(text, self)

    def add_rule(self, selectors: tuple[str, ...], body: str) -> None:
        """Add one rule under each of its selectors."""
        ordinary, important = read_declarations(body)
        if not ordinary and not important:
            return
        for text in selectors:
            if (found := read_selector(text)) is None:
                continue
            selector, specificity = found
            self.count += 1
            rule = Rule(selector, (specificity, self.count), ordinary, important)
            self.by_key.setdefault(selector[-1].key, []).append(rule)

    def known(
        self, tag: str, classes: str | None, identity: str | None
    ) -> tuple[Declarations, Declarations] | None:
        """Return what is declared for such an element wherever it stands, if that is known."""
        return self._known.get((tag, classes, identity))

    def style_of(
        self, element: Element, *, loosely: bool = False
    ) -> tuple[Declarations, Declarations]:
        """Return what the sheets declare for an element: ordinary and important; not to be changed.

        `loosely` is for an element of which nobody knows where it stands: what selectors ask of
        others counts as given.

        Raises:
            SheetTooCostlyError: the document's budget is used up.
        """
        found: list[Rule] = []
        simple = True
        names = ("*", element.tag, f"#{element.identity}", *(f".{one}" for one in element.classes))
        for name in dict.fromkeys(names):
            for rule in self.by_key.get(name, ()):
                self.budget.spend()
                if len(rule.selector) == 1 and rule.selector[0].bare:
                    found.append(rule)
                    continue
                simple = simple and len(rule.selector) == 1 and not rule.selector[0].tests
                selector = rule.selector[-1:] if loosely else rule.selector
                if matches(selector, element, self.budget):
                    found.append(rule)
        merged = self._merge(sorted(found, key=lambda one: one.weight))
        if simple:
            attributes = element.attributes
            self._known[element.tag, attributes.get("class"), attributes.get("id")] = merged
        return merged

    def _merge(self, rules: list[Rule]) -> tuple[Declarations, Declarations]:
        """Return what rules declare together, the last one winning; the same object each time."""
        key = tuple(rule.weight[1] for rule in rules)
        if key not in self._merged:
            ordinary: Declarations = {}
            important: Declarations = {}
            for rule in rules:
                ordinary.update(rule.ordinary)
                important.update(rule.important)
            self._merged[key] = (ordinary, important)
        return self._merged[key]


@dataclass(slots=True)
class _Block:
    """An open block: of a rule, or of an at-rule."""

    selectors: tuple[str, ...]
    holds: bool
    """Whether its rules count for our reader."""
    animation: str = ""
    """Of which animation it holds the steps, or is one."""


def _read_blocks(text: str, sheets: Sheets) -> None:
    """Add the rules of a sheet without comments, in lower case."""
    stack: list[_Block] = [_Block((), holds=True)]
    start = semicolon = too_deep = 0
    for match in _STRUCTURE.finditer(text):
        mark, at = match.group(0), match.start()
        sheets.marks += 1
        if sheets.marks > MARKS:
            sheets.cut = True
            return
        if mark == ";":
            semicolon = at + 1
            if not stack[-1].selectors:
                start = at + 1
        elif mark == "{":
            if len(stack) > NESTING:
                too_deep += 1
                continue
            outer = stack[-1]
            begin = max(start, semicolon)
            if outer.selectors and outer.holds and begin > start:
                sheets.add_rule(outer.selectors, text[start:begin])
            stack.append(_opened(text[begin:at].strip(), outer))
            start = semicolon = at + 1
        elif mark == "}":
            if too_deep:
                too_deep -= 1
            elif len(stack) > 1:
                block = stack.pop()
                if block.selectors and block.holds:
                    sheets.add_rule(block.selectors, text[start:at])
                elif block.animation and not _LAST_STEPS.isdisjoint(block.selectors):
                    sheets.frames[block.animation] = read_declarations(text[start:at])[0]
                start = semicolon = at + 1
            else:
                start = semicolon = at + 1
    if len(stack) > 1 and stack[-1].selectors and stack[-1].holds:
        sheets.add_rule(stack[-1].selectors, text[start:])


def _opened(prelude: str, outer: _Block) -> _Block:
    """Return the block that begins after `prelude`."""
    if not prelude.startswith("@"):
        inner = split_list(prelude)
        if outer.selectors:
            inner = [
                one.replace("&", parent) if "&" in one else f"{parent} {one}"
                for parent in outer.selectors[:5]
                for one in inner
            ]
        return _Block(tuple(inner[:SELECTORS]), outer.holds, outer.animation)
    name, _, condition = prelude.partition(" ")
    if name.endswith("keyframes"):
        return _Block((), holds=False, animation=condition.strip("\"' "))
    name, bracket, rest = name.partition("(")
    condition = f"({rest} {condition}" if bracket else condition
    holds = {
        "@media": media_holds(condition.strip()) if name == "@media" else False,
        "@supports": name == "@supports" and supports_holds(condition.strip()),
        "@layer": True,
        "@scope": True,
        "@container": True,
    }.get(name, False)
    return _Block(outer.selectors, outer.holds and holds)
