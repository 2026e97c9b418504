"""Every key of the window and what it does, for the help page and the sheet of keys."""

KEYS: dict[str, dict[str, str]] = {
    "Every page": {
        "?": "this sheet of keys",
        "U": "take the last approval, closing or giving away back, while that can be done",
        "Esc": "leave what you have opened",
    },
    "Review queue": {
        "J / K": "next / previous case",
        "A": "approve and send, as shown",
        "E": "edit; Ctrl+Enter compares and checks what you wrote",
        "X": "reject, then 1 to 8 for the reason",
        "G": "give it to somebody else",
        "F": "pass it on to a colleague",
        "L": "say what it is really about",
        "D": "close without a reply",
        "T": "try a failed case again",
    },
    "Inbox": {"J / K": "next / previous message or conversation"},
    "Quarantine": {
        "J / K": "next / previous message",
        "L": "let it in",
        "F": "confirm the threat",
        "B / M": "confirm, and block the sender / the domain",
        "Z": "take the last decision back",
    },
    "Outbox": {"J / K": "next / previous delivery or forward", "T": "take the open delivery back"},
    "Knowledge": {"J / K": "next / previous entry, lesson or saved reply"},
    "Tickets": {"J / K": "next / previous ticket"},
}
"""By page, in the order in which they are shown."""
