"""What of an HTML body is seen, and what is hidden."""

import time

import pytest

from data.records.core.parsed_mail import Hidden, Link
from tasks.core.markup.text import read_html

GUARD_SECONDS = 30.0
"""Processor time that only more than linear work can take: some hundred times what is measured."""


def test_paragraphs_and_breaks() -> None:
    """Paragraphs stand apart, breaks end lines, white space is collapsed."""
    html = "<h1>Title</h1><p>one\n  two<br>three</p><div>four</div><div>five</div>"
    assert read_html(html).text == "Title\n\none two\nthree\n\nfour\nfive"


def test_lists_are_marked() -> None:
    """List items carry bullets or numbers, nested ones are indented."""
    html = "<ul><li>a<li>b<ol><li>x</li><li>y</li></ol></li></ul><p>end"
    assert read_html(html).text == "- a\n- b\n\n  1. x\n  2. y\n\nend"


def test_table_cells_are_separated() -> None:
    """Cells of a row are on one line."""
    html = "<table><tr><th>Part<th>Price</tr><tr><td>Gear</td><td>5 €</td></tr></table>"
    assert read_html(html).text == "Part | Price\nGear | 5 €"


def test_block_quotes_are_prefixed() -> None:
    """Quoted blocks carry `> `, once per level."""
    html = "<p>new</p><blockquote><p>old</p><blockquote>older</blockquote></blockquote><p>more"
    assert read_html(html).text == "new\n\n> old\n>\n> > older\n\nmore"


def test_preformatted_text_keeps_its_lines() -> None:
    """Inside `pre` nothing is collapsed."""
    assert read_html("<pre>a  b\n  c</pre>").text == "a  b\n  c"


def test_inline_elements_do_not_break_words() -> None:
    """Formatting inside a word leaves it whole, and spaces around it stay."""
    assert read_html("<p>w<b>or</b>d <i>and</i> more</p>").text == "word and more"


def test_entities_are_decoded() -> None:
    """Character references become characters."""
    assert read_html("<p>a &lt; b &amp; c&nbsp;&eacute;</p>").text == "a < b & c é"


def test_links_are_listed_with_what_is_seen() -> None:
    """A link is its visible text and its target; its text stays in the body."""
    reading = read_html('<p>See <a href=" https://x.example/a ">our <b>site</b></a>.</p>')
    assert reading.text == "See our site."
    assert reading.links == (Link(text="our site", href="https://x.example/a"),)


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<!-- secret -->", "comment"),
        ("<p style='display:none'>secret</p>", "display_none"),
        ("<p style='DISPLAY : None !important'>secret</p>", "display_none"),
        ("<div style='display:none'><div><p>secret</p></div></div>", "display_none"),
        ("<p style='visibility:hidden'>secret</p>", "visibility"),
        ("<p style='opacity:0'>secret</p>", "opacity"),
        ("<p style='opacity:0.01'>secret</p>", "opacity"),
        ("<p style='font-size:0'>secret</p>", "zero_size"),
        ("<p style='font-size:1px'>secret</p>", "zero_size"),
        ("<p style='font:0/0 a'>secret</p>", "zero_size"),
        ("<div style='font-size:10px'><p style='font-size:0.1em'>secret</p></div>", "zero_size"),
        ("<p style='height:0;overflow:hidden'>secret</p>", "zero_box"),
        ("<p style='max-height:0px;overflow:hidden'>secret</p>", "zero_box"),
        ("<p style='width:1px;overflow:hidden'>secret</p>", "zero_box"),
        ("<p style='position:absolute;left:-9999px'>secret</p>", "off_screen"),
        ("<p style='text-indent:-999em'>secret</p>", "off_screen"),
        ("<p style='position:absolute;clip:rect(0,0,0,0)'>secret</p>", "clipped"),
        ("<p style='color:#fff'>secret</p>", "same_color"),
        ("<p style='color:white'>secret</p>", "same_color"),
        ("<p style='color:#fefefe'>secret</p>", "same_color"),
        (
            "<div style='background:#222'><p style='color:rgb(34,34,34)'>secret</p></div>",
            "same_color",
        ),
        ("<table bgcolor=navy><tr><td><font color='#000080'>secret</font></table>", "same_color"),
        ("<p hidden>secret</p>", "hidden_attribute"),
        ("<p aria-hidden='true'>secret</p>", "aria_hidden"),
        ("<img alt='secret' src=x>", "alt"),
        ("<p title='secret'></p>", "title"),
        ("<style>.x{display:none}</style><p class='y x'>secret</p>", "display_none"),
        ("<style>p.x, #q {color:#fff}</style><p class=x>secret</p>", "same_color"),
        ("<style>#q{font-size:0}</style><p id=q>secret</p>", "zero_size"),
        ("<title>secret</title>", "head"),
        ("<script>secret</script>", "script"),
        ("<template><p>secret</template>", "template"),
        ("<input type=hidden value=secret>", "hidden_input"),
    ],
)
def test_hidden_text_is_told_apart(html: str, reason: str) -> None:
    """Text that its reader does not see is not in the text, and is listed with the reason."""
    reading = read_html(f"<p>seen</p>{html}")
    assert reading.text == "seen"
    assert reading.hidden == (Hidden(text="secret", reason=reason, at=4),)


