"""Decisions about a message that the screen had looked at, in words and as a chip."""

from data.records.core.screening import Verdict
from data.records.mail.views import MessageView, Standing
from ui.core.chips import Piece, chip

DONE: dict[str, str] = {
    "release": "let this in",
    "person": "said that a person wrote this",
    "confirm": "confirmed this as a threat",
    "block": "blocked the sender of this",
    "spam": "called this spam",
    "not_spam": "said that this is not spam",
}
"""What somebody did, after their name."""


CHIPS: dict[str, str] = {
    "release": "released",
    "person": "a person's",
    "confirm": "confirmed",
    "block": "blocked",
    "spam": "called spam",
    "not_spam": "called wanted",
}
"""The same in a word or two."""


def tell_decision(decision: Standing) -> str:
    """Return who decided what, e.g. `maud released this from quarantine`."""
    if decision.action == "release" and decision.stopped:
        return f"{decision.by} released this from quarantine"
    return f"{decision.by} {DONE[decision.action]}"


def explain_release(released: Standing) -> str:
    """Return why what a person has released never leaves by itself, in a sentence."""
    return f"{tell_decision(released)}; a person answers."


def decision_chip(decision: Standing) -> Piece:
    """Return what was decided as a chip."""
    return chip(CHIPS[decision.action], "info", tell_decision(decision))


def find_release(messages: tuple[MessageView, ...]) -> Standing | None:
    """Return the newest release of any of these messages, or None."""
    releases = [message.released for message in messages if message.released]
    return max(releases, key=lambda release: release.at, default=None)


def verdict_chip(verdict: Verdict, released: Standing | None = None) -> Piece:
    """Return the chip of a verdict; `released` in its place for what a person let go on.

    Draw it where a message has gone on: of what the screen had stopped only a release comes there.
    """
    if released:
        return chip("released", "info", tell_decision(released))
    if verdict is Verdict.QUARANTINE:
        return chip("released", "info", "The screen stopped this, and a person let it go on")
    return chip(verdict)
