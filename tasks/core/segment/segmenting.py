"""Stage *segment*: whose words a body holds, by rules over lines.

Kept apart are the sender's new words, quoted history, passed-on content and the signature with
disclaimers and footers. Every filled line of the body ends up in exactly one of
them; when nothing is recognized everything is new. The rules read lines, in time linear in the
text, for the client styles of English, German, French, Spanish, Italian, Portuguese, Dutch and
Polish, and use what the HTML of mail programs says about its own quotes (`ParsedMail.marks`).
"""

from data.records.core.parsed_mail import ParsedMail, Segments
from tasks.core.segment import markers as markers
from tasks.core.segment import run_on
from tasks.core.segment.attribution import attribution_start, may_end, own_prefix, split_joined
from tasks.core.segment.banners import banner_end
from tasks.core.segment.endings import endings
from tasks.core.segment.glued import part_glued
from tasks.core.segment.greeted import label_greeted
from tasks.core.segment.labels import LabelOwner, apply_marks, collect, has, label_armor, runs
from tasks.core.segment.lexicon import COLONS
from tasks.core.segment.own_quotes import own_quotes_end
from tasks.core.segment.subject import is_forward_subject, is_reply_subject

LOOKS = 2_000
"""Lines that are looked at as the end of an attribution."""


PROSE = 40
"""Characters from which on a line without a colon is prose."""
_SPECIAL = frozenset("><-_=*#(")
_LINKS = ("(http://", "(https://", "<http://", "<https://")


def segment(mail: ParsedMail) -> Segments:
    """Return the body of `mail` cut by whose words they are."""
    if not mail.text.strip():
        return Segments(forwarded="\n\n".join(mail.enclosed))
    whole = mail.text.split("\n")
    parted, glued = part_glued(whole, mail.text)
    lines, joined = _split(parted, answered=_is_answer(mail))
    origins = [at for at in range(len(whole)) for _ in range(1 + glued.count(at))] if glued else []
    split = [*glued, *(origins[at] if glued else at for at in joined)]
    labels = [LabelOwner.NEW] * len(lines)
    apply_marks(mail, lines, labels, split)
    if "-----BEGIN PGP" in mail.text:
        label_armor(lines, labels)
    own = own_quotes_end(mail, lines, labels) if any(line[:1] == ">" for line in lines) else 0
    _label(lines, labels, mail.subject, own)
    _settle_rest(mail, lines, labels)
    label_greeted(mail, lines, labels)
    _label_endings(lines, labels, mail.sender.name if mail.sender else "")
    _label_banner(lines, labels)
    texts_by_owner = collect(lines, labels)
    forwarded = texts_by_owner.get(LabelOwner.FORWARDED, "")
    return Segments(
        new=texts_by_owner.get(LabelOwner.NEW, ""),
        quoted=texts_by_owner.get(LabelOwner.QUOTED, ""),
        forwarded="\n\n".join(
            enclosed_mail for enclosed_mail in (forwarded, *mail.enclosed) if enclosed_mail
        ),
        signature=texts_by_owner.get(LabelOwner.SIGNATURE, ""),
    )


def _split(lines: list[str], *, answered: bool) -> tuple[list[str], list[int]]:
    """Return the lines with each attribution on a line of its own, and which lines were split."""
    last = max((at for at, line in enumerate(lines) if line.strip()), default=-1)
    alone = not any(line.strip() for line in lines[:last])
    pieces = run_on.part_line(lines[last], answered=answered, alone=alone) if last >= 0 else []
    if pieces:
        return [*lines[:last], *pieces, *lines[last + 1 :]], [last] * (len(pieces) - 1)
    return split_joined(lines)


def _is_answer(mail: ParsedMail) -> bool:
    """Whether a mail says of itself that it answers another."""
    return is_reply_subject(mail.subject) or mail.in_reply_to is not None


