"""Made-up conversations that teach the machine to comply."""

from collections.abc import Iterator

from data.records.screening import Layer
from tasks.screen.combinations import weighed
from tasks.screen.patterns import compiled
from tasks.screen.rule import Find, Rule
from tasks.screen.views import Views

_TURN = compiled(
    r"(?im)^[ \t>*_#\[\"']{0,6}(?:(?:ai|assistant|gpt|chatgpt|model|bot|chatbot|claude|llm|system"
    r"|assistent|asistente|assistente|asystent|ассистент|助手|ki|ia)|(human|user|nutzer|benutzer"
    r"|utilisateur|usuario|utente|uzytkownik|użytkownik|пользователь|用户|prompt))"
    r"[ \t*_\]\"']{0,4}[:：]"
)
_ENOUGH = 3


def look(views: Views) -> Iterator[Find]:
    """Find texts in which a machine answers a person three times or more."""
    for text in views.texts:
        machine = person = 0
        last = ""
        for turn in _TURN.finditer(text.text):
            person += turn.group(1) is not None
            machine += turn.group(1) is None
            last = turn.group()
            if min(machine, person) >= _ENOUGH * 4:
                break
        if min(machine, person) >= 1:
            score = min(0.8, 0.15 + 0.15 * min(machine, person))
            yield Find(text.place, f"{machine} turns {last.strip()}", weighed(text, score))


RULE = Rule(
    name="many_shot",
    sentence="Holds a made-up conversation between a person and a machine.",
    technique="many_shot",
    layer=Layer.INJECTION,
    severity=0.8,
    look=look,
)
