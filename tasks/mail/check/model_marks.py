"""Marks by which language models tell roles apart; in a letter they are traces of an attack.

A model that was led astray may repeat them, and another machine that reads the letter may obey what
stands between them.
"""

from tasks.core.leaks.links import undo_disguises
from tasks.core.patterns import compiled

_MARKS = compiled(
    r"(?i)<\s?\|[^<>\n]{1,40}\|\s?>"
    r"|\[/?(?:INST|SYS|SYSTEM|TOOL_CALLS|TOOL_RESULTS)\]|<</?SYS>>"
    r"|<(?:start|end)_of_(?:turn|text|message)>|<(?:bos|eos)>|</?s>"
    r"|</?\s?(?:system|assistant|developer|user|tool_call|tool_result|tool_use|function_calls"
    r"|invoke|thinking|instructions?)\b[^<>\n]{0,40}>"
    r"|(?m)^\s{0,3}#{2,6}\s{0,2}(?:system|assistant|instructions?|human|user)\s?:?\s?$"
)


def model_marks(text: str) -> list[str]:
    """Return the marks in a text, however wide their letters are drawn; each as it was read."""
    return [str(match.group()).strip() for match in _MARKS.finditer(undo_disguises(text))]
