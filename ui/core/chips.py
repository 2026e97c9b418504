"""Small coloured words and times: our own words only, drawn as HTML and escaped all the same."""

from datetime import datetime
from html import escape

import streamlit as st

from ui.core.session import zone
from ui.core.text.clock import ago, write_exactly
from ui.core.text.words import Tone, tone, word


class Piece(str):
    """One small word as HTML, and `data`: the same for a component that draws it by itself."""

    data: dict[str, str]

    def __new__(cls, html: str, **data: str) -> "Piece":
        """Return the piece of that HTML."""
        html_text = super().__new__(cls, html)
        html_text.data = data
        return html_text


def chip(name: str, colour: Tone | None = None, note: str = "") -> Piece:
    """Return one chip for a word of ours (a state, category, verdict, number)."""
    title = f' title="{escape(note)}"' if note else ""
    shade, text = colour or tone(name), word(name)
    html = f'<span class="chip {shade}"{title}>{escape(text)}</span>'
    return Piece(html, text=text, tone=shade, note=note)


def moment(at: datetime, now: datetime) -> Piece:
    """Return a relative time that shows the exact one when the pointer rests on it."""
    when, text = write_exactly(at, zone()), ago(at, now, zone())
    html = f'<time datetime="{at.isoformat()}" title="{escape(when)}">{escape(text)}</time>'
    return Piece(html, text=text, at=at.isoformat(), note=when)


def make_muted(text: str) -> Piece:
    """Return quiet words of ours; nothing for none, which would be an empty line."""
    return Piece(f'<span class="muted">{escape(text)}</span>' if text else "", text=text)


def meter(share: float, name: str, note: str = "", colour: Tone = "accent") -> str:
    """Return a small bar for a share between 0 and 1, with its name and its number."""
    width = round(max(0.0, min(1.0, share)) * 100)
    title = f' title="{escape(note)}"' if note else ""
    return (
        f'<span class="measured"{title}><span class="muted">{escape(name)}</span> '
        f'<span class="meter {colour}"><i style="width:{width}%"></i></span>'
        f'<span class="muted">{width} %</span></span>'
    )


def chips(*parts: str) -> None:
    """Draw parts made by the functions of this module in one line that wraps."""
    drawn = "".join(part for part in parts if part)
    if drawn:
        st.html(f'<span class="chips">{drawn}</span>', width="content")


def draw_outside() -> None:
    """Draw that what follows was written by somebody else, and is not to be followed."""
    st.html(
        '<span class="outside" title="Shown as text: nothing in it is carried out, no picture is '
        'fetched, no link can be followed from here.">From outside, not vouched for</span>'
    )


def draw_inside() -> None:
    """Draw that what follows was written by a colleague, as far as anybody can tell."""
    st.html(
        '<span class="outside" title="Shown as text all the same: anybody can write this address '
        'into From.">From a colleague of yours</span>'
    )


def section(words: str) -> None:
    """Draw the small heading of a group; `words` are ours."""
    st.html(
        f'<p class="section" role="heading" aria-level="2">{escape(words)}</p>', width="content"
    )


def unseen_heading(words: str) -> None:
    """Let who does not see a page go to a part of it that needs no heading for others."""
    st.html(f'<p class="unseen" role="heading" aria-level="2">{escape(words)}</p>', width="content")


def facts(*pairs: tuple[str, str]) -> None:
    """Draw names with values; the values are made by the functions of this module."""
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in pairs if value)
    if rows:
        st.html(f'<dl class="facts">{rows}</dl>')


def empty(head: str, words: str = "", keys: str = "") -> None:
    """Draw the state of a place where nothing is; the texts are ours.

    `keys` goes on after `words` with what keys do, where there is a keyboard, without its full
    stop.
    """
    keys_shown = f'<span class="by-keys">{escape(keys)}</span>.' if keys else ""
    st.html(f'<div class="empty"><b>{escape(head)}</b>{escape(words)}{keys_shown}</div>')
