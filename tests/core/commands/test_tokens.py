"""`postern token` and the webhook's secret, and who may read what Postern writes."""

import asyncio
import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from data.settings import load_settings
from data.store.core import control
from data.store.core.database import Database
from tests.core.commands.fixtures import Run


def listed(run: Run) -> dict[str, dict[str, str]]:
    """Return the tokens by user."""
    lines = run("token", "list", "--json").stdout.splitlines()
    return {one["user"]: one for one in map(json.loads, lines)}


def test_the_link_holds_a_token_of_the_organization(
    run: Run, home: Path, organization: str
) -> None:
    """The link that is printed signs the person in, and the list never shows its token."""
    made = run("token", "add", "maud")
    assert made.exit_code == 0
    token = made.stdout.partition("?token=")[2].split()[0]
    one = listed(run)["maud"]
    assert (one["role"], one["organization"], one["revoked_at"]) == ("reviewer", organization, None)
    assert token not in json.dumps(one)
    database = Database(home / "control.duckdb", "control")
    assert asyncio.run(database.read(control.read_token_principal, token)).name == "maud"
    database.close()


def test_a_revoked_token_is_shown_so_and_revoked_once(run: Run, organization: str) -> None:
    """Revoking is by the id of the list, is remembered, and does not happen twice."""
    run("token", "add", "maud", "--organization", organization)
    run("token", "add", "ola", "--admin")
    known = listed(run)
    assert (known["ola"]["role"], known["ola"]["organization"]) == ("admin", None)
    assert run("token", "revoke", known["maud"]["id"]).exit_code == 0
    assert listed(run)["maud"]["revoked_at"] is not None
    assert listed(run)["ola"]["revoked_at"] is None
    again = run("token", "revoke", known["maud"]["id"])
    assert again.exit_code == 1
    assert "`postern token list`" in again.output


@pytest.mark.usefixtures("organization")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("add", "maud", "--organization", "harbour"), "no organization 'harbour'"),
        (("add", "ola", "--organization", "harbor", "--admin"), "leave one of the two out"),
        (("add", " "), "the name of a person"),
    ],
)
def test_a_token_that_opens_nothing_is_not_made(
    run: Run, words: tuple[str, ...], told: str
) -> None:
    """A mistyped organization is told instead of a link that opens nothing."""
    failed = run("token", *words)
    assert failed.exit_code == 1
    assert told in failed.output
    assert listed(run) == {}


@pytest.mark.usefixtures("organization")
def test_the_webhook_secret_can_be_looked_up(run: Run) -> None:
    """Whoever added the organization by command learns the secret that signs webhooks."""
    shown = run("organization", "webhook")
    assert shown.stdout.strip().startswith("whsec_")
    assert shown.stdout == run("organization", "webhook", "harbor").stdout


def test_what_is_written_is_for_its_owner_alone(home: Path) -> None:
    """No file and no folder of a new home can be read by other accounts of the machine."""
    words = ("organization", "add", "harbor", "--address", "help@harbor.example")
    root = Path(__file__).parents[3]
    argv = [sys.executable, "-m", "flows.cli", "--home", str(home), *words]
    subprocess.run(argv, cwd=root, capture_output=True, check=True, umask=0o022)
    settings = load_settings(home=home)
    found = [home, *home.rglob("*")]
    assert settings.organizations / "harbor" / "sources" in found
    open_to_others = {
        str(path.relative_to(home.parent)): stat.filemode(path.stat().st_mode)
        for path in found
        if path.stat().st_mode & 0o077 and not path.is_socket()
    }
    assert open_to_others == {}
