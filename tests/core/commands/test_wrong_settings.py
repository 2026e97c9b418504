"""Settings that cannot be used are told in one plain sentence, wherever they stand."""

from pathlib import Path

import pytest

from data.errors import SettingsError
from data.settings import load_settings
from tests.core.commands.fixtures import Run

IN_FILE = {
    "smtp_port = 99999": ["'smtp_port' is 99999", "at most 65535", "'postern.toml'"],
    'smtp_port = "abc"': ["'smtp_port' is 'abc'", "a whole number"],
    "archive_days = 1.5": ["'archive_days' is 1.5", "a whole number"],
    "coalesce_seconds = -1": ["'coalesce_seconds' is -1", "at least 0"],
    "coalesce_seconds = []": ["'coalesce_seconds' is []", "a number"],
    "give_up_hours = 0": ["'give_up_hours' is 0", "more than 0"],
    'authenticate_senders = "maybe"': ["'authenticate_senders' is 'maybe'", "true or false"],
    'transport = "sendmail"': ["'transport' is 'sendmail'", "'file' or 'smtp'"],
    'trusted_authserv_ids = "mx"': ["'trusted_authserv_ids' is 'mx'", 'a list, like ["one"'],
    'trusted_front_servers = ["10.0.0.0/99"]': ["'trusted_front_servers'", "'10.0.0.0/99'"],
    'llm_prices = ["x"]': ["setting 'llm_prices'", "model input output"],
    "llm_daily_cap = -1": ["setting 'llm_daily_cap' is -1", "at least 0"],
    'smtp_host = ""': ["'smtp_host' is ''", "filled in"],
    'smtp_hostname = "not a name"': ["'smtp_hostname'", "letters, digits"],
    "smtp_prot = 25": ["no setting 'smtp_prot'", "did you mean 'smtp_port'?"],
    "quite_unheard_of = 1": ["no setting 'quite_unheard_of'", "`postern config`"],
    "[receiver]\nsmtp_port = 25": ["a section [receiver]", "remove that line"],
    "transport = smtp": ["'postern.toml' is not valid TOML", "line 1"],
    "smtp_port 25": ["'postern.toml' is not valid TOML", "line 1"],
}


@pytest.mark.parametrize("content", IN_FILE)
def test_the_file_is_named_with_what_is_wrong(run: Run, home: Path, content: str) -> None:
    """The sentence names the setting, its value, what it has to be, and the file."""
    (home.parent / "postern.toml").write_text(content, encoding="utf-8")
    with pytest.MonkeyPatch.context() as without:
        for name in ("SMTP", "API", "UI", "PREFECT"):
            without.delenv(f"POSTERN_{name}_PORT")
        told = run("config")
    assert told.exit_code == 1
    assert told.output.startswith("postern: ")
    assert len(told.output.splitlines()) == 1
    assert [part for part in IN_FILE[content] if part not in told.output] == []


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("POSTERN_API_PORT", "seventy", ["'api_port' is 'seventy'", "'POSTERN_API_PORT'"]),
        ("POSTERN_TRUSTED_AUTHSERV_IDS", "mx.harbor.example", ["a list in JSON", '["one"']),
        ("LLM_PRICES", "cheap", ["'LLM_PRICES' has to be a list in JSON"]),
        ("POSTERN_SMTP_PROT", "25", ["did you mean 'POSTERN_SMTP_PORT'?"]),
        ("POSTERN_LLM_MODEL", "small", ["did you mean 'LLM_MODEL'?"]),
        ("POSTERN_CONFIG", "nowhere.toml", ["'nowhere.toml'", "no such file"]),
        ("POSTERN_CONFIG", ".", ["'.' cannot be read"]),
        ("POSTERN_HOME", "", ["'home' is ''", "name a folder"]),
    ],
)
@pytest.mark.usefixtures("home")
def test_the_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: list[str]
) -> None:
    """What comes from the environment is mended there, so the sentence names the variable."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as told:
        load_settings()
    assert [part for part in words if part not in str(told.value)] == []


def test_variables_of_others_are_left_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container platform may set names with our prefix; what resembles no setting is no error."""
    monkeypatch.setenv("POSTERN_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("POSTERN_PORT", "tcp://10.0.0.1:8080")
    assert load_settings(home=home).home == home


def test_a_password_is_not_told(home: Path) -> None:
    """A secret of the wrong kind is named, and its value is not shown."""
    (home.parent / "postern.toml").write_text("relay_password = 90210", encoding="utf-8")
    with pytest.raises(SettingsError, match="'relay_password' has to be text in quotes") as told:
        load_settings(home=home)
    assert "90210" not in str(told.value)
