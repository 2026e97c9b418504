"""Makes mail that hides an order from its reader: technique by carrier by language."""

import base64
import quopri
from collections.abc import Iterator

from tests.core.screening import sentences

ORDERS: dict[str, str] = sentences.ORDERS["smuggled"]

STYLES = {
    "display": "display:none",
    "display shouted": "DISPLAY : NONE !important",
    "display then rubbish": "display:none;display:seen",
    "display against a later one": "display:none!important;display:block",
    "display in escapes": "d\\69splay:n\\6f ne",
    "display around a comment": "display:/* x */none",
    "display after an open string": "background:url('a;b');display:none",
    "content visibility": "content-visibility:hidden",
    "visibility": "visibility:hidden",
    "visibility collapsed": "visibility:collapse",
    "opacity": "opacity:0",
    "opacity in percent": "opacity:2%",
    "opacity by filter": "filter:opacity(0)",
    "size zero": "font-size:0",
    "size one": "font-size:1px",
    "size in points": "font-size:.1pt",
    "size in percent": "font-size:1%",
    "size by calc": "font-size:calc(0px)",
    "font shorthand": "font:0 sans-serif",
    "font shorthand with line": "font:1px/1px arial",
    "white": "color:#fff",
    "white named": "color:white",
    "white by rgb": "color:rgb(255, 255, 255)",
    "white by new rgb": "color:rgb(100% 100% 100%)",
    "white by hsl": "color:hsl(0, 0%, 100%)",
    "nearly white": "color:#f4f4f4",
    "nearly white named": "color:snow",
    "ivory by hwb": "color:hwb(60 94% 0%)",
    "transparent": "color:transparent",
    "alpha": "color:rgba(0,0,0,.01)",
    "alpha in hexadecimal": "color:#00000000",
    "fill": "-webkit-text-fill-color:transparent",
    "by a variable": "--c:#fff;color:var(--c)",
    "on its own ground": "background:#123456;color:#133557",
    "on a gradient": "background:linear-gradient(#333,#343434);color:#333",
    "off left": "position:absolute;left:-9999px",
    "off right": "position:absolute;right:-9999px",
    "off above": "position:fixed;top:-500em",
    "off by inset": "position:absolute;inset:-9999px auto auto auto",
    "far to the right": "position:absolute;left:9999px",
    "indent": "text-indent:-9999px",
    "indent and cut": "text-indent:100%;white-space:nowrap;overflow:hidden",
    "margin": "margin-left:-9999px",
    "margin shorthand": "margin:0 0 0 -999em",
    "margin above": "margin-top:-5000px",
    "shifted by transform": "transform:translateX(-9999px)",
    "scaled away": "transform:scale(0)",
    "scaled by matrix": "transform:matrix(0,0,0,0,0,0)",
    "turned away": "transform:rotateY(90deg)",
    "zoomed away": "zoom:0.01",
    "clip": "position:absolute;clip:rect(0,0,0,0)",
    "clip one pixel": "position:absolute;clip:rect(1px 1px 1px 1px)",
    "clip path inset": "clip-path:inset(50%)",
    "clip path circle": "clip-path:circle(0)",
    "clip path polygon": "clip-path:polygon(0 0, 0 0, 0 0)",
    "masked": "-webkit-mask-image:linear-gradient(transparent,transparent)",
    "no height": "height:0;overflow:hidden",
    "no greatest height": "max-height:0;overflow:hidden",
    "no line height": "line-height:0;overflow:hidden",
    "no width": "width:0;overflow:hidden",
    "no width and bars": "max-width:0;overflow:auto",
    "not in Outlook": "mso-hide:all",
}
SHEETS = {
    "class": ".q{display:none}",
    "class and tag": "div.q{display:none}",
    "two classes": ".q.r{display:none}",
    "identity": "#i{display:none}",
    "descendant": ".outer .q{visibility:hidden}",
    "child": ".outer > div{font-size:0}",
    "attribute": "[data-k='v']{display:none}",
    "attribute begins": "div[class^=q]{display:none}",
    "not": "div.q:not(.z){display:none}",
    "is": ":is(.z, .q){display:none}",
    "nth": ".outer :nth-child(1){display:none}",
    "group": "h7, .z, .q{opacity:0}",
    "important beats later": ".q{display:none!important} .q{display:block}",
    "identity beats class": "#i{display:none} .q{display:block}",
    "media screen": "@media screen{.q{display:none}}",
    "media list": "@media print, (min-width: 1px){.q{display:none}}",
    "media range": "@media (width > 200px) and (not (monochrome)){.q{display:none}}",
    "media light": "@media (prefers-color-scheme: light){.q{color:#fff}}",
    "supports": "@supports (display:grid){.q{display:none}}",
    "nested rule": ".outer{color:#000;.q{display:none}}",
    "comment in selector": "/* x */ .q /* y */ {display:none /* z */}",
    "string before": ".z{content:'/*'} .q{display:none} .z{content:'*/'}",
    "markup comment": "<!-- .q{display:none} -->",
    "escape in selector": ".\\71 {display:none}",
    "universal": ".outer *{text-indent:-9999px}",
    "shouted": ".Q{DISPLAY:NONE}",
    "after other rules": "@import url(x); @font-face{font-family:x;src:url(y)} .q{display:none}",
    "variable": ":root{--h:none} .q{display:var(--h)}",
}
MARKUP = {
    "comment": "<!-- {} -->",
    "comment for Outlook": "<!--[if mso]><p>{}</p><![endif]-->",
    "attribute hidden": "<div hidden>{}</div>",
    "aria-hidden": '<div aria-hidden="true">{}</div>',
    "alt": '<img src="cid:1" alt="{}">',
    "title": '<a href="https://quince.example" title="{}">shop</a>',
    "label": '<span aria-label="{}">&nbsp;</span>',
    "data": '<div data-note="{}"></div>',
    "hidden input": '<input type="hidden" value="{}">',
    "template": "<template><p>{}</p></template>",
    "script": '<script>const note = "{}"</script>',
    "noscript": "<noscript><p>{}</p></noscript>",
    "svg": "<svg><desc>{}</desc></svg>",
    "object": "<object>{}</object>",
    "iframe": "<iframe>{}</iframe>",
    "dialog": "<dialog>{}</dialog>",
    "style comment": "<style>/* {} */</style>",
    "style string": "<style>p::before{{content:'{}'}}</style>",
    "meta": '<meta name="description" content="{}">',
    "bgcolor": '<table bgcolor="navy"><tr><td><font color="#000080">{}</font></table>',
    "inherited ground": '<div style="background:#222"><p><b style="color:#242424">{}</b></p></div>',
    "font tag": '<font color="#ffffff">{}</font>',
    "faint twice": '<div style="opacity:.2"><p style="opacity:.2">{}</p></div>',
    "small of small": '<div style="font-size:4px"><p style="font-size:.4em">{}</p></div>',
    "ground from a word": '<table bgcolor="ffffff"><tr><td style="color:#fefefe">{}</table>',
}


