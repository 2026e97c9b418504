"""A gateway's banner above a message: it came from outside, and be careful with links.

It is the recipient's own server that says so, so it is no part of what the sender wants. A request
must never be taken for one, so all of it has to read like a banner: it speaks of mail that came
from outside, warns, and names what is not to be opened; each of its sentences says a part of that,
and none asks, counts anything or speaks of its writer.
"""

import re2

from tasks.core.patterns import compiled, compiled_set
from tasks.core.segment.lexicon import lexicon

LINES = 8
"""Lines that a banner may have."""
CHARACTERS = 900
WARNING_WORDS = 5
"""Words of a sentence that does nothing but warn, at most: *Please be careful.*"""

OUTSIDE, OPENED, WARNED = range(3)
BANNERS = compiled_set(
    "(?i)" + "|".join(re2.escape(str(stem)) for stem in lexicon("banners")[kind])
    for kind in ("outside", "opened", "warned")
)
TAGS = compiled(r"(?i)^\s*\[?\(?(?:external|extern|externe|externo|esterno)\)?\]?:?\s*$")
_SENTENCE = compiled(r"[^.!?]+[.!?]*\s*")
_ADDRESS = compiled(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|\S+\.\pL{2,}/\S*")
_NOUNS = (
    r"(?:e-?mail|mail|message|sender|nachricht|absender|courriel|expéditeur|correo|remitente|"
    r"mensaje|messaggio|mittente|mensagem|remetente|bericht|afzender|wiadomość|nadawca)"
)
_THIS = compiled(
    r"(?i)\b(?:this|the|diese[rs]?|dies|ce|cet|cette|este|esta|questo|questa|dit|deze|ten|ta) "
    rf"(?:\pL+ ){{0,2}}{_NOUNS}\b.{{0,40}}\b(?:from|outside|von|aus|de|del|fuera|dal\pL*|da|"
    rf"fora|van|buiten|z|spoza|extern\pL*)\b|"
    rf"^\W*(?:\pL+\W+){{0,2}}(?:extern\pL*|esterno|zewn\pL+) {_NOUNS}\W*?[\])}}.!:–-]|"
    rf"^\W*(?:\pL+\W+){{0,2}}{_NOUNS} (?:extern\pL*|esterno|esterna|zewn\pL+)\W*?[\])}}.!:–-]|"
    r"often get email|nicht oft|pas souvent|no suele|spesso|niet vaak"
)
"""That this mail came from outside: its whole matter, and no sentence about something else."""
_CARE = compiled(
    r"(?i)\b(?:not|never|don't|unless|before|when|care\pL*|cauti\pL*|nicht|keine?n?|ne|n'\pL+|no|ni|"
    r"non|não|niet|geen|nie|learn|vorsicht|prudence|cuidado|precaución)\b"
)
"""That something is to be left alone, or handled with care."""
_NO_GATEWAY = compiled(
    r"(?i)[?\d]|\b(?:i|we|my|me|ich|wir|mein\pL*|uns|je|j'\pL+|nous|mon|ma|mes|yo|nosotros|nosotras|"
    r"mi|mis|io|noi|mio|mia|ik|wij|we|mijn|eu|nós|meu|minha|ja|my|mój|moja)\b"
)
"""What asks, counts, or speaks of whoever writes."""


def banner_end(lines: list[str]) -> int:
    """Return how many of the first lines are a gateway's banner; 0 for none."""
    start = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if start < len(lines) and TAGS.search(lines[start]) is not None:
        return start + 1
    end = start
    while end < min(len(lines), start + LINES) and lines[end].strip():
        end += 1
    return next((at for at in range(end, start, -1) if _is_banner(lines[start:at])), 0)


def _is_banner(lines: list[str]) -> bool:
    """Return whether all that the lines say is a banner's."""
    text = " ".join(" ".join(lines).split())
    if len(text) > CHARACTERS or len(BANNERS.Match(text) or ()) <= WARNED:
        return False
    text = _ADDRESS.sub("it", text)
    if _THIS.search(text) is None or _NO_GATEWAY.search(text) is not None:
        return False
    return all(map(_belongs, _SENTENCE.findall(text)))


def _belongs(sentence: str) -> bool:
    """Return whether a sentence tells where mail came from, what to leave closed, or warns."""
    kinds = BANNERS.Match(sentence) or ()
    if OUTSIDE in kinds:
        return _THIS.search(sentence) is not None
    if OPENED in kinds:
        return _CARE.search(sentence) is not None
    return WARNED in kinds and len(sentence.split()) <= WARNING_WORDS