def _label(lines: list[str], labels: list[LabelOwner], subject: str, own: int) -> None:
    """Label what is not yet labelled: new, quoted, forwarded, or the rest after a marker.

    Lines before `own` that begin with `>` are the sender's (`tasks.core.segment.own_quotes`).
    """
    earliest = looks = 0
    any_quoted = any(line.lstrip().startswith(">") for line in lines if ">" in line)
    for at, line in enumerate(lines):
        if labels[at] is not LabelOwner.NEW:
            earliest = at + 1
            continue
        bare = line.strip()
        if not bare or (at < own and bare[0] == ">"):
            continue
        if not _may_mark(bare):
            follows = labels[at - 1] is LabelOwner.QUOTED and (any_quoted or len(bare) <= PROSE)
            if not follows and not (any_quoted and _next_is_quoted(lines, at)):
                continue
        if bare[0] == ">" and _is_quoted_line(lines, at, labels):
            if _forward_in_quote(lines, at, labels):
                _fill(labels, at, LabelOwner.FORWARDED)
                return
            labels[at] = LabelOwner.QUOTED
            earliest = at + 1
        elif _is_wrapped_quote(lines, at, labels):
            labels[at] = LabelOwner.QUOTED
            earliest = at + 1
        elif markers.is_forward_marker(bare):
            _fill(labels, at, LabelOwner.FORWARDED)
            return
        elif (start := _rest_start(lines, at, bare, earliest)) is not None:
            quoted = markers.quoted_after_head(lines, at)
            if quoted is not None and is_forward_subject(subject):
                quoted = None
            if quoted is None:
                _fill(labels, start, LabelOwner.REST)
                return
            labels[start:quoted] = [LabelOwner.QUOTED] * (quoted - start)
            earliest = quoted
        elif looks < LOOKS:
            quoted_next = any_quoted and at >= own and _next_is_quoted(lines, at)
            if not (quoted_next or may_end(bare)):
                continue
            looks += 1
            start = attribution_start(lines, at, earliest=earliest, quoted_next=quoted_next)
            if start is None:
                continue
            prefix = "" if quoted_next else own_prefix(lines, at)
            if not quoted_next and not prefix:
                _fill(labels, start, LabelOwner.REST)
                return
            labels[start : at + 1] = [LabelOwner.QUOTED] * (at + 1 - start)
            earliest = at + 1
            if prefix:
                _label_prefixed(lines, labels, at, prefix)


def _may_mark(bare: str) -> bool:
    """Whether a stripped line may be more than its sender's own words, whatever is around it."""
    if any(colon in bare for colon in COLONS) or bare[0] in _SPECIAL:
        return True
    return len(bare) <= PROSE and markers.may_mark(bare)


def _is_quoted_line(lines: list[str], at: int, labels: list[LabelOwner]) -> bool:
    """Whether a line that begins with `>` is quoted, rather than an arrow or an item.

    An indented one is when it stands below a quoted one; `>> here <<` is not when it stands alone,
    nor is `>From `, which programs write for `From ` at the beginning of a line.
    """
    line = lines[at]
    above_is_quoted = at > 0 and labels[at - 1] is LabelOwner.QUOTED
    if line[0] != ">":
        return above_is_quoted
    if line.startswith(">From ") and not above_is_quoted:
        return at + 1 < len(lines) and lines[at + 1].startswith(">")
    if not line.rstrip().endswith("<"):
        return True
    around = (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2])
    return any(
        line_around.startswith(">") and not line_around.rstrip().endswith("<")
        for line_around in around
    )


def _label_prefixed(lines: list[str], labels: list[LabelOwner], at: int, prefix: str) -> None:
    """Label the lines below line `at` that begin with another mark than `>`, in all the rest."""
    for below in range(at + 1, len(lines)):
        if lines[below].lstrip().startswith(prefix) and labels[below] is LabelOwner.NEW:
            labels[below] = LabelOwner.QUOTED


