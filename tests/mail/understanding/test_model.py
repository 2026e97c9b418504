"""The linear model, its features, and the shipped weights."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from data.errors import SettingsError
from data.linear import Head, LinearModel
from data.ngrams import grams, normalize_text
from data.weights import LANGUAGE, UNDERSTANDING
from training.compose import messages
from training.language import PARTS as LANGUAGE_PARTS
from training.understanding import PARTS, figures


@pytest.fixture(scope="module")
def model() -> LinearModel:
    """The shipped weights."""
    return LinearModel.load(UNDERSTANDING)


def test_hashes_are_the_same_everywhere() -> None:
    """The features of a word have fixed hashes, so weights fit on every platform."""
    found = grams(["ab"])
    assert found.hashes.tolist() == FIXED
    assert found.sizes.tolist() == [len(FIXED)]


def test_features_stay_inside_their_text() -> None:
    """A batch gives each text the features that it has alone."""
    texts = ["One text, here.", "", "another", "one Text  here"]
    together = grams(texts)
    for place, text in enumerate(texts):
        assert together.hashes[together.rows == place].tolist() == grams([text]).hashes.tolist()


def test_digits_addresses_and_case_do_not_matter() -> None:
    """Numbers, letter case and the address of a link make no difference."""
    one = grams(["order 123 at http://a.example/x"]).hashes
    other = grams(["Order 987 at http://b.example/y?z=1"]).hashes
    assert one.tolist() == other.tolist()
    assert "a.example" not in normalize_text("see http://a.example/x")


def test_weights_are_small_and_no_pickle() -> None:
    """Both files hold plain arrays and together at most 5 MB."""
    assert UNDERSTANDING.stat().st_size + LANGUAGE.stat().st_size <= 5_000_000
    for path in (UNDERSTANDING, LANGUAGE):
        with zipfile.ZipFile(path) as archive:
            assert all(name.endswith(".npy") for name in archive.namelist())
        with np.load(path, allow_pickle=False) as file:
            assert all(file[name].dtype != object for name in file.files)


def test_probabilities_are_probabilities(model: LinearModel) -> None:
    """Every head answers with numbers from 0 to 1 that sum to 1."""
    texts = ["refund please", "", "x" * 9000, "\x00\ud800 odd"]
    for name, said in model.predict_all(texts).items():
        assert said.shape == (len(texts), len(model.heads[name].labels))
        assert (said >= 0).all()
        assert (said <= 1).all()
        assert np.allclose(said.sum(axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows(model: LinearModel) -> None:
    """An empty batch is answered by an empty array."""
    assert model.predict([], "intent").shape == (0, 6)


@pytest.mark.parametrize(("path", "parts"), [(UNDERSTANDING, PARTS), (LANGUAGE, LANGUAGE_PARTS)])
def test_the_committed_weights_are_what_saving_them_gives(
    tmp_path: Path, path: Path, parts: int
) -> None:
    """Read and saved they have the same bytes, so that rounding twice changes nothing."""
    LinearModel.load(path).save(tmp_path / "one.npz", parts)
    assert (tmp_path / "one.npz").read_bytes() == path.read_bytes()


def test_a_model_that_was_kept_as_it_was_learned_answers_the_same(model: LinearModel) -> None:
    """What an organization's people taught is kept in 16 bits, and from then on stays so."""
    layer = LinearModel.unpacked(model.packed(), "a layer")
    again = LinearModel.unpacked(layer.packed(), "a layer")
    texts = ["Where is my order?", "Rechnung bitte"]
    assert (again.predict(texts) == layer.predict(texts)).all()
    assert again.packed() == layer.packed()
    assert np.allclose(layer.predict(texts), model.predict(texts), atol=1e-3)


@pytest.mark.parametrize("weight", [0.0, 0.0039, -0.0041, 84.7, -84.7, 1000.0])
def test_a_weight_is_kept_to_half_a_part(tmp_path: Path, weight: float) -> None:
    """Signs and sizes come back; what is larger than any weight that was learned is cut."""
    vocabulary = grams(["refund"]).hashes
    head = Head(
        name="guard", labels=("no", "yes"), bias=np.zeros(2, np.float32), temperature=1.0, start=0
    )
    weights = np.full((len(vocabulary), 2), weight, np.float32)
    LinearModel(vocabulary, weights, {"guard": head}).save(tmp_path / "small.npz", 128)
    again = LinearModel.load(tmp_path / "small.npz")
    assert again.vocabulary.tolist() == vocabulary.tolist()
    assert np.abs(again.weights - min(weight, 16383 / 128)).max() <= 0.5 / 128


def test_a_head_of_two_labels_is_possible() -> None:
    """A model may have a single head with two labels."""
    vocabulary = grams(["refund"]).hashes
    head = Head(
        name="guard", labels=("no", "yes"), bias=np.zeros(2, np.float32), temperature=1.0, start=0
    )
    weights = np.tile(np.array([[-1, 1]], np.float16), (len(vocabulary), 1))
    small = LinearModel(vocabulary, weights, {"guard": head})
    assert small.predict(["refund", "qzx"])[:, 1].tolist()[0] > 0.9


@pytest.mark.parametrize("content", [None, b"no archive"])
def test_missing_or_broken_weights_are_named(tmp_path: Path, content: bytes | None) -> None:
    """A file that is no model raises an error that names it."""
    path = tmp_path / "weights.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"weights\.npz"):
        LinearModel.load(path)


def test_figures_on_the_held_back_half(model: LinearModel) -> None:
    """What the documents say of quality holds, with a margin."""
    found = figures(model, list(messages("test")))
    for name, floor in FLOORS.items():
        assert found[name] >= floor, (name, found[name])
    assert found["category_ece"] <= 0.1


FIXED = [177954146, 1480388250, 1744848142, 2127393509, 2308025400, 2441850196, 2957045070]
FLOORS = {
    "category_accuracy": 0.67,
    "category_f1": 0.68,
    "priority_accuracy": 0.68,
    "sentiment_accuracy": 0.69,
    "urgent_recall": 0.28,
    "priority_within_one": 0.94,
}
