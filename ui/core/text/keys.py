"""Every key of the window and what it does, for the help page and the sheet of keys."""

KEYS: dict[str, dict[str, str]] = {
    "Every page": {
        "?": "this sheet of keys",
        "J / K": "next / previous of the list",
        "U": "take the last decision back, while that can be done",
        "Esc": "leave the innermost thing that is open",
    },
    "Review queue": {
        "A": "approve and send, as shown",
        "P": "take the case, or put it back for everybody",
        "V": "the next view: mine, unassigned, all and so on",
        "S": "approve it to leave later",
        "E": "write in the letter; Esc leaves it",
        "/": "in the letter: put in a saved reply or a source",
        "Ctrl+Enter": "in the letter: send it, once the check agrees or you stand by it",
        "Q": "answer the question that the draft waits for",
        "X": "reject the draft, then 1 to 8 for the reason",
        "G": "give it to somebody else",
        "F": "pass it on to a colleague",
        "L": "say what it is really about",
        "N": "write a note for colleagues; Ctrl+Enter in it keeps it",
        "Y": "ask an agent about the case",
        "Z": "put it off until a time, or until they answer",
        "D": "close without a reply",
        "T": "try a failed case again",
    },
    "Quarantine": {
        "I": "let it in",
        "X": "reject it: confirm the threat",
        "B / M": "confirm, and block the sender / the domain",
    },
    "Outbox": {"W": "withdraw the open delivery"},
}
"""By page, in the order in which they are shown; a letter means the same on every page."""
