"""Style sheets of a document: their rules by what they are looked up by, and the cascade.

(CSS Cascade 4, CSS Nesting 1.) Rules that set nothing that matters for being seen are dropped.
"""

from dataclasses import dataclass, field
from itertools import islice

from tasks.core.markup.css import Declarations, read_declarations
from tasks.core.markup.css_text import without_comments
from tasks.core.markup.elements import Budget, Element
from tasks.core.markup.leftover import imported_sheets
from tasks.core.markup.media_queries import media_holds, supports_holds
from tasks.core.markup.selectors import Selector, matches, read_selector, split_list
from tasks.core.patterns import compiled

SHEET_CHARACTERS = 1_000_000
"""Characters of all style sheets that are read."""
SELECTORS = 200
"""Selectors of one rule that are read."""
MARKS = 20_000
"""Braces, semicolons, strings and brackets of all sheets that are read."""
RULES = 20_000
"""Rules of all sheets, one for each selector."""
NESTING = 20
"""Blocks inside each other that are read."""

_STRUCTURE = compiled(r"""(?s)"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\\.|\([^()"'{}]*\)|[{};]""")
UNLAYERED = 1_000_000
"""Rank of rules outside of all layers."""
IMPORTS = 3
"""Sheets that import one another."""
HIDING_RULES = 500
"""Rules that hide that are read of the rest of a sheet that is too long."""
_HIDES = compiled(
    r"([^{}]+)\{([^{}]*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0"
    r"|font-size\s*:\s*0)[^{}]*)\}"
)
_INITIAL = compiled(r"initial-value\s*:\s*([^;{}]+)")
_ROOT = compiled(r"^\s*\(((?:[^()]|\([^()]*\))*)\)")
_LAST_STEPS = frozenset({"to", "100%"})
_MARKUP_COMMENT = compiled(r"<!--|-->")


@dataclass(slots=True)
class StyleRule:
    """What one selector sets."""

    selector: Selector
    weight: tuple[int, int, int]
    """Layer, specificity and position; without a layer it comes after all of them."""
    ordinary: Declarations
    important: Declarations


@dataclass
class Sheets:
    """The rules of all style sheets of a document."""

    by_key: dict[str, list[StyleRule]] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    read: int = 0
    """Characters read."""
    marks: int = 0
    """Braces and the like read."""
    count: int = 0
    layers: dict[str, int] = field(default_factory=dict)
    """Layers in the order in which they are named first."""
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

    def add(self, sheet: str, media: str = "", *, depth: int = 0) -> None:
        """Add the rules of one style sheet that holds for `media`, after those it imports."""
        if not media_holds(media.lower()):
            return
        if depth < IMPORTS:
            for inner, holds_for in imported_sheets(sheet):
                self.add(inner, holds_for, depth=depth + 1)
        room = SHEET_CHARACTERS - self.read
        self.cut = self.cut or len(sheet) > room
        self.read += len(sheet)
        text = without_comments(_MARKUP_COMMENT.sub(" ", sheet[: max(room, 0)])).lower()
        _read_blocks(text, self)
        if len(sheet) > room:
            _read_hiding(sheet[max(room, 0) :].lower(), self)

    def add_rule(self, selectors: tuple[str, ...], body: str, layer: int = UNLAYERED) -> None:
        """Add one rule under each of its selectors.

        A browser throws a rule away for one selector that it does not know, and nobody can tell
        whether it knows what is not known here. So of such a rule only what hides counts.
        """
        if self.count >= RULES:
            self.cut = True
            return
        ordinary, important = read_declarations(body)
        read = [read_selector(text) for text in selectors]
        if None in read:
            ordinary, important = _hiding_only(ordinary), _hiding_only(important)
        if not ordinary and not important:
            return
        for read_rule in read:
            if read_rule is None:
                continue
            selector, specificity = read_rule
            self.count += 1
            rule = StyleRule(selector, (layer, specificity, self.count), ordinary, important)
            self.by_key.setdefault(selector[-1].key, []).append(rule)

    def layer(self, name: str) -> int:
        """Return the rank of a layer; one without a name is a layer of its own."""
        return self.layers.setdefault(name or f" {len(self.layers)}", len(self.layers))

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
        style_rules: list[StyleRule] = []
        simple = True
        names = (
            "*",
            element.tag,
            f"#{element.identity}",
            *(f".{class_}" for class_ in element.classes),
        )
        for name in dict.fromkeys(names):
            for rule in self.by_key.get(name, ()):
                self.budget.spend()
                if len(rule.selector) == 1 and rule.selector[0].bare:
                    style_rules.append(rule)
                    continue
                simple = simple and len(rule.selector) == 1 and not rule.selector[0].tests
                selector = rule.selector[-1:] if loosely else rule.selector
                if matches(selector, element, self.budget):
                    style_rules.append(rule)
        merged = self._merge(sorted(style_rules, key=lambda style_rule: style_rule.weight))
        if simple:
            attributes = element.attributes
            self._known[element.tag, attributes.get("class"), attributes.get("id")] = merged
        return merged

    def _merge(self, rules: list[StyleRule]) -> tuple[Declarations, Declarations]:
        """Return what rules declare together, the last one winning; the same object each time."""
        key = tuple(rule.weight[2] for rule in rules)
        if key not in self._merged:
            ordinary: Declarations = {}
            important: Declarations = {}
            for rule in rules:
                ordinary.update(rule.ordinary)
            # What is important counts the more, the earlier its layer (CSS Cascade 5).
            for rule in sorted(rules, key=lambda rule: (-rule.weight[0], *rule.weight[1:])):
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
    layer: int = UNLAYERED
    registered: str = ""
    """Which custom property it registers."""


