"""What the tests of understanding share: one classifier, loaded once."""

import pytest

from tasks.mail.classify.classifying import LocalClassifier


@pytest.fixture(scope="session")
def classifier() -> LocalClassifier:
    """The shipped local classifier."""
    return LocalClassifier()
