"""Text in bytes that are no sound UTF-8: damaged, in an older character set, or among others.

A single odd byte must not hide an order, and a model reads what is left. Told by the share of
letters, so that hashes, keys and pictures stay what they are. Linear in the bytes.
"""

from collections.abc import Iterator
from itertools import islice

from tasks.core.patterns import compiled

_SHORTEST = 28
"""Bytes, and letters, of a stretch worth reading; random ones are seldom as long without controls.
"""
_MOST_STRETCHES = 20
_ODD_ONE_IN = 20
"""Bytes among which one may be no text."""
_FIT, _FIT_RUN = 0.9, 0.75
"""Shares of letters and of what stands between words, by which a character set and a run among
other bytes are told to be text."""
_SPACE_IN = 16
"""Characters of a run in ASCII among which one is a space."""
_BEGIN, _FEWEST_LETTERS = 60, 12
"""Different letters at the beginning of a text; rulers and rows of the same sign have fewer."""
_FEWER_ABOVE = 0.35
"""Share of bytes beyond ASCII up to which a text is in Latin letters."""
_SETS = {"cp1252": "cp1252", "iso-8859-2": "iso-8859-2"}
_OTHER_SETS = {"cp1251": "cp1251", "koi8-r": "koi8-r", "gb2312": "gb18030", "euc-kr": "cp949"}
"""Character sets by which a text is told, and the larger ones in which it is read then."""
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\r")
_MARKED = bytes(0 if code in _CONTROLS else 1 for code in range(256))
_ASCII = bytes(range(128))
_SOUND = b"\1" * _SHORTEST
_RUN = compiled(r"[^\p{C}\x{FFFD}]{28}(?:[^\p{C}\x{FFFD}]|[\r\n\t])*")
_BETWEEN = " \n\r\t.,:;!?'-@"
_UNFIT = bytes(code for code in range(128, 160)) + bytes(
    code for code in range(33, 127) if not chr(code).isalpha() and chr(code) not in _BETWEEN
)
"""Bytes of which texts in these character sets have few."""


def mended(raw: bytes) -> str:
    """Return what can be read of bytes that are no sound UTF-8, or an empty string.

    Where several character sets make words of them, each reading is a paragraph.
    """
    marked = raw.translate(_MARKED)
    if _SOUND not in marked:
        return ""
    if marked.count(0) * _ODD_ONE_IN <= len(raw):
        return "\n\n".join(_readings(raw.translate(None, _CONTROLS)))
    stretches = islice(_sound(raw, marked), _MOST_STRETCHES)
    return "\n\n".join(text for stretch in stretches for text in _readings(stretch))


def _sound(raw: bytes, marked: bytes) -> Iterator[bytes]:
    """Yield the stretches without control characters."""
    end = 0
    while (start := marked.find(_SOUND, end)) >= 0:
        end = marked.find(0, start)
        end = end if end >= 0 else len(raw)
        yield raw[start:end]


def _readings(stretch: bytes) -> list[str]:
    """Return what a stretch says, each way of reading it once."""
    text = stretch.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    readings_made = [text.replace("\ufffd", "")] if bad * _ODD_ONE_IN <= len(text) else []
    if bad:
        readings_made += _in_older_sets(stretch)
    readings_made = list(dict.fromkeys(readings_made)) or [
        run.group() for run in _RUN.finditer(text)
    ]
    return [reading for reading in readings_made if _is_text(reading)]


def _in_older_sets(stretch: bytes) -> Iterator[str]:
    """Yield a stretch in each character set in which its lines beyond ASCII are words."""
    lines = b"\n".join(line for line in stretch.split(b"\n") if not line.isascii())
    if len(lines) - len(lines.translate(None, _UNFIT)) > (1 - _FIT) * len(lines):
        return
    latin = len(lines.translate(None, _ASCII)) <= _FEWER_ABOVE * len(lines)
    for charset, whole in (_SETS if latin else _OTHER_SETS).items():
        text = lines.decode(charset, "replace")
        if text.count("\ufffd") * _ODD_ONE_IN <= len(text) and _fit(text) >= _FIT:
            yield stretch.decode(whole, "ignore")


def _fit(text: str) -> float:
    """Return the share of letters and of what stands between words."""
    return (sum(map(str.isalpha, text)) + sum(map(text.count, _BETWEEN))) / max(len(text), 1)


def _is_text(text: str) -> bool:
    """Whether it reads as words, which strings of programs and paths do not."""
    parted = not text.isascii() or text.count(" ") * _SPACE_IN >= len(text)
    return parted and len(set(text[:_BEGIN])) >= _FEWEST_LETTERS and _fit(text) >= _FIT_RUN
