"""Canary tokens: a mark in private context that nothing outgoing may hold.

Each organization has one, made from its own secret. It stands in internal knowledge and in what
models are told; a text that repeats it shows that private context has leaked. Cut up, turned round,
in other cases or encoded it is found as well, as far as twelve of its characters stay together.
"""

import base64
import hmac
from hashlib import sha256

from data.records.briefing import Briefing
from tasks.check.links import plain
from tasks.context.gathering import INTERNAL

LENGTH = 24
"""Characters of a canary, 5 bits each."""
_PIECE = 12
"""Characters in a row that are no accident: one in 2^60."""


def make_canary(secret: str) -> str:
    """Return the organization's canary: lower-case letters and digits, the same for a secret."""
    digest = hmac.new(secret.encode(), b"postern canary 1", sha256).digest()
    return base64.b32encode(digest).decode().lower()[:LENGTH]


def marked(briefing: Briefing, canary: str) -> Briefing:
    """Return a briefing whose internal knowledge bears the canary in a line of its own."""
    return briefing.model_copy(
        update={
            "snippets": tuple(
                one.model_copy(update={"text": f"{one.text}\n[{canary}]"})
                if one.ref.startswith(INTERNAL)
                else one
                for one in briefing.snippets
            )
        }
    )


def echoes(text: str, canary: str) -> bool:
    """Return whether `text` repeats a canary or a piece of it, in whatever disguise is undone."""
    if not canary:
        return False
    seen = _letters(plain(text))
    turned = canary[::-1]
    whole = [canary.encode().hex(), *_encoded(canary)]
    pieces = [made[at : at + _PIECE] for made in (canary, turned) for at in _starts(made)]
    return any(piece in seen for piece in (*pieces, *whole))


def _starts(text: str) -> range:
    return range(len(text) - _PIECE + 1)


def _encoded(canary: str) -> list[str]:
    """Return what base64 makes of a canary wherever it stands, without the changing ends."""
    found = []
    for before in range(3):
        code = base64.b64encode(b"\0" * before + canary.encode()).decode().rstrip("=")
        found.append(_letters(code[4 if before else 0 : -2]))
    return found


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
