"""Subjects without what mail programs and lists put before them (RFC 5322 section 3.6.5)."""

from functools import lru_cache

import re2

from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import phrases

PREFIXES = 20
"""Prefixes that are taken off."""
REMEMBERED = 2048
"""Subjects whose answer is kept: threading asks for the same ones several times."""
_REPLIES = phrases("subjects", "replies")
_FORWARDS = phrases("subjects", "forwards")
_TRIVIAL = phrases("subjects", "trivial")
_NAMING = "ref"
"""A prefix of answers in a few languages, with which others name what they write about."""
_ALL = "|".join(re2.escape(reply) for reply in sorted(_REPLIES | _FORWARDS, key=len, reverse=True))
# Marks of direction stand around right-to-left prefixes; some keyboards have a wide colon.
_PREFIX = compiled(
    rf"(?i)^[\s\pZ\p{{Cf}}]*({_ALL})\.?\s*(?:\[\d{{1,3}}\]|\(\d{{1,3}}\)|\^\d{{1,3}}|\d{{1,3}})?"
    r"[\s\p{Cf}]*[:\x{FF1A}]\s*"
)
_TAG = compiled(r"^\s*\[[^\[\]]{1,60}\]\s*")
_FORWARD_END = compiled(r"(?i)\s*\((?:fwd|fw)\)\s*$")
_LETTER = compiled(r"[\pL\pN]")


@lru_cache(maxsize=REMEMBERED)
def normalize_subject(subject: str) -> str:
    """Return the subject case-folded, without answer and forward prefixes and list tags.

    `Re: [list] AW: Fwd: Offer` becomes `offer`. A subject that is nothing but a tag keeps it.
    """
    rest = _FORWARD_END.sub("", _undotted(subject))
    for _ in range(PREFIXES):
        match = _PREFIX.match(rest)
        if match is None:
            match = _TAG.match(rest)
            if match is None or not rest[match.end() :].strip():
                break
        rest = rest[match.end() :]
    return " ".join(rest.casefold().split())


def without_prefixes(subject: str) -> str:
    """Return a subject as it was written, without what answers and forwards put before it."""
    rest = _FORWARD_END.sub("", _undotted(subject))
    for _ in range(PREFIXES):
        match = _PREFIX.match(rest)
        if match is None:
            break
        rest = rest[match.end() :]
    return str(rest).strip()


@lru_cache(maxsize=REMEMBERED)
def is_trivial(normalized: str) -> bool:
    """Whether a normalized subject says too little to join a thread by it."""
    bare = normalized.strip(" .!?…-")
    return bare in _TRIVIAL or len(_LETTER.findall(bare[:20])) < 4


def is_reply_subject(subject: str) -> bool:
    """Whether the outermost prefix says that this answers something; *Ref: order 4711* does not."""
    prefix = _outermost(subject)
    return prefix in _REPLIES and prefix != _NAMING


def is_forward_subject(subject: str) -> bool:
    """Whether the outermost prefix says that this passes something on, and does not answer."""
    prefix = _outermost(subject)
    return prefix in _FORWARDS and prefix not in _REPLIES


def _outermost(subject: str) -> str:
    """Return the first prefix, case-folded; an empty string for none."""
    match = _PREFIX.match(_TAG.sub("", _undotted(subject), count=1))
    return match.group(1).casefold() if match else ""


def _undotted(subject: str) -> str:
    """Return the subject with the Turkish capital i as others write it; patterns do not fold it."""
    return subject.replace("\u0130", "I")


def opening_subject(subject: str) -> str:
    """Return a subject that its sender wrote for this matter; empty for that of an answer."""
    return "" if is_reply_subject(subject) or is_forward_subject(subject) else subject
