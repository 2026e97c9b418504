"""Numbers that states give to persons: of insurance, tax, identity cards and passports.

Told by the word before them, or by a form that nothing else has (Italy's codice fiscale). A
company's own numbers (VAT, SIRET, KvK) are no such thing.
"""

from functools import cache

import re2

from data.lexicons.secrets import secret_words
from tasks.core.patterns import compiled

_FORMS = compiled(
    r"\b[a-z]{6}\d{2}[a-ehlmprst]\d{2}[a-z]\d{3}[a-z]\b"  # codice fiscale of a person
    r"|\bdni\W{0,3}\d{8}[ \-]?[a-z]\b"
    r"|\bnino?\W{1,3}[a-z]{2}(?: ?\d{2}){3} ?[a-d]\b"
)


def identity_numbers(folded: str) -> list[str]:
    """Return the numbers of persons in folded text, each with the word that says so."""
    labelled = [str(match.group()) for match in _labelled().finditer(folded)]
    return labelled + [str(form) for form in _FORMS.findall(folded)]


@cache
def _labelled() -> "re2._Regexp[str]":
    words = "|".join(re2.escape(word) for word in secret_words("identity"))
    says = "|".join(re2.escape(word) for word in secret_words("says"))
    number = r"[a-z]{0,3}\d[a-z0-9]*(?:[ .\-/]?[a-z]?\d[a-z0-9]*){2,}|[a-z]{0,3}\d{6,12}[a-z]?"
    return compiled(rf"\b(?:{words})\b\W{{0,3}}(?:(?:{says})\W{{1,2}})?(?:{number})")
