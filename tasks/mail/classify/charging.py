# ruff: noqa: E501 -- a pattern reads best on one line
"""Charging a battery shares its word with charging a card: *how long does it take to charge it?*."""

from data.concepts import concepts_named_in
from data.word_forms import strip_accents
from tasks.core.patterns import compiled

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
_NO_MONEY = compiled(r"(?i)\bpower[ -]?banks?\b|\bcombien (?:de temps|d['’]heures|de minutes)\b")
"""A bank that pays for nothing, and a question for time."""
_POWER = compiled(
    strip_accents(
        r"(?i)\bcharg(?:e|es|ing|ed) (?:(?:a|an|the|my|our|your|this|that|these|those|each|both|all|one|two|it|them|its|of|up|\d+)\b ?)*(?:\pL+ ){0,2}(?:receivers?|transmitters?|headsets?|headphones?|batter(?:y|ies)|devices?|sets?|units?|phones?|laptops?|tablets?|case|cases|earbuds?|boxe?s?|bikes?|cars?|scooters?|lamps?|cameras?|watch(?:es)?|speakers?|radios?|microphones?|mics?|drones?|tools?|drills?|gadgets?|kits?|equipment|station|stations|dock|docks|cables?|slots?|times?|leds?|lights?|lamp|ports?|tray|trays|cradles?|contacts?|pins?|levels?|cycles?|indicators?)\b|"
        r"\bcharg(?:e|es|ing|ed) (?:it |them |up |properly |fully |slowly |only |again |any ?more |completely )*(?:overnight|over night|in the (?:car|van|bus)|by usb|via usb|with usb|over usb|from (?:a |the )?(?:usb|powerbank|power bank|laptop)|any ?more|slowly|fully|properly|completely)\b|"
        r"\b(?:(?:not|n't|won't|fully|half|partly|still|keeps?|stopped|stops|without) (?:\pL+ )?charg(?:e|ing|ed)|holds? (?:its |a |the |their )?charge|(?:full|single|one) charge|per charge|charger|chargers|recharg\pL+)\b|\b(?:is|while) charging (?:possible|allowed|in)\b|"
        r"\b(?:can|could|may|must|should|needs?|ha(?:s|ve)|able)(?: not)?(?: to)? (?:(?:the|a|an|my|our|your|this|that|these|those|both|all|it|they|one) )?(?:\pL+ ){0,3}be charged (?:while|during|overnight|via|from an?|without|by usb|over usb|with (?:a |the )?(?:usb|cable|charger)|in (?:its|their|the) (?:case|box|car|van|bus|dock|base))\b|\bbe (?:fully|completely|quickly) charged\b|"
        r"\b(?:how (?:long|often|fast|quickly)|(?:how many )?(?:hours|minutes))\b[^?.!]*\b(?:fully |before |until )?(?:charged\b|charge (?:it|them|up)\b)|\bcharging (?:times?|cables?|leds?|lights?|lamps?|ports?|trays?|docks?|bases?|cradles?|pins?|slots?|cases?)\b|\bcharges? (?:up to )?(?:\pL+|\d+) (?:\pL+ ){0,2}at (?:once|a time|the same time)\b|\bon charge\b|\bpower[ -]?banks?\b|"
        r"\b(?:temps|duree|delai|heures?|minutes?|cables?|station|base|socle|voyant|temoin|niveau|cycle|etui|boitier|valise|prise|port) de (?:re)?charge\b|\b(?:se|s'est|peut|peuvent|faut-il|pour) (?:re)?charg(?:er?|ent)\b|\b(?:re)?charger (?:l[ea] |les |l'|un |une |mon |ma |mes |nos |ces |cet? )?(?:\pL+ ){0,1}(?:recepteurs?|emetteurs?|casques?|batteries?|appareils?|boitiers?|micros?|unites?)\b|\b(?:met(?:tre|s|tez|tons)?|laiss(?:er|e|ez)|rest(?:er|e|ent)) (?:\pL+ ){0,2}en charge\b|"
        r"\b(?:tiempo|base|estacion|cable|maleta|estuche|luz|ciclo) de (?:re)?carga\b|\b(?:tempo|base|stazione|cavo|custodia|spia) di ricarica\b"
    )
)
_BILLED = compiled(
    r"(?i)\bcharg(?:e|es|ed|ing) (?:me|us|him|her|customers?|clients?|people|guests|for|extra|too much|again for|to my|my (?:card|account|bank))\b|\b(?:a|any|no|of|extra|additional|service|delivery|late|cancellation|which|what|unknown|this) charges?\b(?: (?:for|on|of|from)\b|$|[?.!,])|\bfree of charge\b|\b(?:was|were|be|been|got|being) charged (?:for|to|at|extra|separately|per|twice|again|too|\d|\pL* ?[€$£])|\b(?:i|we|he|she|you|anyone|anybody|customers?|guests?|clients?|visitors?|people) (?:\pL+ )?be charged\b|\b(?:do|does|did|will|would|can) (?:you|they|we) charge[ ?.!,]*$|[€$£]|\b(?:eur|euros?|usd|dollars?|pounds?)\b"
)


def is_about_power(text: str) -> bool:
    """Return whether a text speaks of charging a thing, and names nothing of money."""
    plain = strip_accents(text)
    if _POWER.search(plain) is None or _BILLED.search(plain) is not None:
        return False
    return not concepts_named_in(_NO_MONEY.sub("", text)) & _MONEY