def _in_sheet(sheet: str, order: str) -> str:
    return (
        f"<style>{sheet}</style><div class=outer><div class='q r' id=i data-k=v>{order}</div></div>"
    )


def snippets(order: str) -> Iterator[tuple[str, str]]:
    """Yield (technique, HTML) for every way to hide one order."""
    for name, style in STYLES.items():
        yield f"style: {name}", f'<div style="{style}">{order}</div>'
    for name, sheet in SHEETS.items():
        yield f"sheet: {name}", _in_sheet(sheet, order)
    for name, markup in MARKUP.items():
        yield f"markup: {name}", markup.format(order)


def _letter(content_type: str, body: bytes, encoding: str = "8bit") -> bytes:
    head = (
        "From: Petra <petra@quince.example>\r\nTo: office@alder.example\r\nSubject: Kettle\r\n"
        "Message-ID: <1@quince.example>\r\nDate: Mon, 2 Mar 2026 09:00:00 +0000\r\n"
        f"MIME-Version: 1.0\r\nContent-Type: {content_type}\r\n"
        f"Content-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    return head.encode() + body


def document(snippet: str) -> str:
    """Return a letter around a snippet."""
    return f"<html><body><p>The kettle arrived.</p>{snippet}<p>Yours, Petra</p></body></html>"


def _table(snippet: str) -> str:
    row = f"<tr><td>The kettle arrived.{snippet}</td></tr>"
    outer = f"<table width=600><tr><td><table>{row}</table></td></tr></table>"
    return f"<!DOCTYPE html><html><body>{outer}<p>Yours, Petra</p></body></html>"


def carried(snippet: str) -> Iterator[tuple[str, bytes]]:
    """Yield (carrier, message) for every way to send one snippet."""
    html = "text/html; charset=utf-8"
    whole = document(snippet).encode()
    yield "html", _letter(html, whole)
    table = _table(snippet).encode()
    yield "table in base64", _letter(html, base64.encodebytes(table), "base64")
    yield "quoted-printable", _letter(html, quopri.encodestring(whole), "quoted-printable")
    parts = (
        b"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
        b"The kettle arrived.\r\n\r\nYours, Petra\r\n--b\r\nContent-Type: " + html.encode()
    )
    alternative = parts + b"\r\n\r\n" + table + b"\r\n--b--\r\n"
    yield "alternative", _letter('multipart/alternative; boundary="b"', alternative)
    enclosed = _letter(html, whole)
    yield (
        "enclosed",
        _letter(
            'multipart/mixed; boundary="m"',
            b"--m\r\nContent-Type: text/plain\r\n\r\nThe kettle arrived. Yours, Petra\r\n"
            b"--m\r\nContent-Type: message/rfc822\r\n\r\n" + enclosed + b"\r\n--m--\r\n",
        ),
    )


def techniques() -> list[str]:
    """Return the names of all techniques."""
    return [name for name, _ in snippets("")]


def cases(technique: str) -> Iterator[tuple[str, str, bytes]]:
    """Yield (name, canary, message) of one technique in every carrier, languages in turn."""
    number = techniques().index(technique)
    languages = list(ORDERS)
    for place in range(5):
        language = languages[(number + place) % len(languages)]
        canary = f"wombat{number}q{place}@hole.example"
        snippet = dict(snippets(ORDERS[language].format(canary=canary)))[technique]
        carrier, raw = list(carried(snippet))[place]
        yield f"{technique}, {carrier}, {language}", canary, raw
