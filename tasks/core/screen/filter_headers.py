"""The verdict of a front server's spam filter in a message: `X-Spam-*` and `X-Spamd-*` fields.

Whether they are to be believed is decided by where the message came from. They only ever add
suspicion: of several fields the one that speaks most against the message counts, so that nobody
who writes one of his own takes anything away.
"""

from collections.abc import Sequence

import re2

from data.records.core.envelope import Channel, Envelope
from data.records.core.filters import FilterSymbol, FilterVerdict
from data.records.core.parsed_mail import ParsedMail
from tasks.core.authenticate.authenticating import is_within
from tasks.core.patterns import compiled

_YES = compiled(r"(?i)^\s*(?:yes|true|spam)\b")
_SCORE = compiled(r"(?i)\b(?:score|hits)=\s*(-?\d+(?:\.\d+)?)")
_REQUIRED = compiled(r"(?i)\b(?:required|tag|kill|tagged_above)=\s*(-?\d+(?:\.\d+)?)")
_TESTS = compiled(r"\b(?i:tests)=\[?([A-Z0-9_,=.\s\-]*)")
_TEST = compiled(r"^([A-Z][A-Z0-9_]+)(?:=(-?\d+(?:\.\d+)?))?$")
_REPORTED = compiled(
    r"(?s)^\s*-?\d+(?:\.\d+)?\s+([A-Z][A-Z0-9_]+)\s+(?:(?:BODY|HEADER|URI|RAW|FULL):\s)?(.*)$"
)
_RSPAMD = compiled(r"(?i)\b(true|false)\s*\[(-?\d+(?:\.\d+)?)\s*/\s*(-?\d+(?:\.\d+)?)\]")
_SYMBOL = compiled(r"\b([A-Z][A-Z0-9_]+)\s*\((-?\d+(?:\.\d+)?)\)")
_MOST_LETTERS, _MOST_SYMBOLS, _MOST_WORDS = 16_000, 60, 200
_FLAGS = ("x-spam-flag", "x-spam", "x-spam-status")


def header_verdict(
    mail: ParsedMail, envelope: Envelope, trusted: Sequence[str]
) -> FilterVerdict | None:
    """Return what the filter of a front server says, or None when no field is to be believed.

    Args:
        mail: the message.
        envelope: where it came from; the peer is the server that handed it over.
        trusted: networks whose servers' fields are believed; none by default.

    """
    local = envelope.channel is Channel.SMTP and not envelope.peer  # LMTP over a socket file
    if not trusted or not (local or is_within(envelope.peer, tuple(trusted))):
        return None
    verdicts: list[FilterVerdict | None] = [
        _of_status(value) for value in mail.header_values("x-spam-status")
    ]
    verdicts += [_of_result(value) for value in mail.header_values("x-spamd-result")]
    flagged = any(_YES.search(value) for name in _FLAGS for value in mail.header_values(name))
    verdicts_read = [verdict for verdict in verdicts if verdict is not None]
    if not verdicts_read and not flagged:
        return None
    sentences = _reported(mail.header_values("x-spam-report"))
    strongest = max(verdicts_read, key=lambda item: (item.spam, item.score), default=None)
    strongest_verdict = strongest or FilterVerdict(filter="", spam=True)
    where = envelope.peer or "this machine"
    name = f"the filter of {where}"
    return strongest_verdict.model_copy(
        update={
            "filter": name,
            "spam": strongest_verdict.spam or flagged,
            "symbols": tuple(
                symbol.model_copy(update={"words": sentences.get(symbol.name, symbol.words)})
                for symbol in strongest_verdict.symbols
            ),
        }
    )


def _reported(values: Sequence[str]) -> dict[str, str]:
    """Return each test's sentence in an `X-Spam-Report: * 3.5 BAYES_99 BODY: Bayes …`."""
    sentences: dict[str, str] = {}
    for value in values:
        name = ""
        for piece in value[:_MOST_LETTERS].split("*"):
            test = _REPORTED.search(piece)
            name, words = (test[1], test[2]) if test is not None else (name, piece)
            if name:  # what stands before the first test is no sentence of one
                sentence = f"{sentences.get(name, '')} {words}"
                sentences[name] = " ".join(sentence.split())[:_MOST_WORDS]
    return sentences


def _of_status(value: str) -> FilterVerdict:
    """Return what SpamAssassin's `X-Spam-Status: Yes, score=7.2 required=5.0 tests=A,B` says."""
    text = value[:_MOST_LETTERS]
    tests = _TESTS.search(text)
    tests_read = (_TEST.search(part.strip()) for part in (tests[1] if tests else "").split(","))
    symbols = [
        FilterSymbol(name=test[1], points=float(test[2] or 0))
        for test in tests_read
        if test is not None
    ]
    return FilterVerdict(
        filter="",
        spam=bool(_YES.search(text)),
        score=_number(_SCORE.search(text)),
        threshold=_number(_REQUIRED.search(text)),
        symbols=tuple(sorted(symbols, key=lambda symbol: -symbol.points)[:_MOST_SYMBOLS]),
    )


def _of_result(value: str) -> FilterVerdict | None:
    """Return what rspamd's `X-Spamd-Result: default: True [15.2 / 6.0]; A(1.2)[…]` says."""
    text = value[:_MOST_LETTERS]
    head = _RSPAMD.search(text)
    if head is None:
        return None
    symbols = [
        FilterSymbol(name=match.group(1), points=float(match.group(2)))
        for match in _SYMBOL.finditer(text)
    ]
    return FilterVerdict(
        filter="",
        spam=head[1].lower() == "true",
        score=float(head[2]),
        threshold=float(head[3]),
        symbols=tuple(sorted(symbols, key=lambda symbol: -symbol.points)[:_MOST_SYMBOLS]),
    )


def _number(match: "re2._Match | None") -> float:
    return float(match[1]) if match is not None else 0.0
