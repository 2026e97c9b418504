"""A body by whose words it is: what is new stands open, the rest is folded and labelled."""

from collections.abc import Sequence

import streamlit as st

from data.counting import plural, size_words
from data.records.core.parsed_mail import Attachment, Carried, Hidden, Link, Segments
from ui.core.chips import chips, make_muted
from ui.core.text.inert import tags_at
from ui.core.text.text_runs import Run, TextLine, line, run
from ui.core.text.words import word
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.plain_text import letter, words

LONG_HIDDEN = 500
"""Characters of one hidden text that are shown in its place."""
FILES = 6
"""Attachments that are shown at once."""
FOLDED = (
    ("quoted", "Quoted history"),
    ("forwarded", "Forwarded by the sender, written by somebody else"),
    ("signature", "Signature"),
)


def body(segments: Segments | None, text: str, key: str) -> None:
    """Draw a body; without segments all of it counts as new."""
    parts = segments or Segments(new=text)
    letter(parts.new or ("" if segments else text), f"new-{key}")
    for name, label in FOLDED:
        folded = getattr(parts, name).strip("\n")
        if folded:
            with st.expander(f"{label} · {plural(folded.count(chr(10)) + 1, 'line')}"):
                letter(folded, f"{name}-{key}")


def draw_concealed(hidden: Sequence[Hidden], key: str) -> None:
    """Draw what the HTML hides from its reader, marked as such."""
    if not hidden:
        return
    with st.container(key=f"note-warn-hidden-{key}"):
        st.html('<b style="font-size:.9rem">Hidden in this message: a reader does not see this</b>')
        draw_marked(
            [line(run(entry.text, "hidden", word(entry.reason)), icon="warn") for entry in hidden],
            look="list",
        )


def in_place(text: str, hidden: Sequence[Hidden], places: Sequence[int], key: str) -> None:
    """Draw a body with each hidden text marked where it stood; the rest of them stand above it."""
    placed = sorted(
        (
            (place, entry)
            for entry, place in zip(hidden, places, strict=False)
            if 0 <= place <= len(text)
        ),
        key=lambda pair: pair[0],
    )
    draw_concealed([entry for entry in hidden if entry not in [one for _, one in placed]], key)
    pieces: list[Run] = []
    start = 0
    for place, entry in placed:
        pieces += [run(text[start:place]), run(" "), _smuggled(entry), run(" ")]
        start = tags_at(text, place)  # the mark has spelled them already
    draw_marked([line(*pieces, run(text[start:]))], look="letter")
    what = "a reader of this message does not see what is marked"
    chips(make_muted(f"{plural(len(placed), 'hidden text')} marked in place: {what}."))


def _smuggled(entry: Hidden) -> Run:
    body_text = entry.text.strip()
    cut = body_text if len(body_text) <= LONG_HIDDEN else body_text[:LONG_HIDDEN] + " …"
    return run(f"⟦{word(entry.reason)}: {cut}⟧", "hidden", word(entry.reason))


def draw_targets(links: Sequence[Link]) -> None:
    """Draw where each link leads, as text that cannot be followed."""
    if links:
        where = "where it leads" if len(links) == 1 else "where they lead"
        with st.expander(f"{plural(len(links), 'link')} · {where}"):
            draw_marked([_target(link) for link in links], look="list")


def _target(link: Link) -> TextLine:
    return line(run(link.text or "(no text)"), run("  leads to  ", "quiet"), run(link.href, "code"))


def draw_carried(places: Sequence[Carried], key: str) -> None:
    """Draw the words of calendar entries, contacts, headers of parts and the like, folded."""
    if not places:
        return
    with st.expander(f"Words beside the body · {plural(len(places), 'place')}"):
        for number, entry in enumerate(places):
            title = f"{word(entry.place)}: {entry.name}" if entry.name else word(entry.place)
            words(title, "who", f"carried-{number}-{key}")
            letter(entry.text, f"carried-{number}-{key}")


def enclosures(attachments: Sequence[Attachment]) -> None:
    """Draw names, declared types and sizes of attachments; of many, the rest folded."""
    files = [
        line(
            run(entry.filename, "strong"),
            run(f"  {entry.content_type}, {size_words(entry.size_bytes)}", "quiet"),
            icon="dot",
        )
        for entry in attachments
    ]
    draw_marked(files[:FILES], look="list")
    if len(files) > FILES:
        with st.expander(f"{len(files) - FILES} more of {plural(len(files), 'file')}"):
            draw_marked(files[FILES:], look="list")
