"""Which display names are a person's, and which are a company's, a family's or a desk's."""

import pytest

from data.records.mail.mail import Address
from tasks.mail.draft.names import safe_name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Jan van den Berg", "Jan van den Berg"),
        ("dhr. Jan de Boer", "Jan de Boer"),
        ("María de la Fuente", "María de la Fuente"),
        ("von Ahn, Lukas", "Lukas von Ahn"),
        ("Jean-Luc d'Arcy", "Jean-Luc d'Arcy"),
        ("Prof.ssa Anna De Luca", "Anna De Luca"),
        ("Uwe Kern [Heron]", "Uwe Kern"),
        ("Nguyễn Thị Hương", "Nguyễn Thị Hương"),
    ],
)
def test_small_words_and_titles_are_parts_of_a_name(written: str, name: str) -> None:
    """Particles stay where they stand, titles and asides are left out."""
    assert safe_name(Address(name=written, email="x@y.example")) == name


@pytest.mark.parametrize(
    "written",
    [
        "Heron GmbH",
        "Möbelhaus Kern KG",
        "Kundendienst",
        "Webshop Heron",
        "Familie Huber",
        "Do Not Reply",
        "Comptabilité Loiseau",
        "Servicio al Cliente",
        "Zespół Sklepu",
        "IDA MOE",
        "de la",
    ],
)
def test_what_is_no_persons_name_is_not_greeted(written: str) -> None:
    """A company, a desk, a family, and what is shouted get a plain greeting."""
    assert safe_name(Address(name=written, email="x@y.example")) == ""
