"""`postern route` and `postern dkim` on the state of an engine that does not run."""

import json
import stat
from pathlib import Path
from typing import get_args

import pytest

from connectors.dkim_signer import build_key_record
from data.records.core.organization import RouteMode
from flows.cli.mail.routes import RouteModeName
from tests.core.commands.fixtures import Run

ORDERS = "orders@harbor.example"
URL = "https://shop.example/mail"


def test_every_mode_can_be_set() -> None:
    """The command knows the modes of the records."""
    assert set(get_args(RouteModeName)) == {str(mode) for mode in RouteMode}


def test_a_route_is_set_listed_and_removed(run: Run, home: Path, organization: str) -> None:
    """A route reaches the receiver's file, is changed in place, and can be taken away."""
    assert run("route", "set", "*@harbor.example", "--mode", "hold").exit_code == 0
    assert run("route", "set", "*@harbor.example", "--mode", "accept").exit_code == 0
    listed = [json.loads(line) for line in run("route", "list", "--json").stdout.splitlines()]
    assert {(one["pattern"], one["mode"]) for one in listed} == {
        ("*@harbor.example", "accept"),
        ("help@harbor.example", "agent"),
    }
    assert all(one["organization"] == organization for one in listed)
    assert run("route", "remove", "*@harbor.example").exit_code == 0
    patterns = {r["pattern"] for r in json.loads((home / "routes.json").read_text())["routes"]}
    assert patterns == {"help@harbor.example"}
    gone = run("route", "remove", "*@harbor.example")
    assert gone.exit_code == 1
    assert "no route" in gone.output


def test_an_endpoint_gets_a_key_that_stays(run: Run, home: Path, organization: str) -> None:
    """The key is made once, for its owner alone, and is in no file but its own."""
    made = run("route", "set", ORDERS, "--mode", "endpoint", "--url", URL)
    assert made.exit_code == 0, made.output
    path = home / "secrets" / "endpoints" / organization
    key = path.read_text()
    assert key.startswith("whsec_")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key.strip() not in made.output + (home / "routes.json").read_text()
    run("route", "set", "parts@harbor.example", "--mode", "endpoint", "--url", URL)
    assert path.read_text() == key


@pytest.mark.parametrize(
    "words",
    [
        (ORDERS, "--mode", "endpoint"),
        (ORDERS, "--mode", "endpoint", "--url", "http://shop.example/"),
        (ORDERS, "--mode", "endpoint", "--url", "https://u:p@shop.example/"),
        (ORDERS, "--mode", "endpoint", "--url", URL, "--key", "../operator.token"),
        (ORDERS, "--mode", "hold", "--url", URL),
        ("orders", "--mode", "hold"),
        ("@harbor.example", "--mode", "hold"),
    ],
)
def test_a_route_that_cannot_work_is_refused(
    run: Run, organization: str, words: tuple[str, ...]
) -> None:
    """What is wrong is said in one sentence, and nothing is stored."""
    refused = run("route", "set", *words)
    assert refused.exit_code == 1
    assert refused.output.startswith("postern: ")
    assert len(run("route", "list", "--json").stdout.splitlines()) == 1


def test_signing_is_set_printed_and_turned_off(run: Run, home: Path, organization: str) -> None:
    """A key is made, the record to publish is printed, and doctor looks at it."""
    assert "dkim set" in run("dkim", "record").output
    made = run("dkim", "set", "--selector", "moss")
    assert made.exit_code == 0, made.output
    path = home / "secrets" / "dkim" / "harbor.example.moss.pem"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    record = run("dkim", "record").stdout
    assert record.startswith("moss._domainkey.harbor.example. IN TXT (")
    assert "".join(record.split('"')[1::2]) == build_key_record(path.read_bytes())
    shown = json.loads(run("organization", "show", "--json").stdout)
    assert shown["dkim"]["selector"] == "moss"
    assert signing_of(run) == ["warn"]  # nobody can publish below .example
    path.write_text("no key")
    assert signing_of(run) == ["fail"]
    assert run("dkim", "off").exit_code == 0
    assert signing_of(run) == ["ok"]


def test_a_key_that_is_no_key_is_refused(run: Run, organization: str, tmp_path: Path) -> None:
    """A file of the operator's own is looked at before it is taken."""
    (tmp_path / "key.pem").write_text("nothing")
    refused = run("dkim", "set", "--key", tmp_path / "key.pem")
    assert refused.exit_code == 1
    assert "RSA" in refused.output
    assert json.loads(run("organization", "show", "--json").stdout)["dkim"] is None


def signing_of(run: Run) -> list[str]:
    """Return the status of each finding about signatures."""
    lines = [json.loads(line) for line in run("doctor", "--json").stdout.splitlines()]
    return [line["status"] for line in lines if line["name"] == "signing"]
