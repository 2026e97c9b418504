"""Words in places that nobody reads: headers and parameters of parts, what stands around them."""

from data.records.core.parsed_mail import Carried
from tasks.core.markup.hidden import is_prose
from tasks.core.parse.parameters import read_parameters
from tasks.core.parse.part_tree import MimePart
from tasks.core.parse.words import decode_header
from tasks.core.words.cleaning import clean_line, clean_text

CARRIED = 100
"""Places that are kept."""
CARRIED_CHARACTERS = 50_000
"""Characters of each."""

_NAMES = ("name", "filename")
"""Parameters that are shown as the names of attachments."""
_READ_ELSEWHERE = frozenset({"content-type", "content-disposition", "content-transfer-encoding"})
_FAMILIAR = ("multi-part message", "multipart message", "mime format", "s/mime", "openpgp")
_FAMILIAR_CHARACTERS = 200


def carry(carried: list[Carried], place: str, name: str, text: str) -> None:
    """Keep the words of a place, unless there are none or too many places."""
    text = text.strip()[:CARRIED_CHARACTERS]
    if text and len(carried) < CARRIED:
        carried.append(Carried(place=place, name=name[:200], text=text))


def carry_around(root: MimePart, carried: list[Carried]) -> None:
    """Keep what stands around the parts of a message, and in headers of its inner parts.

    Enclosed messages are left out: they are read each for itself.
    """
    waiting = [root]
    while waiting:
        part = waiting.pop()
        if part is root or part.content_type.startswith("multipart/"):
            waiting.extend(reversed(part.children))
        for piece in (part.preamble, part.epilogue):
            text = clean_text(piece.decode("utf-8", "replace")).strip() if piece else ""
            if text and not _is_familiar(text):
                carry(carried, "preamble", "", text)
        names: list[str] = []
        for name, value in part.headers:
            if name in _READ_ELSEWHERE:
                if b";" in value:
                    names += _parameters(name, value, part.charset, carried)
            elif part is not root:
                shown = decode_header(value, name, [], part.charset)
                if is_prose(shown):
                    carry(carried, "part_header", name, shown)
        if len(set(names)) > 1:
            carry(carried, "parameter", "name", "\n".join(dict.fromkeys(names)))


def _is_familiar(text: str) -> bool:
    """Whether this is the note that programs write for readers without MIME."""
    return len(text) <= _FAMILIAR_CHARACTERS and any(word in text.lower() for word in _FAMILIAR)


def _parameters(name: str, value: bytes, charset: str, carried: list[Carried]) -> list[str]:
    """Keep parameters whose values are words; return those that name a file."""
    if b"name" not in value.lower() and value.count(b" ") + value.count(b"*") < 2:
        return []
    _, parameters = read_parameters(value, name, [], charset)
    for parameter, words in parameters.items():
        if parameter not in _NAMES and is_prose(words):
            carry(carried, "parameter", f"{name} {parameter}", clean_line(words))
    return [
        clean_line(parameters[parameter_name])
        for parameter_name in _NAMES
        if parameters.get(parameter_name)
    ]
