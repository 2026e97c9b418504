"""Making text harmless to whoever tells parts of a prompt apart by marks in it."""

import unicodedata

from tasks.core.patterns import compiled
from tasks.core.screen.words.folding import keep_visible

_LINE_END = compiled(r"\r\n|[\r\x0b\x0c\x1c-\x1e\x{85}\x{2028}\x{2029}]")
"""What somebody, or `str.splitlines`, takes for the end of a line."""
_PIPE_TOKEN = compiled(r"[<＜]([|｜]+)([^<>＜＞\n]*?)([|｜]+)[>＞]")
_TAG = compiled(r"[<＜][/／]?[\pL!?][^<>＜＞\n]*[>＞]")
"""Without a group, with which RE2 takes several times as long to find a long one."""
_OPENING_PIPE = compiled(r"[<＜][|｜]")
_CLOSING_PIPE = compiled(r"[|｜][>＞]")
_INST = compiled(
    r"(?i)[\[［] ?([/／]?) ?(INST|SYS|SYSTEM|ASSISTANT|USER|ARGS|THINK|IMG|PREFIX|SUFFIX|MIDDLE"
    r"|[gs]?MASK|CLS|SEP|[A-Z]{2,20}(?:[_＿][A-Z0-9]{1,20}){1,3}) ?[\]］]"
)
"""Brackets of Mistral, GLM, Llama and their like; every name of several words may be one's."""
_BAR_INST = compiled(r"[\[［][|｜]([^\[\]\n|｜]{1,40})[|｜][\]］]")
_BARE_BRACKETS = compiled(r"\](~!?b)[\[\]]|\[(e~)\[")
_ANGLES = frozenset("<>＜＞")
_BRACKETS = frozenset("[］［]")
_FENCE = compiled(r"(?m)^([ \t]*)(?:`{3,}|~{3,}|-{3,}|={3,}|#{3,}|\*{3,}|_{3,})")
_ROLE = compiled(r"(?im)^([ \t]*)(system|assistant|human|user|developer|tool)([ \t]*):")
_OWN = compiled(
    r"(?im)^([ \t]*)(text written by the sender now|text of somebody else that"
    r"|earlier text of other people that|attachments \(not read\)|from|subject|date|in-reply-to)"
    r"([^\n]*):"
)


def make_inert(text: str) -> str:
    """Return `text` without invisible characters and with role marks that no tokenizer knows.

    Angle brackets of marks become `‹` and `›`, the brackets of templates `⟦` and `⟧`, fences at the
    start of a line are spaced out, `Role:` at the start of a line gets a middle dot. Words stay.
    """
    plain = keep_visible(_LINE_END.sub("\n", unicodedata.normalize("NFC", text)))
    plain = (
        "".join(
            letter for letter in plain if letter in "\n\t" or unicodedata.category(letter) != "Cc"
        )
        if not plain.isprintable()
        else plain
    )
    if not _ANGLES.isdisjoint(plain):
        plain = _PIPE_TOKEN.sub(lambda item: f"‹¦{item.group(2)}¦›", plain)
        plain = _TAG.sub(lambda item: f"‹{item.group()[1:-1]}›", plain)
        plain = plain.replace("<<", "‹‹").replace(">>", "››")
        plain = _OPENING_PIPE.sub(lambda _: "‹¦", plain)
        plain = _CLOSING_PIPE.sub(lambda _: "¦›", plain)
    if not _BRACKETS.isdisjoint(plain):
        plain = _INST.sub(lambda item: f"⟦{item.group(1)}{item.group(2)}⟧", plain)
        plain = _BAR_INST.sub(lambda item: f"⟦¦{item.group(1)}¦⟧", plain)
        plain = _BARE_BRACKETS.sub(
            lambda item: f"⟧{item.group(1)}⟦" if item.group(1) else f"⟦{item.group(2)}⟦", plain
        )
    plain = _FENCE.sub(lambda item: f"{item.group(1)}· · ·", plain)
    plain = _OWN.sub(lambda item: f"{item.group(1)}· {item.group()[len(item.group(1)) :]}", plain)
    return str(_ROLE.sub(lambda item: f"{item.group()[:-1]}·:", plain))
