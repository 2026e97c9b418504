"""Links and images whose address is to be filled with data."""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer
from tasks.core.patterns import compiled
from tasks.core.screen.combinations import weighed
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.pattern_gate import GATE

_SLOT = r"(?:\{\{?|\[|<|%7[Bb]|%3[Cc]|%5[Bb]|\$\{|\$\(|__)[A-Za-z0-9_ .:'\-]+"
_IMAGE = compiled(r"!\[[^\]\n]*\]\(\s*https?://[^)\s]*[?&/=](?:" + _SLOT + r"|[A-Z][A-Z_]+\))")
_LINK = compiled(r"\]\(\s*https?://[^)\s]*[?&=/]" + _SLOT)
_BARE = compiled(r"(?i)https?://[^\s\"'<>]*[?&][a-z_]+=" + _SLOT)
_WATCHED = GATE.watch(_IMAGE, _LINK, _BARE, kind="escapes")
_TELLING = compiled(
    r"(?i)secret|password|data|summary|conversation|history|content|inbox|prompt|email|key|token|answer|base64|encoded"
)


def look(views: Views) -> Iterator[Find]:
    """Find addresses with a slot for somebody's data."""
    for text in views.texts:
        if not text.signs & _WATCHED:
            continue
        for pattern, score in ((_IMAGE, 0.75), (_LINK, 0.6), (_BARE, 0.35)):
            match = pattern.search(text.text)
            if match is not None:
                telling = _TELLING.search(match.group()) is not None
                yield Find(
                    text.place, match.group(), weighed(text, score if telling else score / 2)
                )
                break


RULE = ScreenRule(
    name="link_template",
    sentence="Holds a link or an image whose address is to be filled with data.",
    technique="link_exfiltration",
    layer=FilterLayer.INJECTION,
    severity=0.75,
    look=look,
)
