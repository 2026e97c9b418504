"""The stages of the mail line, one folder each.

A stage's folder holds its pure functions and the function over a batch (`screen_messages`,
`embed_texts`, `classify_cases`, `plan_cases`, `draft_cases`, `check_drafts`), which the engine, a
work process and `postern try` call alike. A module `..._form` there holds what a model is asked for
the stage, and how little its answer may change. What several stages rest on stands beside them.
"""
