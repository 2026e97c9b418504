"""Made-up conversations that teach the machine to comply."""

from collections.abc import Iterator, Sequence
from itertools import islice

import re2

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.patterns import compiled
from tasks.core.screen.combinations import weighed
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.framing import SHOWN_AROUND, SHOWN_WEIGHT, is_shown_conversation
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.scanned import Text
from tasks.core.screen.words.spotting import mask_of, spot

_TURN = compiled(
    r"(?im)^[ \t>*_#\[\"']{0,6}(?:(ai|assistant|ai assistant|gpt|chatgpt|chatbot|claude|llm"
    r"|assistent|asistente|assistente|asystent|ассистент|助手|ki|ia)|(system|model|bot)|(?:human|user|nutzer"
    r"|benutzer|utilisateur|usuario|utente|uzytkownik|użytkownik|пользователь|用户|prompt))"
    r"[ \t*_\]\"']{0,4}[:：]"
)
_ENOUGH = 3
_MOST_SHOWN = 8
_MOST = 40
_QUESTION = compiled(
    r"(?im)^[ \t>*]*(?:q|question|frage|pregunta|domanda|pergunta|pytanie|вопрос|问)[ \t]*[:：]"
)
_OPEN_ANSWER = compiled(
    r"(?im)^[ \t>*]*(?:a|answer|antwort|reponse|réponse|respuesta|risposta|resposta|odpowiedź"
    r"|ответ|答)[ \t]*[:：]\s*(?:\z|\n\s*\n)"
)
_EXAMPLE = compiled(
    r"(?i)(?:\b(?:example|beispiel|exemple|ejemplo|esempio|exemplo|przykład)\s?[0-9]{1,2}\s?:"
    r"|(?:пример|例|例子)\s?[0-9]{1,2}\s?[:：]|^[ \t>]*(?:prompt|input|mail)[ \t]*:)"
)
_OPEN_OUTPUT = compiled(
    r"(?im)^[^\n:]{1,20}:[^\n]{0,200}\b(?:output|ausgabe|sortie|salida|uscita|saída|wynik|вывод)"
    r"\s{0,2}:?\s*(?:\z|\n\s*\n)|^[ \t>]*(?:completion|output)[ \t]*:\s*(?:\z|\n\s*\n)"
)
"""The last example, whose end a model is to write."""
_OPEN_SIGN = compiled(
    r"(?i)(?:output|completion|ausgabe|sortie|salida|uscita|saída|wynik|вывод)\s?:?\s?(?:\z|\n)"
)
_FEWEST_EXAMPLES = 2
_WATCHED = GATE.watch(_TURN, _OPEN_ANSWER, _OPEN_SIGN, kind="turns")


def look(views: Views) -> Iterator[Find]:
    """Find texts in which a machine answers a person."""
    for text in views.texts:
        if not text.signs & _WATCHED:
            continue
        certain = possible = person = 0
        turns = list(islice(_TURN.finditer(text.text), _MOST))
        for turn in turns:
            certain += turn.group(1) is not None
            possible += turn.group(2) is not None
            person += turn.group(1) is None and turn.group(2) is None
        if certain and person:
            score = min(0.8, 0.25 + 0.15 * min(certain, person)) * _shown(text, turns)
            yield Find(text.place, f"{certain} turns of an assistant", weighed(text, score))
        elif possible and person:  # logs and forms have lines like these, so little is said by them
            score = min(0.3, 0.1 * min(possible, person))
            yield Find(text.place, f"{possible} turns of a system", weighed(text, score))
        if _OPEN_OUTPUT.search(text.text) is not None:
            examples_given = sum(1 for _ in islice(_EXAMPLE.finditer(text.text), _MOST))
            if examples_given >= _FEWEST_EXAMPLES:
                yield Find(
                    text.place, f"{examples_given} examples, the last open", weighed(text, 0.45)
                )
        if _OPEN_ANSWER.search(text.text) is not None:
            asked = sum(1 for _ in islice(_QUESTION.finditer(text.text), _MOST))
            if asked >= _ENOUGH:  # nobody leaves the last answer to the reader; a model fills it in
                score = min(0.8, 0.4 + 0.05 * asked)
                yield Find(
                    text.place, f"{asked} questions, the last unanswered", weighed(text, score)
                )


def _shown(text: Text, turns: Sequence["re2._Match"]) -> float:
    """Return less than 1 for a few turns that somebody shows because something is wrong in them."""
    if text.disguised or text.place is MessagePlace.HIDDEN or len(turns) > _MOST_SHOWN:
        return 1.0
    span = turns[0].start(), turns[-1].end()
    shown_text = text.text[span[0] : span[1] + SHOWN_AROUND]
    if not is_shown_conversation(text.text, span) or _orders(shown_text):
        return 1.0
    return SHOWN_WEIGHT


def _orders(text: str) -> bool:
    """Whether the words of a conversation are about what machines are told."""
    return bool(spot(text).mask & mask_of("override|prompt_object|own_rules|freedom|exfiltrate"))


RULE = ScreenRule(
    name="many_shot",
    sentence="Holds a made-up conversation between a person and a machine.",
    technique="many_shot",
    layer=FilterLayer.INJECTION,
    severity=0.8,
    look=look,
)
