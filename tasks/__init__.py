"""The verbs: pure functions over records, in three slices.

`core` is what every part stands on: text as it is written, and guarded against whoever wrote it.
`mail` holds one folder per stage of the line, `agents` what an agent works out without asking
anybody; neither imports the other.
"""
