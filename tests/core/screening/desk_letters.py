"""Makes ordinary HTML mail from the layouts of `desk_letters.html`, with what its reader sees.

In a layout `§` is a sentence that is seen, and `¤` words that are not. Which sentences, what stands
around the layout and how the message is sent is drawn from a seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from random import Random

from tests.core.screening import sentences
from tests.core.screening.unseen_mail import letter

SENTENCES: list[str] = sentences.ORDINARY["in letters from desks"]


UNSEEN = "A few words for telephones"


@dataclass(frozen=True)
class Letter:
    """One ordinary mail."""

    layout: str
    said: tuple[str, ...]
    """Sentences that are seen, in order."""
    html: str
    raw: bytes
    unseen: str = UNSEEN

    def lost(self, text: str) -> str:
        """Return the first sentence that a text lacks, in order; empty when it has all."""
        at, text = 0, running(text)
        for sentence in self.said:
            at = text.find(sentence, at)
            if at < 0:
                return sentence
        return ""


def running(text: str) -> str:
    """Return a text as one line without marks of quotation."""
    return " ".join(" ".join(line.lstrip("> ") for line in text.split("\n")).split())


def layouts() -> dict[str, str]:
    """Return the layouts by their names."""
    text = (Path(__file__).parent / "desk_letters.html").read_text(encoding="utf-8")
    found = {}
    for piece in text.split("== ")[1:]:
        name, _, html = piece.partition("\n")
        found[name] = html
    return found


def _filled(html: str, rng: Random) -> tuple[str, list[str]]:
    """Return a layout with its sentences, each with a number of its own, and the sentences."""
    pieces = html.split("§")
    first = rng.randrange(100, 900)
    said = [f"{first + at}: {rng.choice(SENTENCES)}" for at in range(len(pieces) - 1)]
    filled = "".join(
        piece + (escape(said[at]) if at < len(said) else "") for at, piece in enumerate(pieces)
    )
    return filled.replace("¤", UNSEEN), said


def _wrapped(html: str, rng: Random) -> str:
    """Return a layout inside what mail programs put around it."""
    if "<body" in html or "<html" in html:
        return html
    return rng.choice(
        (
            "{}",
            "<html><body>{}</body></html>",
            '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{}</body></html>',
            '<div dir="ltr">{}</div>',
            '<table width="100%" bgcolor="#ffffff"><tr><td>{}</td></tr></table>',
            '<div style="font-family:Arial;font-size:14px;color:#222222;background:#fff">{}</div>',
            '<blockquote type="cite">{}</blockquote>',
            '<div class="gmail_quote"><div dir="ltr">{}</div></div>',
        )
    ).replace("{}", html)


def desk_letters(seed: int, count: int) -> Iterator[Letter]:
    """Yield ordinary mails, the layouts in turn."""
    rng = Random(seed)
    named = list(layouts().items())
    for number in range(count):
        name, html = named[number % len(named)]
        filled, said = _filled(html, rng)
        page = _wrapped(filled, rng)
        yield Letter(name, tuple(said), page, letter(page, rng))
