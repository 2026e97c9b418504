"""`postern mailbox …` and the API: what an installer sees."""

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
import yaml
from typer.testing import CliRunner, Result

from data.mailbox_files import FILE
from data.settings import Settings
from data.store.core import control
from flows.cli.application import app
from flows.doctor.findings import examine
from tests.core.small import SLUG, Line, api_over
from tests.mail.mailboxes.conftest import VARIABLE, account, post
from tests.mail.mailboxes.dovecot import Dovecot
from tests.ports import free_port

Run = Callable[..., Result]


def configure(folder: Path, server: Dovecot, **given: object) -> None:
    """Write the organization's file."""
    entry = account(server, **given).model_dump(mode="json", exclude_defaults=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(yaml.safe_dump({"mailboxes": [entry]}))


@pytest.fixture
def run(home: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run `postern --home … mailbox ARGS` in this process; no engine answers."""
    monkeypatch.chdir(tmp_path)
    for name in ("SMTP", "API", "UI", "PREFECT"):
        monkeypatch.setenv(f"POSTERN_{name}_PORT", str(free_port()))

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["--home", str(home.home), *arguments])

    return command


def test_an_installer_checks_polls_and_lists(dovecot: Dovecot, home: Settings, run: Run) -> None:
    """The check says what would be taken and takes nothing; the poll takes it; the list says so."""
    configure(home.organizations / SLUG, dovecot)
    dovecot.put(post(1), post(2))
    checked = run("mailbox", "check")
    assert checked.exit_code == 0, checked.output
    assert "IDLE, MOVE" in checked.output
    assert "INBOX: 2 messages (not polled yet); a poll would look at 2" in checked.output
    assert dovecot.flags() == {1: set(), 2: set()}

    polled = run("mailbox", "poll", "inbox", "--organization", SLUG)
    assert polled.exit_code == 0, polled.output
    assert "inbox: 2 taken" in polled.output
    listed = run("mailbox", "list", "--json")
    (line,) = listed.output.splitlines()
    assert (json.loads(line)["taken"], json.loads(line)["error"]) == (2, "")
    (found,) = [one for one in examine(home) if one.name == "mailbox inbox"]
    assert (found.status, "2 messages taken" in found.sentence) == ("ok", True)


def test_what_is_wrong_is_told_with_what_to_do(
    dovecot: Dovecot, home: Settings, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file, no such mailbox, no password, a folder for sent mail: a sentence and status 1."""
    missing = run("mailbox", "poll")
    assert missing.exit_code == 1
    assert FILE in missing.output
    configure(home.organizations / SLUG, dovecot, folders=["INBOX", "Sent"])
    assert "the mailboxes are: inbox" in run("mailbox", "poll", "other").output
    sent = run("mailbox", "check")
    assert sent.exit_code == 1
    assert "'Sent' is where the server keeps sent mail" in sent.output
    monkeypatch.delenv(VARIABLE)
    refused = run("mailbox", "poll")
    assert refused.exit_code == 1
    assert VARIABLE in refused.output
    (found,) = [one for one in examine(home) if one.name == "mailbox inbox"]
    assert (found.status, VARIABLE in found.sentence) == ("fail", True)


async def test_the_engine_answers_for_its_mailboxes(dovecot: Dovecot, line: Line) -> None:
    """Check, poll and list over the API; who is no administrator may list alone."""
    configure(line.workspace.folder, dovecot)
    dovecot.put(post(1))
    tokens = [
        await line.house.control.write(control.add_token, "ida", role, None, line.clock())
        for role in ("admin", "reviewer")
    ]
    base = f"http://engine/v1/{SLUG}/mailboxes"
    async with httpx.AsyncClient(transport=httpx.ASGITransport(api_over(line.house))) as client:
        admin, reviewer = ({"Authorization": f"Bearer {token}"} for token in tokens)
        sight = (await client.post(f"{base}/inbox/check", headers=admin)).json()
        assert sight["folders"][0]["waiting"] == 1
        report = (await client.post(f"{base}/inbox/poll", headers=admin)).json()
        assert (report["taken"], report["troubles"]) == (1, [])
        assert (await client.post(f"{base}/inbox/poll", headers=reviewer)).status_code == 403
        assert (await client.post(f"{base}/no/poll", headers=admin)).status_code == 404
        (standing,) = (await client.get(base, headers=reviewer)).json()
    assert (standing["name"], standing["taken"]) == ("inbox", 1)
    assert standing["succeeded_at"]
