"""What who does not see a page is told: every button has a name, and a case its headings."""

import ast
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

UI = Path(__file__).parents[3] / "ui"
PRESSED = ("button", "popover", "link_button", "download_button")


def test_every_button_has_a_name() -> None:
    """An icon alone is read out as the name of its drawing, which tells nobody what it does."""
    for file in sorted(UI.rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            if call.func.attr in PRESSED and call.args:
                named = not isinstance(call.args[0], ast.Constant) or call.args[0].value
                assert named, f"{file.name}, line {call.lineno}"


def test_the_parts_of_a_case_have_headings(window: Callable[..., AppTest]) -> None:
    """Who goes from heading to heading comes by the case, the mail, the letter and its sources."""
    app = window("review")
    html = [str(entry.proto.body) for entry in app.get("html")]
    headings = [body for body in html if 'role="heading"' in body]
    for name in ("The case", "The mail", "Draft"):
        assert any(f">{name}" in body for body in headings), name
