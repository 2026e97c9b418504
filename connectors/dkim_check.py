"""DKIM and ARC signatures by dkimpy, over a resolver that is handed in (RFC 6376, RFC 8617).

dkimpy takes the function that fetches keys as an argument. Three things are put around it: the key
is fetched first, so that a signature without one costs no hashing; the body comes to it apart and
in its canonical form, because the library reads messages line by line and its patterns need
quadratic time for long runs of blanks; and a key in test mode counts as no key (RFC 6376 section
3.6.1), which the library leaves to its callers.
"""

import binascii
import logging
from typing import Any

import dkim
from dkim.asn1 import ASN1FormatError
from dkim.crypto import DigestTooLargeError, UnparsableKeyError
from dkim.util import InvalidTagValueList, parse_tag_value

from connectors.dns_lookups import Lookups
from connectors.dns_resolver import NoDnsAnswerError
from connectors.spf_query import UPSETS
from data.byte_patterns import octet_pattern
from data.records.core.mechanisms import ArcAnswer, DkimQuestion, MechanismAnswer, MechanismOutcome

LONGEST_KEY = 1_200
"""Octets of a key record: RSA of 4096 bits needs about 750, and longer ones take long to check."""

_BLANK = octet_pattern(rb"\r?\n\r?\n")
_FAULTS = (
    dkim.DKIMException, InvalidTagValueList, UnparsableKeyError, DigestTooLargeError,
    ASN1FormatError, binascii.Error, *UPSETS,
)  # fmt: skip
_SILENT_LOG = logging.getLogger("postern.authentication.dkim")
_SILENT_LOG.addHandler(logging.NullHandler())
_SILENT_LOG.propagate = False  # the library's lines quote strangers; answers carry the reasons


class KeyProblemError(dkim.DKIMException):  # type: ignore[misc]  # the library has no types
    """There is no key to check with; unknown says whether it might appear later."""

    def __init__(self, sentence: str, *, unknown: bool = False) -> None:
        super().__init__(sentence)
        self.unknown = unknown


class _Verifier(dkim.DKIM):  # type: ignore[misc]  # the library has no types
    """A check whose body is in its canonical form already, and is only hashed."""

    def verify_headerprep(self, idx: int = 0) -> Any:  # noqa: ANN401  # what the library returns
        """Read the signature; the body is taken as it is, unless relaxed means none at all."""
        is_sound = super().verify_headerprep(idx)
        if is_sound and self.body != b"\r\n":
            head, _, body = is_sound[0].get(b"c", b"simple").partition(b"/")
            if body == b"relaxed":
                is_sound[0][b"c"] = head + b"/simple"
        return is_sound


def check_dkim(raw: bytes, question: DkimQuestion, lookups: Lookups) -> MechanismAnswer:
    """Ask whether one DKIM signature of the message holds."""
    name = f"{question.selector}._domainkey.{question.domain}"
    try:
        key = fetch_key(name, lookups)
        head, body = _split(raw)
        verifier = _Verifier(head, logger=_SILENT_LOG)
        verifier.body = _canonical_body(body, verifier.headers, question.index)
        holds = verifier.verify(question.index, dnsfunc=lambda _, **__: key)
    except KeyProblemError as error:
        return MechanismAnswer(
            outcome=MechanismOutcome.UNKNOWN if error.unknown else MechanismOutcome.FAIL,
            detail=str(error),
        )
    except _FAULTS as error:
        return MechanismAnswer(outcome=MechanismOutcome.FAIL, detail=str(error)[:200])
    if holds and verifier.domain.decode("ascii", "replace").lower() == question.domain:
        return MechanismAnswer(outcome=MechanismOutcome.PASS)
    return MechanismAnswer(outcome=MechanismOutcome.FAIL, detail="the signature does not hold")


