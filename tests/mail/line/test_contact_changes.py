"""News that somebody else is to be written to: a ticket and thanks, and no mail to that address."""

import pytest

from data.records.core.understanding import Priority
from data.records.mail.planning import ActionType
from flows.api.mail.review.case_view import case_view
from tasks.core.words.contact_changes import only_contact_news, tells_contact_change
from tasks.mail.classify.urgent import could_be_urgent
from tests.core.small import Line

NEWS = [
    "Mr Ellis no longer works here, please write to ute@heron.example.",
    "Mr Ellis has left the company. Please write to info@heron.example in future.",
    "I no longer work at Heron Mills, please contact Ute Lind (ute@heron.example).",
    "Herr Ellis arbeitet nicht mehr bei uns. Bitte schreiben Sie an ute@heron.example.",
    "Unser Kollege Ellis ist ausgeschieden, bitte wenden Sie sich an ute@heron.example.",
    "M. Ellis ne travaille plus chez nous. Merci d'écrire désormais à ute@heron.example.",
    "El señor Ellis ya no trabaja aquí; por favor, escriban a ute@heron.example.",
    "Il signor Ellis non lavora più qui, scrivete a ute@heron.example.",
    "De heer Ellis werkt niet meer bij ons. Mail naar ute@heron.example.",
    "Mr Ellis no longer works here.",
    "Anna Ellis has left the company.",
    "Herr Ellis arbeitet nicht mehr bei uns.",
    "Frau Lind ist im Ruhestand.",
    "M. Ellis ne travaille plus chez nous.",
    "Mon collègue a quitté l'entreprise.",
    "El señor Ellis ya no trabaja aquí.",
    "Mi compañera ya no trabaja en la empresa.",
    "O senhor Ellis já não trabalha aqui, escrevam para ute@heron.example.",
    "Pan Ellis już u nas nie pracuje, proszę pisać na ute@heron.example.",
]
OTHERS = [
    "The charger no longer works here. Please write to me at mara@heron.example.",
    "Der Drucker arbeitet nicht mehr für uns, bitte schreiben Sie mir an a@heron.example.",
    "Ma machine ne travaille plus pour nous, écrivez à mara@heron.example.",
    "Please send the invoice to accounts@heron.example.",
    "The charger no longer works here.",
    "Bobbin 24 no longer works here.",
    "Unser Drucker arbeitet nicht mehr hier.",
    "El cargador ya no trabaja aquí.",
    "Is Mr Ellis no longer with us?",
    "Where do I write to? Mr Ellis was very kind.",
]


@pytest.mark.parametrize("text", NEWS)
def test_news_of_another_contact_is_heard(text: str) -> None:
    """Somebody has left, whether or not it says whom to write to."""
    assert tells_contact_change(text)
    assert only_contact_news(f"Hello,\n\n{text}\n\nUte Lind\n")
    assert not only_contact_news(f"Hello,\n\n{text} Our loom is broken.\n\nUte Lind\n")


@pytest.mark.parametrize("text", OTHERS)
def test_what_only_resembles_it_is_none(text: str) -> None:
    """A machine has no successor, and an address alone says of nobody that he left."""
    assert not tells_contact_change(text)


@pytest.mark.parametrize(
    ("text", "pressing"),
    [
        ("Mr Brand no longer works here.", False),
        ("Herr Brand arbeitet nicht mehr bei uns.", False),
        ("De heer Brand werkt niet meer bij ons.", False),
        ("Frau Feuer ist nicht da.", False),
        ("Im Lager ist ein Brand, wir können nicht arbeiten.", True),
        ("Mr Brand says that there is smoke in the hall, and nothing works.", True),
    ],
)
def test_a_name_is_no_danger(text: str, pressing: bool) -> None:
    """A *Brand* is a fire in German, unless somebody is called so."""
    assert could_be_urgent(text, "Your mail") is pressing


@pytest.mark.parametrize("name", ["Ellis", "Brand"])
@pytest.mark.parametrize("asked", ["", "When is the workshop open? "])
@pytest.mark.parametrize("instead", [", please write to ute@heron.example.", "."])
async def test_a_person_changes_the_contact_and_the_writer_is_thanked(
    line: Line, name: str, asked: str, instead: str
) -> None:
    """A ticket, thanks to who wrote, the answer to what is asked; nothing to the named address."""
    news = f"Mr {name} no longer works here{instead}"
    line.send(f"Hello,\n\n{asked}{news}\n\nMara Heron\n", subject="Your mail")
    await line.run()
    (case,) = await line.rows("SELECT id FROM cases")
    view = await case_view(line.house, line.workspace, str(case["id"]))
    assert view.classification is not None
    assert view.classification.priority is not Priority.URGENT
    planned = {action.type for branch in view.branches for action in branch.plan.actions}
    assert ActionType.CREATE_TICKET in planned
    assert ActionType.ESCALATE not in planned
    assert view.recipients == ("mara@heron.example",)
    body = view.revisions[-1].draft.body
    assert "Thank you for letting us know." in body
    assert ("09:00 to 16:30" in body) is bool(asked)
    assert view.revisions[-1].draft.unanswered == ()
    assert (await line.rows("SELECT title FROM tickets"))[0]["title"]
