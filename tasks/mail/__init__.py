"""The stages of the mail line, one folder each.

What several of them need stands beside them: `rules`, `asking`, `batches`.
"""
