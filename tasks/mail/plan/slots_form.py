"""Filling slots by a model: what a wish states, copied from it letter by letter.

A value counts if it stands in the sender's words as it is. Nothing is concluded, and a link or an
address is no value.
"""

from pydantic import ValidationError

from data.records.core.asking import Brief, Fault, ModelFaultError, Question
from data.records.mail.planning import Slot
from tasks.core.asking.model_text import make_readable
from tasks.core.asking.model_view import text_view
from tasks.core.asking.packing import pack
from tasks.core.leaks.links import find_addresses, find_links
from tasks.mail.forms import ExtractForm
from tasks.mail.plan.slots import MOST

MAX_TOKENS = 800
_WISH = 4_000


def extract_question(words: str, *, brief: Brief, marker: str) -> Question:
    """Return the question what one wish states for whoever carries it out."""
    return brief.question(
        pack(marker, {}, {"wish in the sender's words": text_view(words, _WISH)}),
        ExtractForm,
        MAX_TOKENS,
    )


def read_slots(words: str, answer: object) -> tuple[Slot, ...]:
    """Return the slots whose values stand in the words.

    Raises:
        ModelFaultError: the answer is not in the form.

    """
    try:
        form = ExtractForm.model_validate(answer)
    except ValidationError as error:
        raise ModelFaultError(Fault.MALFORMED) from error
    readable_words = " ".join(make_readable(words).split())
    values_found = []
    for slot in form.slots:
        value = " ".join(make_readable(slot.value).split())
        led = find_links(value) or find_addresses(value)
        if value and not led and f" {value.lower()}" in f" {readable_words.lower()}":
            values_found.append(Slot(name=slot.name, value=value))
    return tuple(dict.fromkeys(values_found))[:MOST]
