"""Puts words that nobody sees into mail: the ways of `unseen_ways.txt`, by lot in surroundings.

In that file `§` is where the words stand, `¹` and `²` what is seen before and after, `⏎` a line
break, `␀` a zero octet, `⟨div 600⟩` so many of a tag and `⟨rules 3000⟩` so many rules.
"""

import base64
import quopri
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from random import Random

import re2

from tests.core.screening import sentences

BEFORE = "The walnut shelves were delivered on Tuesday."
AFTER = "Could you send us the packing list again?"
ORDERS: list[str] = sentences.ORDERS["unseen"]
AS_TRUE: dict[str, frozenset[str]] = {
    "opacity": frozenset({"same_color", "clipped"}),
    "zero_size": frozenset({"clipped"}),
    "same_color": frozenset({"transparent"}),
    "transparent": frozenset({"same_color"}),
    "zero_box": frozenset({"off_screen", "zero_size", "mso_hide"}),
    "clipped": frozenset({"off_screen"}),
    "off_screen": frozenset({"zero_box"}),
}
"""Reasons that are as true as the one that a way is listed under."""
OUTER = '<div class="outer big" id=top><p>first</p><div class="q r" id=i data-k="v w">§</div></div>'

_BLOCKS = ("div", "p", "section", "blockquote", "h3", "li", "center", "td")
_INLINE = ("span", "b", "font", "em", "a")
_FLOWING = (
    "height",
    "width",
    "transform",
    "scale",
    "indent",
    "overflow",
    "clip",
    "mask",
    "-size:0",
)
_JUNK = ("", "font-family:Arial,sans-serif;", "padding:0;margin:0;", "border:0;", "x-y:z;")
_REPEATED = re2.compile(r"⟨(/?[a-z]+) ([0-9]+)⟩")


@dataclass(frozen=True)
class Case:
    """One HTML body that hides an order."""

    way: str
    kind: str
    """`style`, `sheet`, `nest`, `markup`, `page` or `letters`."""
    canary: str
    """A word of the order that stands nowhere else."""
    reasons: frozenset[str]
    """Reasons that may be told; empty when any may."""
    snippet: str
    whole: bool
    """Whether the snippet is a page with the two sentences in it."""


def ways() -> Iterator[tuple[str, str, str]]:
    """Yield (kind, reason or nothing, way) for every line of the file."""
    kind = reason = ""
    text = (Path(__file__).parent / "unseen_ways.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("== "):
            kind, _, reason = line[3:].partition(" ")
        elif line:
            yield kind, reason, line.replace("⏎", "\n").replace("␀", "\0")
    for form in ("§", "<a href='https://quince.example/'>shop§</a>", "\U0001f600§", "<b>So§</b>"):
        yield "letters", "tag_characters", f"<p>{form}</p>"


def in_tags(text: str) -> str:
    """Return ASCII text spelled in tag characters, which draw nothing."""
    return "".join(chr(0xE0000 + ord(one)) if ord(one) < 128 else one for one in text)


def _styled(declarations: str, order: str, rng: Random) -> str:
    """Return an element of some kind that has these declarations."""
    flowing = any(word in declarations for word in _FLOWING)
    tag = rng.choice(_BLOCKS if flowing else _BLOCKS + _INLINE)
    if "width" in declarations or "inline-size" in declarations:
        tag = "div"
    html = f'<{tag} style="{rng.choice(_JUNK)}{declarations}">{order}</{tag}>'
    if tag == "td":
        return f"<table><tr><td>&nbsp;</td>{html}</tr></table>"
    for wrapper in rng.sample(("div", "center", "section", "article"), rng.randrange(3)):
        html = f"<{wrapper}>{html}</{wrapper}>"
    return html


def _repeated(found: "re2._Match[str]") -> str:
    tag, count = found.group(1), int(found.group(2))
    if tag == "rules":
        return "".join(f".a{number}{{color:red}}" for number in range(count))
    return f"<{tag}>" * count


def hidden_cases(seed: int) -> Iterator[Case]:
    """Yield every way once, on elements that the seed draws."""
    rng = Random(seed)
    for number, (kind, reason, way) in enumerate(ways()):
        canary = f"weasel{seed}x{number}"
        order = ORDERS[number % len(ORDERS) if kind == "style" else number % 2].format(canary)
        said = in_tags(order) if kind == "letters" else escape(order, quote=True)
        if kind == "style":
            snippet = _styled(way, said, rng)
        elif kind == "sheet":
            snippet = f"<style>{way}</style>{OUTER.replace('§', said)}"
        elif kind == "page":
            snippet = str(_REPEATED.sub(_repeated, way.partition(": ")[2]))
            snippet = snippet.replace("¹", BEFORE).replace("²", AFTER).replace("§", said)
        else:
            snippet = way.replace("§", said)
        reasons = frozenset({reason, *AS_TRUE.get(reason, ())}) if reason else frozenset[str]()
        yield Case(way, kind, canary, reasons, snippet, kind == "page")


def letter(html: str, rng: Random, *, plain: str = "") -> bytes:
    """Return a message with an HTML body, sent in one of several ways."""
    head = (
        b"From: Petra <petra@quince.example>\r\nTo: office@alder.example\r\nSubject: Shelves\r\n"
        b"Message-ID: <1@quince.example>\r\nDate: Mon, 2 Mar 2026 09:00:00 +0000\r\n"
        b"MIME-Version: 1.0\r\n"
    )
    body = html.encode()
    encoding, coded = rng.choice(
        (
            (b"8bit", body),
            (b"base64", base64.encodebytes(body)),
            (b"quoted-printable", quopri.encodestring(body)),
        )
    )
    part = (
        b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: "
        + encoding
        + b"\r\n\r\n"
        + coded
    )
    if not plain:
        return head + part
    return (
        head
        + b'Content-Type: multipart/alternative; boundary="x1"\r\n\r\n--x1\r\n'
        + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
        + plain.encode()
        + b"\r\n--x1\r\n"
        + part
        + b"\r\n--x1--\r\n"
    )


_PAGES = (
    "<p>¹</p>§<p>²</p>",
    "<!DOCTYPE html><html><head><meta charset=utf-8></head><body><div>¹</div>§<div>²</div></body>",
    "<body style='margin:0'><table width=600 align=center><tr><td style='padding:9px'>"
    "<p>¹</p>§</td></tr><tr><td><p>²</p></td></tr></table></body>",
    "<div dir=ltr><div>¹<br></div>§<div><br></div><div>²</div></div>",
)


def smuggled(seed: int) -> Iterator[tuple[Case, bytes]]:
    """Yield every case with a message that holds it between two sentences."""
    rng = Random(seed)
    for case in hidden_cases(seed):
        page = case.snippet
        if not case.whole:
            page = _PAGES[0] if case.kind == "sheet" else rng.choice(_PAGES)
            page = page.replace("¹", BEFORE).replace("²", AFTER)
            page = page.replace("§", case.snippet)
        plain = f"{BEFORE}\r\n\r\n{AFTER}\r\n" if rng.random() < 0.4 else ""
        yield case, letter(page, rng, plain=plain)
