"""The disguises and codes by name, so that what each finds can be measured by leaving it out.

`python -m benchmarks.screening_disguises` does so.
"""

Disguises = frozenset[str]
"""Names of those that are undone."""
MASKS = ("tag_characters", "mixed_alphabets", "masked_words")
"""Other signs for letters; `masked_words` are look-alikes, digits, and letters with spaces."""
TORN = ("letters_apart", "run_together", "torn_words", "columns")
"""Letters and words that are not where they belong."""
DISORDER = ("scrambled", "misspelt", "cut_words", "acrostics")
"""Words of orders that are put right, or put together."""
CODES = (
    "base64", "base32", "hex", "url", "html", "quoted_printable", "unicode_escape", "ciphers",
    "letter_codes", "turned_codes", "ascii_armour", "program_text", "spelling_alphabets",
    "starred_words",
)  # fmt: skip
"""Texts that are written otherwise."""
EVERY = (*MASKS, *TORN, *DISORDER, *CODES)
ALL: Disguises = frozenset(EVERY)
"""What the screen undoes."""
