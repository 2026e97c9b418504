import numpy as np

from tasks.core.words.letters import DIMENSIONS, embed_letters


def test_vectors_are_unit_rows_of_float32() -> None:
    """Every text with words becomes a row of length one."""
    vectors = embed_letters(["a blue kayak", "Grüße aus Gent"])
    assert vectors.shape == (2, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_text_without_words_is_zero() -> None:
    """A text without words gets the zero vector instead of an error."""
    assert not embed_letters(["", " \n ", "?!"]).any()


def test_no_texts_give_no_rows() -> None:
    """An empty batch keeps its shape."""
    assert embed_letters([]).shape == (0, DIMENSIONS)


def test_same_on_every_machine() -> None:
    """The vector of a text is fixed, so an index made elsewhere can be searched here."""
    first = embed_letters(["Kayaks cost 31 euros"])[0][:6]
    assert np.allclose(first, [-0.0827, -0.0713, -0.0052, -0.1067, 0.002, -0.0217], atol=1e-4)


def test_word_forms_and_typos_stay_near() -> None:
    """Another ending or one wrong letter moves a text less than another topic does."""
    base, form, typo, other = embed_letters(
        ["cancelling a booking", "cancelled bookings", "canceling a bookng", "dogs on board"]
    )
    assert base @ form > 0.5
    assert base @ typo > 0.4
    assert base @ other < 0.3


def test_languages_meet_in_a_concept() -> None:
    """A question in German is nearer to English opening hours than to English prices."""
    question, hours, prices = embed_letters(
        ["Wann haben Sie geöffnet?", "Opening hours of the boathouse", "Prices of kayaks"]
    )
    assert question @ hours > question @ prices + 0.1


def test_stop_words_hardly_count() -> None:
    """What two texts share must be a topic, not small words."""
    one, other = embed_letters(
        ["where is the depot that you have", "what is the price that you have"]
    )
    assert one @ other < 0.3
