# ruff: noqa: E501 -- a pattern reads best on one line
"""Charging a battery shares its word with charging a card: *how long does it take to charge it?*."""

from data.concepts import concepts_named_in
from data.word_forms import bare
from tasks.patterns import compiled

_MONEY = frozenset(
    {
        "invoice",
        "pay",
        "refund",
        "card",
        "fee",
        "tax",
        "price",
        "bank",
        "twice",
        "receipt",
        "discount",
    }
)
"""Concepts beside which a charge is one of money."""
_POWER = compiled(
    bare(
        r"(?i)\bcharg(?:e|es|ing|ed) (?:(?:a|an|the|my|our|your|this|that|these|those|each|both|all|one|two|it|them|its|of|up|\d+)\b ?)*(?:\pL+ ){0,2}(?:receivers?|transmitters?|headsets?|headphones?|batter(?:y|ies)|devices?|sets?|units?|phones?|laptops?|tablets?|case|cases|earbuds?|boxe?s?|bikes?|cars?|scooters?|lamps?|cameras?|watch(?:es)?|speakers?|radios?|microphones?|mics?|drones?|tools?|drills?|gadgets?|kits?|equipment|station|stations|dock|docks|cables?|slots?|times?|leds?|lights?|lamp|ports?|tray|trays|cradles?|contacts?|pins?|levels?|cycles?|indicators?)\b|"
        r"\bcharg(?:e|es|ing|ed) (?:it |them |up |properly |fully |slowly |only |again |any ?more |completely )*(?:overnight|over night|in the (?:car|van|bus)|by usb|via usb|with usb|over usb|from (?:a |the )?(?:usb|powerbank|power bank|laptop)|any ?more|slowly|fully|properly|completely)\b|"
        r"\b(?:(?:not|n't|won't|fully|half|partly|still|keeps?|stopped|stops|without) (?:\pL+ )?charg(?:e|ing|ed)|holds? (?:its |a |the |their )?charge|(?:full|single|one) charge|per charge|charger|chargers|recharg\pL+)\b|\b(?:is|while) charging (?:possible|allowed|in)\b"
    )
)
_BILLED = compiled(
    r"(?i)\bcharg(?:e|es|ed|ing) (?:me|us|him|her|customers?|clients?|people|guests|for|extra|too much|again for|to my|my (?:card|account|bank))\b|\b(?:a|any|no|of|extra|additional|service|delivery|late|cancellation|which|what|unknown|this) charges?\b(?: (?:for|on|of|from)\b|$|[?.!,])|\bfree of charge\b|\b(?:was|were|been|got|being) charged (?:for|twice|again|too|\d|\pL* ?[€$£])|[€$£]|\b(?:eur|euros?|usd|dollars?|pounds?)\b"
)


def is_about_power(text: str) -> bool:
    """Return whether a text speaks of charging a thing, and names nothing of money."""
    plain = bare(text)
    if _POWER.search(plain) is None or _BILLED.search(plain) is not None:
        return False
    return not concepts_named_in(text) & _MONEY
