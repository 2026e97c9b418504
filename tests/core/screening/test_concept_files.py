"""The screen's words by concept: one schema, one check, and what the classifier has learned."""

from pathlib import Path

import numpy as np
import pytest

from data.errors import ManifestError
from data.lexicons.screen import FRAMES, MARKS, ORDERS, PHISHING, PROGRAMS, learned_lexicon
from data.lexicons.screen.concept_files import (
    FOLDER,
    Match,
    concepts_in,
    concepts_of,
    learned_words,
    rule_words,
)
from data.screening.concepts import concepts_from
from data.screening.model import ScreeningModel
from data.word_lists import word_list
from tasks.core.patterns import compiled
from tasks.core.screen.classifier import WEIGHTS
from training.screening.grammar import CORPUS

REFUSED = word_list(Path(__file__).with_name("concepts_refused.yaml"))["refused"]
EVERY = (*ORDERS, PHISHING, FRAMES, MARKS, PROGRAMS)


def test_every_file_is_read_and_every_name_is_one_concept() -> None:
    """No file of the folder is left out, and the check of all of them together passes."""
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(EVERY)
    assert len(concepts_in(EVERY)) > 200


def test_every_pattern_stands_by_itself() -> None:
    """Alternatives are joined, so none may need what stands beside it."""
    for own in concepts_of(PROGRAMS).values():
        assert own.match is Match.PATTERNS
        for entries in own.rules.values():
            for entry in entries:
                assert compiled(f"(?i){entry}").search("") is None, entry


def test_the_classifier_has_learned_the_words_that_are_marked_so() -> None:
    """The table in the weights is what the files and the corpus give: no word went elsewhere."""
    own = word_list(CORPUS / "concepts.yaml")
    table, weights = concepts_from((learned_lexicon(), own)), ScreeningModel.load(WEIGHTS).concepts
    assert np.array_equal(table.hashes, weights.hashes)
    assert np.array_equal(table.masks, weights.masks)


def written(folder: Path, **files: str) -> Path:
    """Write files of concepts into a folder."""
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder


def test_who_reads_what(tmp_path: Path) -> None:
    """Shared words are read by both, the others by one of them."""
    text = """
gem:
  means: a stone
  kind: 0
  shared: {en: [ruby], de: [rubin]}
  rules: {en: [opal], fr: [jade]}
  classifier: {en: [pearl]}
"""
    gem = concepts_of("gems", written(tmp_path, gems=text))["gem"]
    assert rule_words(gem) == {"en": ("ruby", "opal"), "de": ("rubin",), "fr": ("jade",)}
    assert learned_words(gem) == {"en": ("ruby", "pearl"), "de": ("rubin",)}


@pytest.mark.parametrize(("text", "told"), REFUSED)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, told: str) -> None:
    """File, concept, what is wrong, and what to do, in one sentence."""
    with pytest.raises(ManifestError, match=f"(?s)wrong.yaml.*{told}"):
        concepts_of("wrong", written(tmp_path, wrong=text))


def test_a_name_stands_in_one_file(tmp_path: Path) -> None:
    """Two concepts of one name would be one of the two, whichever is read last."""
    text = "gem: {means: a, rules: {en: [ruby]}}"
    folder = written(tmp_path, here=text, there=text)
    with pytest.raises(ManifestError, match="'gem' stands in another file too"):
        concepts_in(("here", "there"), folder)
