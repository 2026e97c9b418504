"""Asking a language model: what goes in, which form the answer has, and how little it may change.

One module per task makes the question from records and takes the answer in. Mail enters through
`tasks.core.model_view` and `tasks.core.asking.packing` only, fenced, in the user's turn. An answer
is data: validated, bounded, and merged with what the embedded provider says, so that it can
restrict and never loosen.
"""
