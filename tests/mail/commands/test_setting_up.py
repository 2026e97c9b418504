"""`postern setup`: what is done and what is missing, without an engine too."""

from tests.core.commands.fixtures import Run


def test_what_is_missing_is_listed(run: Run, organization: str) -> None:
    """A new organization has addresses and nothing else; a test mail needs an engine."""
    del organization
    shown = " ".join(run("setup").output.split())  # its lines are as long as the terminal
    assert "Harbor answers for help@harbor.example." in shown
    assert "There is no knowledge yet: a draft can only say that the mail has come." in shown
    refused = run("setup", "--test", "Hello")
    assert (refused.exit_code, "postern up" in refused.output) == (1, True)
