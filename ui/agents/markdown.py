"""Markdown that an agent says, as HTML in which nothing leads anywhere and nothing is fetched.

Links, pictures and raw HTML stay the letters that they are: words of mail may be among what an
agent tells, and what a model writes is no better than what it has read.
"""

from functools import lru_cache

from markdown_it import MarkdownIt

from ui.core.text.inert import show_controls

_FETCHING = ("link", "image", "autolink", "html_inline", "html_block", "reference")


@lru_cache(maxsize=512)
def as_html(text: str) -> str:
    """Return Markdown (CommonMark, with tables) as HTML of paragraphs, lists, tables and code."""
    return str(_renderer().render(show_controls(text)))


@lru_cache(maxsize=1)
def _renderer() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(list(_FETCHING))