def check_arc(raw: bytes, lookups: Lookups) -> ArcAnswer:
    """Ask whether the ARC chain of the message holds, and what its newest sealer saw."""
    problems: list[KeyProblemError] = []

    def key_of(name: bytes, **_: object) -> bytes:
        try:
            return fetch_key(name.decode("ascii", "replace"), lookups)
        except KeyProblemError as error:
            problems.append(error)
            raise

    try:
        head, body = _split(raw)
        chain = dkim.ARC(head, logger=_SILENT_LOG)
        chain.body = relaxed_body(body)  # ARC knows no other form of the body
        state, sets, why = chain.verify(dnsfunc=key_of)
    except _FAULTS as error:
        return ArcAnswer(outcome=MechanismOutcome.FAIL, detail=str(error)[:200])
    if any(problem.unknown for problem in problems):
        return ArcAnswer(outcome=MechanismOutcome.UNKNOWN, detail=str(problems[0]))
    if state != dkim.CV_Pass or not sets:
        return ArcAnswer(outcome=MechanismOutcome.FAIL, detail=str(why)[:200])
    newest = sets[0]
    if newest["ams-domain"].lower() != newest["as-domain"].lower():
        return ArcAnswer(
            outcome=MechanismOutcome.FAIL, detail="seal and signature are of different domains"
        )
    return ArcAnswer(
        outcome=MechanismOutcome.PASS,
        sealer=newest["as-domain"].decode("ascii", "replace").lower(),
        results=newest["aar-value"].decode("utf-8", "replace").partition(";")[2].strip(),
    )


def fetch_key(name: str, lookups: Lookups) -> bytes:
    """Return the key record of that name.

    Raises:
        KeyProblemError: there is none that can be used.

    """
    try:
        records = lookups.txt(name)
    except NoDnsAnswerError as error:
        raise KeyProblemError(str(error), unknown=True) from error
    if len(records) != 1 or len(records[0]) > LONGEST_KEY:
        raise KeyProblemError(
            f"{len(records)} usable keys at {name}"
            if len(records) != 1
            else f"the key at {name} is too long"
        )
    try:
        tags = parse_tag_value(records[0])
    except InvalidTagValueList as error:
        raise KeyProblemError(f"the key at {name} cannot be read") from error
    if b"y" in _split_at_colons(tags.get(b"t", b"")):
        raise KeyProblemError(f"the key at {name} is for testing only", unknown=True)
    if b"h" in tags and b"sha256" not in _split_at_colons(tags[b"h"]):
        raise KeyProblemError(f"the key at {name} is not for SHA-256")
    if not tags.get(b"p"):
        raise KeyProblemError(f"the key at {name} is revoked")
    return records[0]


def _split_at_colons(value: bytes) -> list[bytes]:
    """Return the words of a tag's value, parted by colons; blanks may stand around each."""
    return [word.strip() for word in value.split(b":")]


def relaxed_body(body: bytes) -> bytes:
    """Return a body in the relaxed form (RFC 6376 section 3.4.4), in linear time."""
    body = body.replace(b"\t", b" ")
    while b"  " in body:
        body = body.replace(b"  ", b" ")
    return _one_line_end(body.replace(b" \r\n", b"\r\n"))


def _one_line_end(body: bytes) -> bytes:
    """Return a body whose empty lines at the end are one line end."""
    return body.rstrip(b"\r\n") + b"\r\n"


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """Return the header with its blank line, and the body with every line ending in CRLF."""
    if raw.startswith((b"\r\n", b"\n")):
        return b"\r\n", raw
    end = _BLANK.search(raw)
    head, body = (raw[: end.start()], raw[end.end() :]) if end else (raw, b"")
    if body.count(b"\n") != body.count(b"\r\n"):
        body = body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return head + b"\r\n\r\n", body


def _canonical_body(body: bytes, headers: list[list[bytes]], index: int) -> bytes:
    """Return a body in the canonical form that signature number `index` names.

    What the library repeats of it is quick then.
    """
    values = [value for name, value in headers if name.lower() == b"dkim-signature"]
    tags = parse_tag_value(values[index])
    _, _, form = tags.get(b"c", b"simple/simple").partition(b"/")
    return relaxed_body(body) if form == b"relaxed" else _one_line_end(body)
