"""What cannot work is told before anything is started, and by `postern doctor`."""

from pathlib import Path

import pytest

from connectors.receiver import check_receiver
from data.errors import PortTakenError, SettingsError
from data.settings import load_settings
from flows.doctor.findings import examine
from tests.core.commands.fixtures import Run


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("POSTERN_LMTP_LISTEN", "2424", "'127.0.0.1:2424' or 'unix:/path'"),
        ("POSTERN_SMTP_TLS_CERTIFICATE", "nowhere.pem", "'smtp_tls_certificate'"),
        ("POSTERN_SMTP_USERS", "nowhere.users", "mend 'smtp_users'"),
        ("LLM_PROVIDER", "anthropic", "set LLM_API_KEY"),
        ("LLM_PROVIDER", "openai", "'llm_model'"),
    ],
)
@pytest.mark.usefixtures("organization")
def test_up_starts_nothing_when_a_process_could_not_start(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    """One sentence, and not a process that dies again and again beside three that run."""
    monkeypatch.delenv("LLM_API_KEY", raising=False)
    monkeypatch.setenv(name, value)
    failed = run("up")
    assert failed.exit_code == 1
    assert told in failed.output
    assert len(failed.output.splitlines()) == 1
    assert "Errno" not in failed.output
    assert not (home / "prefect").exists()


@pytest.mark.usefixtures("home")
def test_a_model_server_needs_a_whole_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address without http is told with an example, not as a failure of each call."""
    given = {"LLM_PROVIDER": "openai", "LLM_MODEL": "small", "LLM_BASE_URL": "localhost:11434"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match="'llm_base_url' is 'localhost:11434'"):
        load_settings().check_models()


def test_an_address_of_another_machine_names_its_setting(home: Path) -> None:
    """It is the address that has to be mended, not the port."""
    settings = load_settings(home=home, smtp_host="192.0.2.77")
    with pytest.raises(SettingsError, match="mend 'smtp_host'"):
        check_receiver(settings)


def test_looking_leaves_the_socket_free(home: Path, tmp_path: Path) -> None:
    """What was bound to look is let go, a Unix socket's file too, so that looking twice works."""
    settings = load_settings(home=home, lmtp_listen=f"unix:{tmp_path / 'lmtp'}")
    try:
        check_receiver(settings)
        check_receiver(settings)
    except PortTakenError as error:
        pytest.fail(str(error))
    assert not (tmp_path / "lmtp").exists()


def test_doctor_reads_every_policy(run: Run, home: Path, organization: str) -> None:
    """A policy that would not be loaded is a failure with its key; a good one is loaded next."""
    del run
    path = home / "organizations" / organization / "sources" / "policy.yaml"
    path.write_text("mode: live\n", encoding="utf-8")
    told = "Mode shadow, version 0, kept in the file. policy.yaml was changed since, and the next"
    assert policy_finding(home) == ("ok", f"{told} sync loads it.")
    path.write_text("mode: auto\n", encoding="utf-8")
    status, sentence = policy_finding(home)
    assert status == "fail"
    assert "'mode' has to be 'shadow', 'live' or 'off'" in sentence


def policy_finding(home: Path) -> tuple[str, str]:
    """Return what `postern doctor` finds about the one policy."""
    (one,) = [f for f in examine(load_settings(home=home)) if f.name == "policy"]
    return one.status, one.sentence


def test_doctor_warns_of_a_home_that_others_may_read(home: Path) -> None:
    """A home that was made with wider permissions is named, with the command that mends it."""
    home.mkdir(mode=0o755)
    home.chmod(0o755)
    findings = {one.name: one for one in examine(load_settings(home=home))}
    assert findings["privacy"].status == "warn"
    assert f"chmod -R go= {home}" in findings["privacy"].remedy
    home.chmod(0o700)
    assert "privacy" not in {one.name for one in examine(load_settings(home=home))}
