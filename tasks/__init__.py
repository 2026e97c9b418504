"""The verbs: one folder per stage, pure functions over records.

What several stages need stands beside them: `markup`, `words`, `rules`, `asking`, `batches`.
"""
