"""Text from outside in places that interpret Markdown."""

import ast
import re
from pathlib import Path
from typing import TypeGuard

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.core.window.invented import HOSTILE
from ui.core.text.inert import (
    JOINER,
    label_words,
    make_inert,
    one_line,
    shorten_middle,
    show_controls,
)

ROOT = Path(__file__).parents[3]
PIECES = st.sampled_from(
    [
        "![x](http://a.example/p.png)",
        "[a](http://a.example)",
        "<img src=x>",
        "www.a.example",
        "mira@a.example",
        ":smile:",
        ":red[x]",
        ":material/bolt:",
        "$x^2$",
        "# head",
        "- point",
        "1. first",
        "> quote",
        "```",
        "***",
        "|a|b|",
        "&amp;",
        "\\",
        "~~gone~~",
        "==mark==",
        "    four",
        "\n\n",
        "plain words",
        "ünïcode",
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=8).map(" ".join))
ACTING = re.compile(r":[\w+-]+:|:\w+\[|https?://|www\.|\S@[\w-]+\.")


@given(TEXTS)
@example(HOSTILE)
def test_markdown_draws_an_inert_label_as_its_own_characters(text: str) -> None:
    """A Markdown parser makes one paragraph of plain text out of it, nothing else."""
    label = make_inert(text)
    tokens = MarkdownIt("commonmark").enable(["strikethrough", "table"]).parse(label)
    kinds = {token.type for token in tokens}
    assert kinds <= {"paragraph_open", "inline", "paragraph_close"}
    inline = [token for token in tokens if token.type == "inline"]
    children = [child for token in inline for child in token.children or ()]
    assert {child.type for child in children} <= {"text", "text_special"}
    drawn = "".join(child.content for child in children).replace(JOINER, "")
    assert drawn.strip() == one_line(text, 240).replace(JOINER, "").strip()


@given(TEXTS)
@example(HOSTILE)
def test_no_rule_over_finished_text_finds_anything(text: str) -> None:
    """Bare links, mail addresses, emoji codes and colour directives are all broken up."""
    drawn = "".join(
        child.content
        for token in MarkdownIt("commonmark").parse(make_inert(text))
        for child in token.children or ()
    )
    assert not ACTING.search(drawn)


@given(st.text(max_size=200))
def test_a_label_is_one_line_of_limited_length(text: str) -> None:
    """No label breaks a layout by its length or its line ends."""
    label = make_inert(text, limit=20)
    assert "\n" not in label
    assert len(one_line(text, 20)) <= 20


def test_direction_and_tag_characters_are_written_out() -> None:
    """What would turn text around or hide in it is seen by the reader."""
    assert show_controls("pay \u202egro.live\u2066") == "pay ‹U+202E›gro.live‹U+2066›"
    assert show_controls("a\U000e0041\U000e0062b\x07") == "a‹hidden: Ab›b‹U+0007›"
    assert show_controls("\U000e0001\U000e007f") == "‹U+E0001›‹U+E007F›"


def test_line_ends_and_joined_emoji_stay() -> None:
    """Bodies keep their lines, and families stay together."""
    assert show_controls("a\r\nb\tc 👩‍👧") == "a\nb\tc 👩‍👧"


@given(TEXTS)
@example(HOSTILE)
@example("![x](http://a.example/p.png) " * 4 + "www.a.example " * 2 + "![x]")
def test_a_label_that_is_only_heard_holds_nothing_but_words(text: str) -> None:
    """Letters, digits and single spaces stay; what Markdown could act on does not."""
    told = label_words(text)
    assert len(told) <= 120
    assert told == " ".join(told.split())
    assert MarkdownIt("commonmark").render(told).strip() in (f"<p>{told}</p>", "")


def test_the_end_of_a_files_name_is_never_cut_off() -> None:
    """What is left out of a long name stands in its middle."""
    name = "A rather long name of a scanned document.pdf.exe"
    assert shorten_middle(name, 24) == "A rather lon…ent.pdf.exe"
    assert len(shorten_middle(name, 24)) <= 24
    assert shorten_middle("short.pdf", 24) == "short.pdf"


def test_notices_are_made_inert_once() -> None:
    """Where they are drawn: what says them gives plain words, else people read the backslashes."""
    for file in sorted((ROOT / "ui").rglob("*.py")):
        calls = [node for node in ast.walk(ast.parse(file.read_text())) if _is_call(node, "say")]
        for call in calls:
            twice = [node for node in ast.walk(call) if _is_call(node, "inert")]
            assert not twice, f"{file.name}, line {call.lineno}"


def _is_call(node: ast.AST, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
