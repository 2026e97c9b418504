"""The parts of CSS that decide what is seen: colours, media, selectors, the cascade."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from tasks.core.markup.color import read_attribute_color, read_color, too_near
from tasks.core.markup.css import read_declarations
from tasks.core.markup.css_text import unescape
from tasks.core.markup.elements import Budget, Element, SheetTooCostlyError
from tasks.core.markup.media_queries import media_holds
from tasks.core.markup.selectors import matches, read_selector
from tasks.core.markup.text import read_html


@pytest.mark.parametrize(
    ("value", "color"),
    [
        ("#abc", (170, 187, 204, 1.0)),
        ("#aabbcc80", (170, 187, 204, 128 / 255)),
        ("rgb(1, 2, 3)", (1, 2, 3, 1.0)),
        ("rgba(100% 0% 0% / 50%)", (255, 0, 0, 0.5)),
        ("hsl(120, 100%, 50%)", (0, 255, 0, 1.0)),
        ("hsla(0.5turn 100% 50% / .2)", (0, 255, 255, 0.2)),
        ("hwb(0 100% 0%)", (255, 255, 255, 1.0)),
        ("rebeccapurple", (102, 51, 153, 1.0)),
        ("transparent", (0, 0, 0, 0.0)),
        ("oklch(1 0 0)", (255, 255, 255, 1.0)),
        ("lab(0% 0 0)", (0, 0, 0, 1.0)),
        ("color(srgb 1 0 0 / 50%)", (255, 0, 0, 0.5)),
        ("light-dark(#fff, #000)", (255, 255, 255, 1.0)),
        ("nonsense", None),
    ],
)
def test_colors_of_css(value: str, color: tuple[float, ...] | None) -> None:
    """Colours are read in every spelling that mail programs know."""
    assert read_color(value) == color


def test_colors_of_attributes_are_made_of_any_word() -> None:
    """HTML makes a colour of whatever an attribute says."""
    assert read_attribute_color("#FFFFFF") == (255, 255, 255, 1.0)
    assert read_attribute_color("chucknorris") == (0xC0, 0, 0, 1.0)
    assert read_attribute_color("") is None


@pytest.mark.parametrize(
    ("text", "ground", "near"),
    [
        ("#ffffff", "#ffffff", True),
        ("#f2f2f2", "#ffffff", True),
        ("#cccccc", "#ffffff", False),
        ("#000000", "#0f0f0f", True),
        ("#000000", "#333333", False),
        ("#ffff00", "#ffffff", False),
        ("#ff0000", "#008000", False),
    ],
)
def test_nearness_is_by_contrast_and_hue(text: str, ground: str, near: bool) -> None:
    """Text vanishes where neither lightness nor hue tells it from its ground."""
    one, other = read_color(text), read_color(ground)
    assert one is not None
    assert other is not None
    assert too_near(one[:3], other[:3]) is near


@pytest.mark.parametrize(
    ("style", "ordinary", "important"),
    [
        ("color:red;color:nonsense", {"color": "red"}, {}),
        ("color:red!important;color:blue", {"color": "blue"}, {"color": "red"}),
        ("margin:1px 2px", {
            "margin-top": "1px", "margin-right": "2px", "margin-bottom": "1px",
            "margin-left": "2px",
        }, {}),
        ("font:italic 700 0/1 Arial", {"font-size": "0", "line-height": "1"}, {}),
        ("background:#fff url(x;y) no-repeat", {
            "background-color": "#fff", "background-image": "#fff url(x;y) no-repeat",
        }, {}),
        ("content:';display:none';opacity:1", {"opacity": "1"}, {}),
        ("display:none /* ; */; /* opacity:0 */ zoom:1", {"display": "none", "zoom": "1"}, {}),
        ("display", {}, {}),
    ],
)  # fmt: skip
def test_declarations(style: str, ordinary: dict[str, str], important: dict[str, str]) -> None:
    """Declarations are read as browsers read them: what is invalid does not count."""
    assert read_declarations(style) == (ordinary, important)


def test_escapes() -> None:
    """Escapes stand for characters, by number or as they are."""
    assert unescape(r"\64 isplay\:\000041x") == "display:\U00000041x"


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("", True),
        ("screen", True),
        ("print", False),
        ("not print", True),
        ("only screen and (max-width: 600px)", False),
        ("print, screen and (min-width:30em)", True),
        ("(400px <= width <= 2000px)", True),
        ("(width < 400px)", False),
        ("(prefers-color-scheme: dark)", False),
        ("not all and (monochrome)", True),
        ("(min-width: 1px) and (not (hover: none))", True),
        ("(orientation: portrait) or (color)", True),
        ("(unheard-of: 1)", False),
        ("screen and (-webkit-min-device-pixel-ratio: 0)", True),
    ],
)
def test_media_queries_are_asked_for_a_person_at_a_desk(query: str, holds: bool) -> None:
    """A query holds when it does for a wide, light screen in colour."""
    assert media_holds(query) is holds


PAGE = "<div class='outer dark' id=top><p lang=en-GB>one</p><p class=x data-k='a b'>two</p></div>"


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("p", True), (".x", True), ("*", True), ("p.x", True), ("div.x", False),
        (".outer p", True), ("#top > p.x", True), ("body > p", False), ("p + p", True),
        ("p ~ .x", True), (".x + p", False), ("[data-k]", True), ("[data-k~='b']", True),
        ("[data-k^=a]", True), ("[data-k=c]", False), ("p:not(.y)", True), ("p:not(.x)", False),
        (":nth-child(2)", True), (":nth-child(2n+1)", False), (":last-child", True),
        (":first-child", False), (":is(.x, .y)", True), ("p:hover", False), ("p::before", False),
        ("html .dark .x", True), (".dark.outer > .x", True), ("> p", False), ("p:unheard", False),
    ],
)  # fmt: skip
def test_selectors(selector: str, found: bool) -> None:
    """Selectors match as in a browser; one that cannot be read matches nothing."""
    node = LexborHTMLParser(PAGE).css_first(".x")
    chain = []
    while node is not None and node.is_element_node:
        chain.append(node)
        node = node.parent
    element = None
    for one in reversed(chain):
        element = Element(one.tag or "", one.attributes, one, element)
    assert element is not None
    read = read_selector(selector)
    assert (read is not None and matches(read[0], element, Budget())) is found


def test_matching_has_a_budget() -> None:
    """A sheet that asks for more than a bounded number of steps is given up, and it is said."""
    read = read_selector("a b c d")
    node = LexborHTMLParser("<d>").css_first("d")
    element = Element("d", {}, node, None)
    assert read is not None
    with pytest.raises(SheetTooCostlyError):
        matches(read[0], element, Budget(steps=0))
    reading = read_html("<style>x div div div div{color:red}</style>" + "<div>" * 300 + "seen")
    assert reading.text == "seen"
    assert "style sheets are too costly to be read" in reading.defects


def test_later_sheets_count_for_what_stands_before() -> None:
    """A style sheet at the end of the page hides text at its beginning."""
    reading = read_html("<p>seen</p><p class=q>zebra</p><style>.q{display:none}</style>")
    assert reading.text == "seen"
    assert reading.hidden[0].text == "zebra"


@pytest.mark.parametrize(
    "secret",
    [
        "<p style='display:none'>zebra</p>",
        "<p title='a>b' style=display:none>zebra</p>",
        "<p title='a<b' style='font-size:0'>zebra</p>",
        "<div hidden><table></div>zebra</table></div>",
        "<p class=q>zebra</p>",
        "<div style='color:#fff'><b>zebra</b></div>",
        "<!-- zebra -->",
        "<script>zebra</script>",
        "<template><p>zebra</template>",
    ],
)
def test_tangled_pages_hide_nothing_more(secret: str) -> None:
    """Hundreds of open elements do not bring hidden text into what is read."""
    sheet = "<style>.x .q{display:none}</style>"
    reading = read_html(f"{sheet}{'<div>' * 500}<p>seen &amp; read</p>{secret}<p>more</p>")
    assert reading.defects
    assert reading.text.split() == ["seen", "&", "read", "more"]
    assert any("zebra" in one.text for one in reading.hidden)


def test_a_button_for_others_than_outlook_is_seen() -> None:
    """What Outlook leaves out is seen when Outlook gets the same words, and hidden otherwise."""
    link = "<a href=x style='mso-hide:all'>Book now</a>"
    drawn = "<!--[if mso]><v:rect><center>Book now</center></v:rect><![endif]-->"
    assert read_html(f"<p>a</p>{drawn}<p>b</p>{link}").text == "a\n\nb\n\nBook now"
    assert read_html(f"<p>a</p>{link}").text == "a"
