"""What a wish states for whoever carries it out, by the embedded provider."""

from pathlib import Path

import pytest

from data.records.mail.planning import ActionType, Plan, Slot, SlotName
from data.word_lists import word_list
from tasks.mail.actions import make_action
from tasks.mail.plan.slots import describe_slots, found_slots, with_slots

REPLY = make_action(ActionType.REPLY, "A question.")
TICKET = make_action(ActionType.CREATE_TICKET, "A person carries it out.", argument="Request")


STATED: list[list[str]] = word_list(Path(__file__).with_name("texts_read.yaml"))["slots"]


@pytest.mark.parametrize(("text", "name", "value"), STATED)
def test_a_reference_and_an_amount_are_found(text: str, name: str, value: str) -> None:
    """In the sender's own letters, in any of the languages."""
    assert Slot(name=SlotName(name), value=value) in found_slots(text)


def test_a_number_without_a_word_is_no_reference() -> None:
    """A year, a count or a telephone number is not taken for one."""
    for text in ("In 2024 we rode 120 km.", "Call me: telephone 030 1234567.", ""):
        assert not [one for one in found_slots(text) if one.name is SlotName.REFERENCE]


def test_only_what_a_person_carries_out_has_slots() -> None:
    """A plain reply has none, and what a model has filled stays."""
    text = "Please send invoice 4711 again."
    assert with_slots(Plan(actions=(REPLY,)), text).slots == ()
    plan = with_slots(Plan(actions=(TICKET, REPLY)), text)
    assert describe_slots(plan.slots) == "Stated: reference 4711."
    filled = plan.model_copy(update={"slots": (Slot(name=SlotName.PLACE, value="Kiel"),)})
    assert with_slots(filled, text) == filled
    assert describe_slots(()) == ""
