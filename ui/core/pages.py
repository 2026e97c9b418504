"""The pages by name: each is a file in the `views` of its part, and its name is its address."""

from pathlib import Path
from typing import NoReturn

import streamlit as st

_WINDOW = Path(__file__).parents[1]
"""The folder of `app.py`, from which Streamlit names the files of pages."""
_FILES = {
    path.stem: path.relative_to(_WINDOW).as_posix() for path in _WINDOW.glob("*/views/[!_]*.py")
}


def page_file(name: str) -> str:
    """Return the file of a page, as Streamlit wants it."""
    return _FILES[name]


def switch_to(name: str) -> NoReturn:
    """Open another page; this run of the page ends here."""
    st.switch_page(page_file(name))
