"""`postern filters` and `postern retention`, without an engine."""

import pytest

from tests.commands.conftest import Run


def test_filters_and_retention_are_told(
    run: Run, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is off says how it is switched on; what is on is asked when that is wanted."""
    del organization
    monkeypatch.setenv("COLUMNS", "200")
    off = run("filters")
    assert (off.exit_code, 'rspamd_url = "http://127.0.0.1:11334"' in off.output) == (0, True)
    monkeypatch.setenv("POSTERN_SPAMASSASSIN_ADDRESS", "127.0.0.1:9")
    assert "was not asked now" in run("filters").output
    assert "does not answer" in run("filters", "--ask").output
    monkeypatch.setenv("POSTERN_ARCHIVE_DAYS", "400")
    kept = run("retention")
    assert kept.exit_code == 0, kept.output
    assert "400 days" in kept.output
    assert "has not run yet" in kept.output
