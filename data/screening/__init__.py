"""The screen's classifier of injected instructions, from text to one score.

`lines` makes running text of a mail; `reading` finds its sentences, words, kinds (`concepts`) and
marks. `features` of these are counted by the linear `model`, in `windows` of sentences. What it
suspects (`suspects`), the `encoder` reads once more as `tokens`.
"""
