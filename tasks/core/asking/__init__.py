"""Asking a language model: what goes in, and the form that its answer has.

A module `..._form` of a stage makes the question from records and takes the answer in. Mail enters
through `model_view` and `packing` only, fenced, in the user's turn. An answer is data: validated,
bounded, and merged with what the embedded provider says, so that it can restrict and never loosen.
"""