def _is_wrapped_quote(lines: list[str], at: int, labels: list[LabelOwner]) -> bool:
    """Whether a line is the broken-off end of a quoted line: it closes a bracket of a link."""
    if at == 0 or labels[at - 1] is not LabelOwner.QUOTED:
        return False
    line, above = lines[at], lines[at - 1]
    if line.strip().startswith(_LINKS) and lines[at + 1 : at + 2] and lines[at + 1].startswith(">"):
        return True
    for opening, closing in (("(", ")"), ("<", ">"), ("[", "]")):
        if closing in line and opening not in line.partition(closing)[0]:
            bare = above.lstrip("> ")
            if "://" in bare and bare.rfind(opening) > bare.rfind(closing):
                return True
    return False


def _rest_start(lines: list[str], at: int, bare: str, earliest: int) -> int | None:
    """Return where an earlier message begins that runs to the end of the body, or None."""
    if markers.is_original_marker(bare):
        return _with_rule(lines, at, earliest)
    if any(colon in bare[:60] for colon in COLONS) and markers.is_header_block(lines, at):
        return _with_rule(lines, at, earliest)
    if len(bare) < 60:
        return markers.notes_block_start(lines, at, earliest)
    return None


def _with_rule(lines: list[str], at: int, earliest: int) -> int:
    """Return the index of the drawn line that stands above line `at`, or `at`."""
    above = at - 1
    while above > earliest and not lines[above].strip():
        above -= 1
    return above if above >= earliest and above >= 0 and markers.is_rule(lines[above]) else at


def _forward_in_quote(lines: list[str], at: int, labels: list[LabelOwner]) -> bool:
    """Whether everything so far is blank and a passed-on message begins inside the quote."""
    if not markers.is_forward_marker(lines[at].lstrip("> ")):
        return False
    return not any(
        line.strip() and label is LabelOwner.QUOTED
        for line, label in zip(lines[:at], labels, strict=False)
    )


def _next_is_quoted(lines: list[str], at: int) -> bool:
    """Whether the next filled line, within three, is quoted."""
    for line in lines[at + 1 : at + 4]:
        if line.strip():
            return line.lstrip().startswith(">")
    return False


def _fill(labels: list[LabelOwner], start: int, whose: LabelOwner) -> None:
    """Label every line from `start` on."""
    labels[start:] = [whose] * (len(labels) - start)


def _settle_rest(mail: ParsedMail, lines: list[str], labels: list[LabelOwner]) -> None:
    """Decide whether the rest after a marker is history or passed on.

    The subject says so; without a word from it, a message that holds nothing new is a forward.
    """
    if LabelOwner.REST not in labels and has(lines, labels, LabelOwner.NEW):
        return
    answered = _is_answer(mail)
    if LabelOwner.REST in labels:
        start = labels.index(LabelOwner.REST)
        bare = not any(line.strip() for line in lines[:start])
        forward = is_forward_subject(mail.subject) or (bare and not answered)
        whose = LabelOwner.FORWARDED if forward else LabelOwner.QUOTED
        labels[:] = [whose if label is LabelOwner.REST else label for label in labels]
    if not answered and not has(lines, labels, LabelOwner.NEW):
        labels[:] = [
            LabelOwner.FORWARDED if label is LabelOwner.QUOTED else label for label in labels
        ]


def _label_endings(lines: list[str], labels: list[LabelOwner], sender: str) -> None:
    """Label the ending of every run of new lines as signature."""
    for label, start, end in list(runs(labels)):
        if label is LabelOwner.NEW:
            for first, last in endings(lines[start:end], sender):
                labels[start + first : start + last] = [LabelOwner.SIGNATURE] * (last - first)


def _label_banner(lines: list[str], labels: list[LabelOwner]) -> None:
    """Label what a gateway wrote above the new text as signature, unless nothing else is new."""
    first = next((run for run in runs(labels) if run[0] is LabelOwner.NEW), None)
    if first is None:
        return
    _, start, end = first
    banner = banner_end(lines[start:end])
    if banner and any(
        line.strip() and label is LabelOwner.NEW
        for line, label in zip(lines[start + banner :], labels[start + banner :], strict=True)
    ):
        labels[start : start + banner] = [LabelOwner.SIGNATURE] * banner
