"""SPF by pyspf, over a resolver that is handed in (RFC 7208).

pyspf asks the DNS in one method of its query object, so that a subclass answers from our resolver
and nothing of the library is replaced. What that method owes its callers is kept: the limit of void
lookups (section 4.6.4) and a temporary error for what cannot be known.
"""

import warnings
from typing import Any

from connectors.dns_lookups import Lookups
from connectors.dns_resolver import NoDnsAnswerError
from data.records.core.mechanisms import MechanismAnswer, MechanismOutcome, SpfQuestion

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the library's docstrings hold escapes that Python frowns on
    import spf

UPSETS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError,
          RecursionError)  # fmt: skip
"""What the library may raise over a record that a stranger wrote."""
_OUTCOMES = {
    "pass": MechanismOutcome.PASS,
    "fail": MechanismOutcome.FAIL,
    "softfail": MechanismOutcome.FAIL,
    "neutral": MechanismOutcome.NONE,
    "none": MechanismOutcome.NONE,
    "permerror": MechanismOutcome.NONE,
}


class _Query(spf.query):  # type: ignore[misc]  # the library has no types
    """One evaluation that asks `lookups`."""

    def __init__(self, question: SpfQuestion, lookups: Lookups) -> None:
        super().__init__(i=question.peer, s=question.mail_from, h=question.helo, querytime=0)
        self._lookups = lookups

    def dns(
        self, name: str, qtype: str, cnames: object = None, ignore_void: bool = False
    ) -> list[Any]:
        """Return records in the library's form; aliases are followed by the resolver."""
        del cnames
        try:
            records = self._records(str(name), qtype)
        except NoDnsAnswerError as error:
            raise spf.TempError(str(error)) from error
        if not records and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError(f"more than {spf.MAX_VOID_LOOKUPS} void lookups")
        return records

    def _records(self, name: str, qtype: str) -> list[Any]:
        if not name:
            return []
        if qtype == "TXT":
            return [(text,) for text in self._lookups.txt(name)]
        if qtype == "MX":
            return [*self._lookups.mx(name)]
        if qtype in ("A", "AAAA"):
            return [*(self._lookups.a(name) if qtype == "A" else self._lookups.aaaa(name))]
        return [*self._lookups.ptr(name)] if qtype == "PTR" else []


def check_spf(question: SpfQuestion, lookups: Lookups) -> MechanismAnswer:
    """Ask whether the peer may send for the reverse-path, or for the HELO name without one.

    A domain that lets every address of the world send (`+all`) has said nothing about this one.
    """
    try:
        query = _Query(question, lookups)
        result, _, why = query.check()
    except (spf.PermError, spf.AmbiguityWarning, *UPSETS) as error:
        return MechanismAnswer(
            outcome=MechanismOutcome.NONE, detail=f"its record cannot be used: {error}"[:200]
        )
    except spf.TempError as error:
        return MechanismAnswer(outcome=MechanismOutcome.UNKNOWN, detail=str(error)[:200])
    if result == "pass" and str(query.mechanism).lower() in ("all", "+all"):
        return MechanismAnswer(
            outcome=MechanismOutcome.NONE, detail="its record lets every address send"
        )
    if result == "temperror":
        return MechanismAnswer(outcome=MechanismOutcome.UNKNOWN, detail=str(why)[:200])
    detail = {"permerror": "its record cannot be used", "none": "it has no record"}.get(
        result, result if result in ("neutral", "softfail") else ""
    )
    return MechanismAnswer(outcome=_OUTCOMES.get(result, MechanismOutcome.UNKNOWN), detail=detail)
