"""The marks that open and close quotations in the languages that Postern reads."""

QUOTATION_MARKS = '"“”„‟«»‹›「」『』《》〈〉'
"""Straight, English and German, French, Japanese, Chinese."""
