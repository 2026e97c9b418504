"""The help: keys, words, and what the promises mean at this desk."""

from html import escape

import streamlit as st

from ui.core.chips import section
from ui.core.text.keys import KEYS
from ui.core.text.words import DELIVERY_STATES, MODES, REASONS, word
from ui.core.widgets import key_sheet
from ui.core.widgets.heading import heading

WORDS: dict[str, str] = {
    "case": "what one contact wrote within one burst, answered once",
    "quality": "how complete, grounded and safe the draft is; not known counts as 0",
    "gate": "one condition for sending without you; all of them must agree",
    "would have sent": "every gate agreed except that the mode is shadow",
    "flagged": "the screen found something odd; it goes on, but never by itself",
    "quarantine": "the screen stopped it; nothing has read it but the screen",
    "not established": "nobody could tell whether the sender is real; that is not a yes",
    "merge": "two conversations become one; of different contacts only if you say that you mean it",
    "split": "some messages become a conversation of their own; Postern keeps them apart",
    "joined": "messages showed that two conversations are one; you can take it back",
    "refers to": "it names another conversation that its sender takes no part in",
    "ticket": "what mail asks for and somebody has to carry out",
    "question": "what the knowledge does not say; your answer goes into the draft, cited as yours",
    "rule": "a sentence that restricts or files mail once you have confirmed it",
    "signs": "your approval holds for exactly these recipients, this subject and this text",
}


def show() -> None:
    """Draw the page."""
    heading("Help", "The keys and the words of this desk.")
    left, right = st.columns(2, gap="large")
    with left:
        for place, keys in KEYS.items():
            section(place)
            key_sheet.table(keys)
        section("Reasons to reject")
        numbered = enumerate(REASONS.values(), start=1)
        _table({f"<kbd>{number}</kbd>": text for number, text in numbered})
    with right:
        section("Words")
        _table({escape(name): text for name, text in WORDS.items()})
        section("Modes")
        _table({escape(name): text for name, text in MODES.items()})
        section("An outgoing message")
        _table({escape(word(state)): text for state, text in DELIVERY_STATES.items()})


def _table(rows: dict[str, str]) -> None:
    drawn = "".join(f"<tr><td>{name}</td><td>{escape(row)}</td></tr>" for name, row in rows.items())
    st.html(f'<table class="keys">{drawn}</table>')


if __name__ == "__main__":
    show()
