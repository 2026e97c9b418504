import numpy as np

from tasks.core.language.embedding import DIMENSIONS, embed


def test_vectors_are_unit_rows_of_float32() -> None:
    """Every text with words becomes a row of length one."""
    vectors = embed(["a blue kayak", "Grüße aus Gent"])
    assert vectors.shape == (2, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_text_without_words_is_zero() -> None:
    """A text without words gets the zero vector instead of an error."""
    assert not embed(["", " \n ", "?!"]).any()
    assert embed([]).shape == (0, DIMENSIONS)


def test_word_forms_and_typos_stay_near() -> None:
    """Another ending or one wrong letter moves a text less than another topic does."""
    base, form, typo, other = embed(
        ["cancelling a booking", "cancelled bookings", "canceling a bookng", "dogs on board"]
    )
    assert min(base @ form, base @ typo) > base @ other + 0.2


def test_meaning_needs_no_shared_word() -> None:
    """A paraphrase is nearer than another topic."""
    question, answer, other = embed(
        ["this bill has not been paid", "overdue invoice", "dogs are welcome in the rooms"]
    )
    assert question @ answer > question @ other + 0.1


def test_languages_meet() -> None:
    """A question in German or Polish is nearer to the English answer than to another one."""
    german, polish, hours, refund = embed(
        [
            "Wann haben Sie am Samstag geöffnet?",
            "Kiedy dostanę zwrot pieniędzy?",
            "Opening hours of the shop",
            "We return the money within fourteen days",
        ]
    )
    assert german @ hours > german @ refund + 0.1
    assert polish @ refund > polish @ hours + 0.1


def test_odd_letters_and_great_length_are_read() -> None:
    """Lone surrogates, control letters and very long texts neither raise nor fall out."""
    found = embed(["half \ud83d a word \x00", "word " * 50_000])
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
