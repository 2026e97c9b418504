"""Pseudo-classes of selectors that ask about one element and where it stands (Selectors 4).

What needs other selectors (`:not()`, `:is()`, `:has()`) is read in `selectors`.
"""

from tasks.core.markup.elements import Budget, Element, Test, is_last, nth, place_of

_NEVER = frozenset({
    "hover", "focus", "active", "visited", "target", "focus-within", "focus-visible", "before",
    "after", "first-letter", "selection", "placeholder", "marker", "backdrop", "invalid",
    "user-invalid", "user-valid", "fullscreen", "modal", "popover-open", "autofill", "open",
    "placeholder-shown", "out-of-range", "in-range", "indeterminate", "default", "host",
    "file-selector-button", "grammar-error", "spelling-error", "target-text", "details-content",
})  # fmt: skip
"""Of what is not the case when mail is opened, and parts that hold no words of the mail."""
_ALWAYS = frozenset({"defined", "scope", "first-line"})
"""`::first-line` with them: what hides it hides a text of one line."""
_FIELDS = frozenset({"input", "select", "textarea", "button", "option", "optgroup", "fieldset"})
_CHECKED = frozenset({"form", "fieldset", *_FIELDS})


def simple_pseudo(name: str, argument: str | None) -> Test | None:
    """Return the test of a pseudo-class or pseudo-element, or None when it is not known."""
    if name in _NEVER or name in _ALWAYS or name.startswith("-"):
        return lambda _element, _budget: name in _ALWAYS
    if name in ("nth-child", "nth-of-type", "nth-last-child", "nth-last-of-type"):
        return nth(name, (argument or "").strip())
    if name in ("lang", "dir"):
        names_wanted = [part.strip("\"' *-") for part in (argument or "").lower().split(",")]
        return lambda element, budget: _inherits(element, name, names_wanted, budget)
    return {
        "link": lambda element, _: element.tag == "a" and "href" in element.attributes,
        "any-link": lambda element, _: element.tag == "a" and "href" in element.attributes,
        "root": lambda element, _: element.tag == "html",
        "empty": lambda element, _: element.node is not None and not element.node.first_child,
        "first-child": lambda element, budget: place_of(element, name, budget) == 1,
        "first-of-type": lambda element, budget: place_of(element, name, budget) == 1,
        "only-of-type": lambda element, budget: (
            place_of(element, name, budget) == 1 and is_last(element, "last-of-type", budget)
        ),
        "last-child": lambda element, budget: is_last(element, name, budget),
        "only-child": lambda element, budget: is_last(element, name, budget),
        "last-of-type": lambda element, budget: is_last(element, name, budget),
        "checked": lambda element, _: not {"checked", "selected"}.isdisjoint(element.attributes),
        "disabled": lambda element, _: element.tag in _FIELDS and "disabled" in element.attributes,
        "enabled": lambda element, _: (
            element.tag in _FIELDS and "disabled" not in element.attributes
        ),
        "required": lambda element, _: "required" in element.attributes,
        "optional": lambda element, _: (
            element.tag in _FIELDS and "required" not in element.attributes
        ),
        "valid": lambda element, _: element.tag in _CHECKED,
        "read-only": lambda element, _: not _is_written_in(element),
        "read-write": lambda element, _: _is_written_in(element),
    }.get(name)


def _is_written_in(element: Element) -> bool:
    """Whether a person can write in an element."""
    return "contenteditable" in element.attributes or (
        element.tag in ("input", "textarea") and "readonly" not in element.attributes
    )


def _inherits(element: Element, name: str, names_wanted: list[str], budget: Budget) -> bool:
    """Whether language or direction, said by the nearest element around, is one of these."""
    ancestor: Element | None = element
    while ancestor is not None:
        budget.spend()
        if value := ancestor.attributes.get(name):
            value = value.strip().lower()
            return any(value == each or value.startswith(f"{each}-") for each in names_wanted)
        ancestor = ancestor.parent
    return name == "dir" and "ltr" in names_wanted
