"""Bounces that only people were meant to read: recipients and reasons in running text.

The forms of qmail, Exim, Postfix, Sendmail, Exchange, Gmail, Notes and those who resemble them have
one thing in common: an address begins a line, and the reason follows on it or below it until a
blank line or the next address.
"""

from data.records.core.parsed_mail import FailedRecipient
from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import lexicon, phrases
from tasks.core.words.cleaning import straighten_apostrophes

DIAGNOSTIC = 300
"""Characters of a reason."""
REASON_LINES = 8
"""Lines of a reason."""

_ADDRESS = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*"
_BEGINS = compiled(
    rf"^(?:[-*•>]+\s*)?(?:(?:to|(?:recipient )?address|recipient|rcpt to|final-recipient: rfc822;?|"
    rf"failed recipient|an|empfänger|destinataire|destinatario|destinatário)\s*:\s*)?"
    rf"[<\"'(\[]{{0,2}}(?:mailto:)?({_ADDRESS})[>\"')\]]{{0,2}}(?:\s*\([^)]*\))?"
    r"(?:$|\s|[:;,<]|[.-](?:\s|$))"
)
_BRACKETED = compiled(rf"[<\"']({_ADDRESS})[>\"']")
_ANY = compiled(rf"({_ADDRESS})")
_STATUS = compiled(r"(?:^|[\s#(\[:-])([245]\.\d{1,3}\.\d{1,3})(?:$|[\s)\],;:.>-])")
_REPLY_CODE = compiled(r"(?:^|[\s#(\[:'\"-])([45]\d\d)(?:[ -]|$)")
_COPIES = tuple(phrases("automated", "copy_markers"))
_MEANINGS = [
    (str(code), tuple(str(word).casefold() for word in words))
    for code, words in lexicon("automated")["status_words"].items()
]
_NUMBER = compiled(r"^[0-9A-Fa-f-]{20,}@")
_DAEMONS = ("mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon", "abuse", "support")


def own_part(text: str) -> str:
    """Return a bounce's text without the copy of the message that it returns."""
    folded = straighten_apostrophes(text).lower()
    if len(folded) != len(text):  # places have to stay what they are
        folded = "".join(map(_small, straighten_apostrophes(text)))
    cuts = [at for marker in _COPIES if (at := folded.find(marker)) > 0]
    return text[: min(cuts, default=len(text))]


def _small(letter: str) -> str:
    """Return a letter in small, one for one, so that places stay what they are."""
    small = letter.lower()
    return small if len(small) == 1 else letter


def read_freeform(text: str, own: set[str], action: str) -> list[FailedRecipient]:
    """Return the recipients that a text names, with what it says of each.

    `own` are addresses that are not meant, case-folded. Addresses that begin a line count; without
    any, the first that stands in brackets, then the first of all.
    """
    failed_recipients: list[FailedRecipient] = []
    lines = text.split("\n")
    for at, line in enumerate(lines):
        match = _BEGINS.search(line.strip())
        if match is None or not _is_meant(match.group(1), own):
            continue
        reason = _reason(line.strip()[match.end() :], lines, at)
        failed_recipients.append(_recipient(match.group(1), reason, action))
    if failed_recipients:
        return failed_recipients
    for pattern in (_BRACKETED, _ANY):
        for address in pattern.findall(text):
            if _is_meant(str(address), own):
                return [_recipient(str(address), "", action)]
    return []


def read_status(text: str) -> str | None:
    """Return the status code that a text states, or what its reply code and words amount to."""
    if match := _STATUS.search(text):
        return str(match.group(1))
    folded = text.casefold()
    by_words = next(
        (code for code, words in _MEANINGS if any(word in folded for word in words)), None
    )
    match = _REPLY_CODE.search(text)
    if match is None:
        return by_words
    kind = match.group(1)[0]
    return f"{kind}{by_words[1:]}" if by_words else f"{kind}.0.0"


def _recipient(address: str, reason: str, action: str) -> FailedRecipient:
    """Return the record of one address."""
    return FailedRecipient(
        address=address.rstrip("."),
        action=action,
        status=read_status(reason) if reason else None,
        diagnostic=reason[:DIAGNOSTIC],
    )


def _reason(rest: str, lines: list[str], at: int) -> str:
    """Return what stands behind an address, and below it until a blank line or the next one."""
    reasons = [rest.strip(" :;,.-")]
    for line in lines[at + 1 : at + 1 + REASON_LINES]:
        bare = line.strip()
        if not bare or _BEGINS.search(bare):
            break
        reasons.append(bare)
    return " ".join(piece for piece in reasons if piece)


def _is_meant(address: str, own: set[str]) -> bool:
    """Whether an address may be the recipient that failed."""
    folded = address.rstrip(".").casefold()
    if _NUMBER.search(address):
        return False  # a Message-ID
    return folded not in own and not folded.partition("@")[0].startswith(_DAEMONS)
