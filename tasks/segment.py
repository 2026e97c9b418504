"""Stage *segment*: whose words a body holds; a first version by rules.

Kept apart are the sender's new words, quoted history, passed-on content and the signature with
disclaimers and footers. Every filled line of the body ends up in exactly one of
them; when nothing is recognized everything is new. The rules read lines, in time linear in the
text, for the client styles of English, German, French, Spanish, Italian, Portuguese, Dutch and
Polish.
"""

from enum import Enum, auto

from data.records.mail import ParsedMail, Segments
from tasks import segment_markers as markers
from tasks.segment_endings import ending_start
from tasks.thread_subject import is_forward_subject, is_reply_subject

LOOKS = 2_000
"""Lines that are looked at as the end of an attribution."""


class _Whose(Enum):
    """The label of one line."""

    NEW = auto()
    QUOTED = auto()
    REST = auto()
    """The rest of the body after a marker: quoted or passed on, decided by the whole."""
    FORWARDED = auto()
    SIGNATURE = auto()


def segment(mail: ParsedMail) -> Segments:
    """Return the body of `mail` cut by whose words they are."""
    if not mail.text.strip():
        return Segments(forwarded="\n\n".join(mail.enclosed))
    lines = mail.text.split("\n")
    labels = _label(lines)
    _settle_rest(mail, lines, labels)
    _label_endings(lines, labels)
    forwarded = _collect(lines, labels, _Whose.FORWARDED)
    return Segments(
        new=_collect(lines, labels, _Whose.NEW),
        quoted=_collect(lines, labels, _Whose.QUOTED),
        forwarded="\n\n".join(one for one in (forwarded, *mail.enclosed) if one),
        signature=_collect(lines, labels, _Whose.SIGNATURE),
    )


def _label(lines: list[str]) -> list[_Whose]:
    """Return a label per line: new, quoted, forwarded, or the rest after a marker."""
    labels = [_Whose.NEW] * len(lines)
    earliest = looks = 0
    for at, line in enumerate(lines):
        bare = line.strip()
        if not bare:
            continue
        if line.startswith(">"):
            if _forward_in_quote(lines, at, labels):
                _fill(labels, at, _Whose.FORWARDED)
                return labels
            labels[at] = _Whose.QUOTED
            earliest = at + 1
        elif markers.is_forward_marker(bare):
            _fill(labels, at, _Whose.FORWARDED)
            return labels
        elif _opens_rest(lines, at, bare):
            _fill(labels, _with_rule(lines, at, earliest), _Whose.REST)
            return labels
        elif looks < LOOKS and bare.endswith((":", ":*", ": -", ":-", ">")):
            looks += 1
            quoted_next = _next_is_quoted(lines, at)
            start = markers.attribution_start(lines, at, earliest=earliest, quoted_next=quoted_next)
            if start is None:
                continue
            if not quoted_next:
                _fill(labels, start, _Whose.REST)
                return labels
            labels[start : at + 1] = [_Whose.QUOTED] * (at + 1 - start)
            earliest = at + 1
    return labels


def _opens_rest(lines: list[str], at: int, bare: str) -> bool:
    """Whether an earlier message begins here that runs to the end of the body."""
    if markers.is_original_marker(bare):
        return True
    return ":" in bare[:60] and markers.is_header_block(lines, at)


def _with_rule(lines: list[str], at: int, earliest: int) -> int:
    """Return the index of the drawn line that stands above line `at`, or `at`."""
    above = at - 1
    while above > earliest and not lines[above].strip():
        above -= 1
    return above if above >= earliest and above >= 0 and markers.is_rule(lines[above]) else at


def _forward_in_quote(lines: list[str], at: int, labels: list[_Whose]) -> bool:
    """Whether everything so far is blank and a passed-on message begins inside the quote."""
    if not markers.is_forward_marker(lines[at].lstrip("> ")):
        return False
    return not any(
        line.strip() and label is _Whose.QUOTED
        for line, label in zip(lines[:at], labels, strict=False)
    )


def _next_is_quoted(lines: list[str], at: int) -> bool:
    """Whether the next filled line, within three, is quoted."""
    for line in lines[at + 1 : at + 4]:
        if line.strip():
            return line.startswith(">")
    return False


def _fill(labels: list[_Whose], start: int, whose: _Whose) -> None:
    """Label every line from `start` on."""
    labels[start:] = [whose] * (len(labels) - start)


def _settle_rest(mail: ParsedMail, lines: list[str], labels: list[_Whose]) -> None:
    """Decide whether the rest after a marker is history or passed on.

    The subject says so; without a word from it, a message that is nothing but the rest is a
    forward.
    """
    if labels[-1] is not _Whose.REST:
        return
    start = labels.index(_Whose.REST)
    bare = not any(line.strip() for line in lines[:start])
    answered = is_reply_subject(mail.subject) or mail.in_reply_to is not None
    forward = is_forward_subject(mail.subject) or (bare and not answered)
    _fill(labels, start, _Whose.FORWARDED if forward else _Whose.QUOTED)


def _label_endings(lines: list[str], labels: list[_Whose]) -> None:
    """Label the ending of every run of new lines as signature."""
    start = 0
    while start < len(lines):
        if labels[start] is not _Whose.NEW:
            start += 1
            continue
        end = start
        while end < len(lines) and labels[end] is _Whose.NEW:
            end += 1
        cut = start + ending_start(lines[start:end])
        labels[cut:end] = [_Whose.SIGNATURE] * (end - cut)
        start = end


def _collect(lines: list[str], labels: list[_Whose], whose: _Whose) -> str:
    """Return the lines of one label as text, with one blank line where others were between."""
    kept: list[str] = []
    before = -1
    for at, (line, label) in enumerate(zip(lines, labels, strict=True)):
        if label is not whose:
            continue
        if kept and at != before + 1 and kept[-1].strip() and line.strip():
            kept.append("")
        kept.append(line.rstrip())
        before = at
    return "\n".join(kept).strip("\n")
