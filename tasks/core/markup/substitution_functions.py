"""The values that `var()`, `env()`, `attr()` and `if()` stand for in the style of an element.

(CSS Variables 1, CSS Environment Variables 1, CSS Values 5.)
"""

from collections.abc import Mapping

import re2

from tasks.core.markup.css import Declarations, expand, is_open_value, is_shorthand
from tasks.core.markup.media_queries import media_holds, supports_holds
from tasks.core.patterns import compiled

_ROUNDS = 5
_CHARACTERS = 1_000
_INSIDE = r"((?:[^()]|\([^()]*\))*)"
_VARIABLE = compiled(rf"var\(\s*(--[^\s,()]+)\s*(?:,{_INSIDE})?\)")
_SURROUNDING = compiled(rf"env\(\s*([a-z0-9 -]+)(?:,{_INSIDE})?\)")
_OWN = compiled(
    rf"attr\(\s*([\w-]+)\s*(?:type\([^()]*(?:\([^()]*\))?\)|[a-z%-]+)?\s*(?:,{_INSIDE})?\)"
)
_CHOICE = compiled(r"if\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
_CONDITION = compiled(r"^\s*(media|supports|style)\((.*)\)\s*$")


def filled_in(
    style: Declarations, variables: Mapping[str, str], attributes: Mapping[str, str | None]
) -> Declarations:
    """Return declarations with what is put into their values, shorthands taken apart."""
    if not any(is_open_value(value) for value in style.values()):
        return style
    filled: Declarations = {}
    for name, value in style.items():
        value = _put_in(value, variables, attributes) if "(" in value else value
        if is_shorthand(name):
            expand(name, value, filled)
        else:
            filled[name] = value
    return filled


def _put_in(value: str, variables: Mapping[str, str], attributes: Mapping[str, str | None]) -> str:
    """Return a value in which nothing is left to be put in, as far as that is known."""
    for _ in range(_ROUNDS):
        if not is_open_value(value) or len(value) > _CHARACTERS:
            break
        before = value
        value = _VARIABLE.sub(
            lambda match: variables.get(match.group(1), match.group(2) or "").strip()[:200], value
        )
        value = _SURROUNDING.sub(_of_surroundings, value)
        value = _OWN.sub(lambda match: _of_attribute(match, attributes), value)
        value = _CHOICE.sub(lambda match: _chosen(match.group(1), variables), value)
        if value == before:
            break
    return value.strip()


def _of_surroundings(match: "re2._Match") -> str:
    """Return what `env()` stands for: a screen without edges, or else what is given instead."""
    return "0px" if match.group(1).startswith("safe-area") else (match.group(2) or "").strip()


def _of_attribute(match: "re2._Match", attributes: Mapping[str, str | None]) -> str:
    """Return what `attr()` stands for."""
    value = attributes.get(match.group(1))
    return value.strip().lower()[:200] if value else (match.group(2) or "").strip()


def _chosen(branches: str, variables: Mapping[str, str]) -> str:
    """Return the value of the first branch of `if()` whose condition holds."""
    for branch in branches.split(";"):
        depth = 0
        for at, branch_part in enumerate(branch):
            depth += (branch_part == "(") - (branch_part == ")")
            if branch_part == ":" and depth == 0:
                if _holds(branch[:at].strip(), variables):
                    return branch[at + 1 :].strip()
                break
    return ""


def _holds(condition: str, variables: Mapping[str, str]) -> bool:
    """Whether a condition of `if()` holds."""
    if condition == "else":
        return True
    match = _CONDITION.match(condition)
    if match is None:
        return False
    kind, inside = match.group(1), match.group(2).strip()
    if kind == "style":
        name, _, default = inside.partition(":")
        value = variables.get(name.strip())
        return value is not None and (not default or value.strip() == default.strip())
    if kind == "supports":
        return supports_holds(f"({inside})" if not inside.startswith("(") else inside)
    return media_holds(f"({inside})" if ":" in inside and not inside.startswith("(") else inside)