def _read_blocks(text: str, sheets: Sheets) -> None:
    """Add the rules of a sheet without comments, in lower case."""
    stack: list[_Block] = [_Block((), holds=True)]
    start = semicolon = too_deep = 0
    for match in _STRUCTURE.finditer(text):
        mark, at = match.group(0), match.start()
        sheets.marks += 1
        if sheets.marks > MARKS:
            sheets.cut = True
            _read_hiding(text[at:], sheets)
            return
        if mark == ";":
            if text.startswith("@layer", max(start, semicolon)):
                for name in text[max(start, semicolon) + 6 : at].split(","):
                    sheets.layer(name.strip())
            semicolon = at + 1
            if not stack[-1].selectors and not stack[-1].registered:
                start = at + 1
        elif mark == "{":
            if len(stack) > NESTING:
                too_deep += 1
                continue
            outer = stack[-1]
            begin = max(start, semicolon)
            if outer.selectors and outer.holds and begin > start:
                sheets.add_rule(outer.selectors, text[start:begin], outer.layer)
            stack.append(_open_block(text[begin:at].strip(), outer, sheets))
            start = semicolon = at + 1
        elif mark == "}":
            if too_deep:
                too_deep -= 1
            elif len(stack) > 1:
                block = stack.pop()
                if block.registered and (value := _INITIAL.search(text[start:at])):
                    sheets.add_rule(("html",), f"{block.registered}:{value.group(1)}", -1)
                elif block.selectors and block.holds:
                    sheets.add_rule(block.selectors, text[start:at], block.layer)
                elif block.animation and not _LAST_STEPS.isdisjoint(block.selectors):
                    sheets.frames[block.animation] = read_declarations(text[start:at])[0]
                start = semicolon = at + 1
            else:
                start = semicolon = at + 1
    if len(stack) > 1 and stack[-1].selectors and stack[-1].holds:
        sheets.add_rule(stack[-1].selectors, text[start:], stack[-1].layer)


def _read_hiding(text: str, sheets: Sheets) -> None:
    """Add of the rest of a sheet that is too long the rules that hide, whatever they stand in."""
    for match in islice(_HIDES.finditer(text), HIDING_RULES):
        sheets.add_rule(tuple(split_list(match.group(1).strip())[:SELECTORS]), match.group(2))


def _hiding_only(declared: Declarations) -> Declarations:
    """Return those of the declarations that can only hide."""
    hiding = {"display": ("none",), "visibility": ("hidden", "collapse")}
    return {name: value for name, value in declared.items() if value in hiding.get(name, ())}


def _open_block(prelude: str, outer: _Block, sheets: Sheets) -> _Block:
    """Return the block that begins after `prelude`."""
    if not prelude.startswith("@"):
        inner = split_list(prelude)
        if outer.selectors:
            inner = [
                selector.replace("&", parent).replace(":scope", parent)
                if "&" in selector or ":scope" in selector
                else f"{parent} {selector}"
                for parent in outer.selectors[:5]
                for selector in inner
            ]
        return _Block(tuple(inner[:SELECTORS]), outer.holds, outer.animation, outer.layer)
    name, _, condition = prelude.partition(" ")
    if name.endswith("keyframes"):
        return _Block((), holds=False, animation=condition.strip("\"' "))
    if name == "@property":
        return _Block((), holds=False, registered=condition.strip())
    if name == "@layer":
        return _Block(outer.selectors, outer.holds, layer=sheets.layer(condition.strip()))
    if name == "@scope" and (root := _ROOT.match(condition)):
        return _Block(tuple(split_list(root.group(1))[:5]), outer.holds, layer=outer.layer)
    name, bracket, rest = name.partition("(")
    condition = f"({rest} {condition}" if bracket else condition
    holds = {
        "@media": media_holds(condition.strip()) if name == "@media" else False,
        "@supports": name == "@supports" and supports_holds(condition.strip()),
        "@scope": True,
        "@container": True,
    }.get(name, False)
    return _Block(outer.selectors, outer.holds and holds, layer=outer.layer)