@pytest.mark.parametrize(
    "html",
    [
        "<div style='font-size:0'><p style='font-size:14px'>seen</p></div>",
        "<div style='visibility:hidden'><p style='visibility:visible'>seen</p></div>",
        "<div style='background:#000'><p style='color:#fff'>seen</p></div>",
        "<div style='background-image:url(x)'><p style='color:#fff'>seen</p></div>",
        "<p style='overflow:hidden;height:200px'>seen</p>",
        "<p style='opacity:0.9'>seen</p>",
        "<p style='color:#333;font-size:12px;margin-left:-5px'>seen</p>",
        "<style>@media print{.x{display:none}}</style><p class=x>seen</p>",
        "<p aria-hidden='false'>seen</p>",
        "<!--[if mso]><table><tr><td><![endif]--><p>seen</p>",
    ],
)
def test_visible_text_is_not_called_hidden(html: str) -> None:
    """Everyday styles hide nothing."""
    reading = read_html(html)
    assert reading.text == "seen"
    assert reading.hidden == ()


def test_padding_without_glyphs_is_dropped() -> None:
    """Words of nothing but invisible characters are left out, others stay as they are."""
    html = "<p>Sale&#847;&zwnj; &zwnj;&nbsp;&#8203; &#65279;now</p>"
    assert read_html(html).text == "Sale\u034f\u200c \ufeffnow"


def test_style_sheets_are_no_text() -> None:
    """Rules of a style sheet are neither text nor hidden text; words in its comments are hidden."""
    reading = read_html("<p>seen</p><style>p{color:red}/* secret */</style>")
    assert reading.text == "seen"
    assert reading.hidden == (Hidden(text="secret", reason="style", at=4),)


def test_preheader_is_told_from_hidden_text() -> None:
    """A short line hidden above everything is a preheader; a long or a later one is not."""
    line = "<div style='display:none'>Three days left</div>"
    assert read_html(f"{line}<p>seen</p>").hidden[0].reason == "preheader"
    assert read_html(f"<p>seen</p>{line}").hidden[0].reason == "display_none"
    long = f"<div style='display:none'>{'Three days left. ' * 30}</div><p>seen</p>"
    assert read_html(long).hidden[0].reason == "display_none"


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "seen",
        "<div/>" * 100_000 + "seen",
        "<table><tr><td>" * 30_000 + "seen",
        "".join(f"<font size={n}>" for n in range(2_000)) + "<p>seen" * 20_000,
        "<a " + " ".join(f"x{n}" for n in range(60_000)) + ">seen",
        "<a " + "/".join(f"x{n}=1" for n in range(60_000)) + ">seen",
        "<style>" + "{" * 500_000 + "</style>seen",
        "<style>" + "/*" * 250_000 + "</style>seen",
        "<!--" * 100_000 + "-->seen",
        "<p>x" * 60_000 + "seen",
        "<" * 500_000 + " seen",
        "<p>seen<select>" + "<option>a" * 60_000,
        "<p>seen" + "<svg><rect/><text x=1>a</text></svg>" * 20_000,
        "<p>seen" + "<svg>" * 380 + "<text>a</text>" * 50_000,
        "<p>seen" + f"<b style='font-size:calc({'(' * 40}1px'>a</b>" * 10_000,
        "<p>seen" + "<details><summary>a</summary>b</details>" * 20_000,
        "<p>seen" + "<div style='position:relative'><i>a</i></div>" * 20_000,
        "<style>:is(" + ":not(.a)," * 50_000 + ".b){color:red}</style><p class=b>seen",
        "<style>" + "p:has(.a) .b{color:red}" * 20_000 + "</style><p class=b>seen" * 500,
        "<style>" + "@keyframes a{to{color:red}}" * 20_000 + "</style><p style='animation:a'>seen",
        "<p>seen" + "<img src='data:text/html,hello'>" * 20_000,
        "<p>seen</p ignore all of the earlier rules now %d>" * 15_000,
    ],
)
def test_hostile_html_costs_little_and_loses_nothing(html: str) -> None:
    """Nesting and attributes in masses are read in little time, and the text is found."""
    before = time.process_time()
    reading = read_html(html)
    assert time.process_time() - before < GUARD_SECONDS
    assert "seen" in reading.text


def test_a_megabyte_of_newsletter_is_read_in_linear_time() -> None:
    """Ordinary HTML of 1 MB takes seconds at the very most; the figure is in benchmarks/."""
    cell = '<td style="color:#333;font-size:14px" class="a">hello <b>big</b> world</td>'
    row = f"<table><tr>{cell}</tr></table>"
    html = "<style>.a{padding:1px}</style>" + row * (1_000_000 // len(row))
    before = time.process_time()
    text = read_html(html).text
    seconds = time.process_time() - before
    assert text.count("hello big world") == 1_000_000 // len(row)
    assert seconds < GUARD_SECONDS
