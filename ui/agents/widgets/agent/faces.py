"""Faces of agents: an own picture, or the first letter of the name on the agent's colour."""

from html import escape
from typing import NamedTuple

import streamlit as st

from data.records.agents.agents import Agent
from ui.core.text.inert import one_line

_NO_COLOUR = "#5b6563"
_BRIGHT = 140
"""Brightness of a colour, up to 255, from which dark letters are read better on it."""


class Face(NamedTuple):
    """How an agent is drawn."""

    letter: str
    colour: str
    ink: str
    """Colour of the letter on it."""
    picture: str
    """A `data:` address, which the engine has checked; empty for the letter."""


def face_of(agent: Agent | None, name: str) -> Face:
    """Return how an agent looks; one that is not there any more has its letter and no colour."""
    colour = agent.accent_colour if agent is not None else _NO_COLOUR
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    bright = 0.299 * red + 0.587 * green + 0.114 * blue >= _BRIGHT
    letters = [mark for mark in one_line(name, 60) if mark.isalnum()]
    return Face(
        letter=letters[0].upper() if letters else "?",
        colour=colour,
        ink="#000" if bright else "#fff",
        picture=agent.avatar if agent is not None else "",
    )


def face(agent: Agent) -> None:
    """Draw how an agent looks; its name stands beside it, so it is passed over when read aloud."""
    look = face_of(agent, agent.name)
    if look.picture:
        st.html(f'<img class="face" src="{escape(look.picture)}" alt="">', width="content")
        return
    colours = f"background:{escape(look.colour)};color:{look.ink}"
    st.html(
        f'<i class="face" style="{colours}" aria-hidden="true">{escape(look.letter)}</i>',
        width="content",
    )
