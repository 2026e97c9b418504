r"""Mentions in a text of some marks: an id or a mail address, each as a whole.

A mark is found in any case, in plain text and in JSON, and never as a part of another one:
`office@x.example` is not in `backoffice@x.example`, nor in `office@x.example.com`. In an address
`/`, `=` and the like may be of it or stand before it, so it counts either way.
"""

from collections.abc import Iterable, Iterator, Sequence
from unicodedata import normalize

from data.store.core.database import Connection

_ESCAPED = r"\\+(u[0-9a-fA-F]{4}|[^u\\])"
"""What JSON writes with a backslash, with more of them in JSON within JSON: a line's end before a
word is none of its letters."""
_ID = r"[a-z0-9-]+"
_NARROW = r"[a-z0-9._%+''-]+@[a-z0-9.-]+"
_WIDE = r"[\pL\pM\pN._%+''!#$&*/=?^`{|}~-]+@[\pL\pM\pN.-]+"
_LONGEST_RUN = 100
"""Dots and dashes in a row that are looked past."""
_EDGES = "._%+'!#$&*/=?^`{|}~-"
"""What stands around an id or an address as often as within one."""


_BEFORE, _BEHIND = "._%+'-", ".-"
"""What joins an address with what stands before it, and with what stands behind it."""
_LINE_ENDS = frozenset(["\\b", "\\f", "\\n", "\\r", "\\t"])
_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


def find_places(text: str, address: str) -> Iterator[int]:
    """Yield where an address stands as a whole in a text beside the database; both in lower case.

    Letters beyond ASCII count as what stands around it.
    """
    at = text.find(address)
    while at >= 0:
        end = at + len(address)
        before = text[max(0, at - _LONGEST_RUN) : at].rstrip(_BEFORE)
        behind = text[end : end + _LONGEST_RUN].lstrip(_BEHIND)
        in_word = before[-1:] in _ALNUM and before[-2:] not in _LINE_ENDS
        if not in_word and behind[:1] not in _ALNUM:
            yield at
        at = text.find(address, end)


def as_marks(ids: Iterable[str], addresses: Iterable[str] = ()) -> list[str]:
    """Return ids and addresses as they are looked for; empty ones are nowhere."""
    every = (normalize("NFC", mark.lower()).strip(_EDGES) for mark in (*ids, *addresses))
    return list(dict.fromkeys(mark for mark in every if mark))


def build_mention_condition(text: str, marks: str = "?") -> str:
    """Return the condition that a text, in SQL, mentions one of some marks (see `as_marks`)."""
    plain = f"nfc_normalize(lower(regexp_replace({text}, '{_ESCAPED}', ' ', 'g')))"
    parts = ", ".join(
        f"regexp_extract_all({plain}, '{pattern}')" for pattern in (_ID, _NARROW, _WIDE)
    )
    edges = _EDGES.replace("'", "''")
    return (
        f"list_has_any(list_transform(flatten([{parts}]), lambda mark: trim(mark, '{edges}')), "
        f"{marks}::VARCHAR[])"
    )


def list_mentioning(cursor: Connection, texts: Iterable[str], marks: Sequence[str]) -> set[str]:
    """Return those of some texts that mention one of the marks."""
    condition = build_mention_condition("text")
    rows = cursor.execute(
        f"SELECT DISTINCT text FROM (SELECT unnest(?::VARCHAR[]) AS text) WHERE {condition}",
        [list(texts), list(marks)],
    ).fetchall()
    return {str(row[0]) for row in rows}
