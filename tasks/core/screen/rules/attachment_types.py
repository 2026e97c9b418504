"""Attachments that run, or pretend to be something else."""

import unicodedata
from collections.abc import Container, Iterator
from functools import cache
from urllib.parse import unquote

from data.lexicons.screen import read
from data.records.core.parsed_mail import Attachment
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.patterns import compiled
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule

_BODY = 20_000
_SHOWN = 80
"""Characters of a name that are shown with a reason."""
_AROUND = " .\"'`\t"
_TELLS_PASSWORD = compiled(
    r"\b(?:password|passcode|passwort|kennwort|mot de passe|contrasena|clave|senha|haslo|pin)"
    r" ?(?:is|ist|lautet|est|es|e|to|:|=|-)|парол[ья]|密码"
)


@cache
def _endings(kind: str) -> frozenset[str]:
    return frozenset(read("attachments")[kind])


def look(views: Views) -> Iterator[Find]:
    """Find attachments that policy blocks, that run, hold macros, or are not what they seem."""
    blocked = {ending.lower().lstrip(".") for ending in views.policy.block_attachments}
    for attachment in views.mail.attachments:
        reasons = weigh_reasons(attachment, blocked, views.folded_body[:_BODY])
        for reason, score in reasons.items():
            shown = _shorten_name(attachment.filename)
            yield Find(MessagePlace.ATTACHMENT_NAME, f"{shown}: {reason}", score)


def weigh_reasons(attachment: Attachment, blocked: Container[str], body: str) -> dict[str, float]:
    """Return what speaks against a file, each with how much, from 0 to 1.

    `blocked` are the endings that the policy blocks, lower case; `body` is the text that comes with
    it, folded.
    """
    shown = attachment.filename
    reasons: dict[str, float] = {}
    for name in _spellings(attachment):
        other = "" if name == shown or _ending(name) == _ending(shown) else f" (as {name})"
        for reason, score in _by_name(name, attachment, blocked):
            reasons.setdefault(f"{reason}{other}", score)
    reasons.update(_by_bytes(attachment, _ending(shown), body))
    return reasons


def _shorten_name(name: str) -> str:
    """Return a name without the middle of a long one, so that its end and the reason are seen."""
    half = _SHOWN // 2
    return name if len(name) <= _SHOWN else f"{name[:half]}…{name[-half:]}"


def _spellings(attachment: Attachment) -> list[str]:
    """Return the names of a file and what they become in some program or system.

    Letters of full width, invisible ones, codes of links, quotation marks, and the colon from which
    on Windows reads the name of a stream do not change what a file is opened with.
    """
    names: dict[str, None] = {}
    for name in (attachment.filename, *attachment.other_names):
        plain = "".join(
            letter
            for letter in unicodedata.normalize("NFKC", name)
            if unicodedata.category(letter) != "Cf"
        ).strip(_AROUND)
        names |= dict.fromkeys((name, plain, unquote(plain).strip(_AROUND)))
        if ":" in plain[2:]:
            names[plain[:2] + plain[2:].partition(":")[0]] = None
    return [name for name in names if name]


def _ending(name: str) -> str:
    """Return the part after the last dot, lower case; systems ignore dots and spaces at the end."""
    return _parts(name)[-1] if len(_parts(name)) > 1 else ""


def _parts(name: str) -> list[str]:
    return [part.strip() for part in name.lower().rstrip(". ").split(".")]


def _is_domain_at_end(name: str, attachment: Attachment) -> bool:
    """Whether the name is words that end with a domain, as the subject of a mail does.

    `mail from quince.com` is named like this; what its bytes tell of a program counts as ever.
    """
    words = name.lower().split()
    if len(words) < 2 or not words[-1].endswith(".com") or "    " in name:
        return False
    labels = [label for word in words for label in word.split(".")]
    documents = any(label in _endings("document") for label in labels)
    declared = attachment.content_type in _endings("executable_types")
    return not documents and not declared


def _by_name(
    name: str, attachment: Attachment, blocked: Container[str]
) -> Iterator[tuple[str, float]]:
    """Yield (reason, score) for what a name and the declared type tell."""
    parts, ending = _parts(name), _ending(name)
    if ending in blocked:
        yield f"policy blocks .{ending}", 1.0
    runs = ending in _endings("executable")
    if runs:
        score = 0.2 if _is_domain_at_end(name, attachment) else 0.8
        yield f".{ending} can be run", score
    if runs and len(parts) > 2 and parts[-2] in _endings("document"):
        yield "double ending", 0.95
    if ending in _endings("macro"):
        yield f".{ending} can hold macros", 0.5
    if ending in _endings("disk_image"):
        yield f".{ending} is a container that hides what it holds", 0.55
    if ending in _endings("web_page"):
        score = 0.2 if attachment.inline else 0.36
        yield f".{ending} opens as a page from this computer", score
        if len(parts) > 2 and parts[-2] in _endings("document") - _endings("web_page"):
            yield "a page with the name of a document", 0.6
    if any(letter in name for letter in "\u202e\u202d\u2066\u2067"):
        yield "name is written backwards", 0.9
    if "    " in name:
        yield "name pushes its ending out of sight", 0.6
    executable = attachment.content_type in _endings("executable_types")
    if executable and not runs and ending in _endings("document"):
        yield f"declared as {attachment.content_type}", 0.7


def _by_bytes(attachment: Attachment, ending: str, body: str) -> Iterator[tuple[str, float]]:
    """Yield (reason, score) for what the bytes tell (`tasks.core.parse.attachment_signs`)."""
    signs = frozenset(attachment.signs)
    runs = ending in _endings("executable")
    for sign in sorted(signs & {"program", "shortcut"}):
        yield f"is a {sign}" + ("" if runs else f" named .{ending}"), 0.8 if runs else 0.95
    if "script" in signs and ending in _endings("document"):
        yield "is a script", 0.4
    if "holds program" in signs:
        yield "an archive with something in it that runs", 0.7
    if "macros" in signs:
        hides = "zip" in signs and ending not in _endings("macro")
        yield "holds macros" + (" that its name denies" if hides else ""), 0.9 if hides else 0.6
    if "iso" in signs and ending not in _endings("disk_image"):
        yield f"a disk image named .{ending}", 0.7
    if "encrypted" in signs:
        archive = bool(signs & {"zip", "rar", "7z"})
        tells_password = archive and _TELLS_PASSWORD.search(body) is not None
        yield "encrypted, so nobody could look into it", 0.2 + 0.2 * archive
        if tells_password:
            yield "encrypted, and the letter tells the password", 0.65
    if "active" in signs:
        yield "does something when it is opened", 0.5 if "rtf" in signs else 0.3
    if "asks" in signs:
        yield "a page that asks for input", 0.6
    elif "scripted" in signs:
        yield "a page with a script", 0.4
    shown = signs & {"zip", "ole", "page", "rar", "7z", "iso"}
    if ending in ("pdf", "jpg", "jpeg", "png", "gif", "txt") and shown:
        yield f"named .{ending}, is {', '.join(sorted(shown))}", 0.5


RULE = ScreenRule(
    name="attachment_types",
    sentence="Carries an attachment that runs, hides its type, or is blocked by policy.",
    technique="dangerous_attachment",
    layer=FilterLayer.CONTENT,
    severity=1.0,
    look=look,
)
