"""Words with letters of two alphabets are read as they look, or left as they are."""

import pytest

from tasks.core.screen.disguises.mixed_alphabets import unmixed

KEPT = ["Samsungом", "USBшный", "5кг", "АВ12К", "μs", "αf²", "Wi-Fi", "OZON"]


@pytest.mark.parametrize("word", KEPT)
def test_words_that_fit_no_alphabet_stay(word: str) -> None:
    """What does not become wholly Cyrillic or Greek is left as it is."""
    assert unmixed(f"Вот {word} здесь") is None


def test_short_words_between_are_cyrillic_too() -> None:
    """Behind a Cyrillic word a word of look-alikes alone is taken for Cyrillic."""
    assert unmixed("Зaбудь o нём") == "Забудь о нём"
