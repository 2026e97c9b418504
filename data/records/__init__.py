"""The nouns: frozen, keyword-only records that pass between stages, store, API and window.

One module per stage's output, named after the noun. Every field has a sentence; times are
timezone-aware, confidences run from 0 to 1, sizes are bytes, durations are seconds unless named.
"""
