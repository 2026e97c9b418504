"""`postern user | team | role`, on a home whose engine does not run."""

import json
from pathlib import Path

import duckdb
import pytest

from data.settings import load_settings
from data.store.core.database import Database
from tests.core.commands.fixtures import Run


def listed(run: Run, *words: str) -> list[dict[str, object]]:
    """Return what a list prints as JSON."""
    return [json.loads(line) for line in run(*words, "--json").stdout.splitlines()]


@pytest.mark.usefixtures("organization")
def test_a_user_is_made_changed_and_ended(run: Run) -> None:
    """Each step is told, and the list shows what came of it."""
    made = run(
        "user", "add", "Maud Reed", "--email", "Maud@harbor.example", "--grant", "viewer@harbor"
    )
    assert made.exit_code == 0, made.output
    (user,) = listed(run, "user", "list")
    assert (user["email"], user["grants"]) == (
        "maud@harbor.example",
        [{"role": "viewer", "organization": "harbor"}],
    )
    assert run("user", "set", "maud@harbor.example", "--grant", "lead@harbor").exit_code == 0
    assert listed(run, "user", "list")[0]["grants"] == [{"role": "lead", "organization": "harbor"}]
    assert run("token", "add", "ola", "--admin").exit_code == 0
    assert "?token=pst_" in run("token", "add", "maud@harbor.example").stdout
    assert run("token", "add", "maud@harbor.example", "--admin").exit_code == 1
    assert run("user", "end", "Maud Reed").exit_code == 0
    revoked = {one["user"]: one["revoked_at"] for one in listed(run, "token", "list")}
    assert (revoked["ola"], revoked["Maud Reed"] is not None) == (None, True)
    ended = next(one for one in listed(run, "user", "list") if one["id"] == user["id"])
    assert (ended["grants"], ended["ended_at"] is not None) == ([], True)


@pytest.mark.usefixtures("organization")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("user", "add", "Maud", "--grant", "king@harbor"), "no role 'king'"),
        (("user", "add", "Maud", "--grant", "viewer@harbour"), "no organization 'harbour'"),
        (("user", "end", "nobody"), "`postern user list`"),
        (("role", "set", "admin", "--permission", "see"), "came with Postern"),
        (("role", "set", "taster", "--permission", "taste"), "no permission 'taste'"),
        (("role", "set", "Big Boss"), "cannot name a role"),
        (("team", "add", "Desk", "--member", "nobody"), "`postern user list`"),
        (("team", "remove", "Desk"), "`postern team list`"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    run: Run, words: tuple[str, ...], told: str
) -> None:
    """Nothing is made of a mistyped role, organization, permission or name."""
    failed = run(*words)
    assert failed.exit_code == 1, failed.output
    assert told in failed.output
    assert listed(run, "user", "list") == []


@pytest.mark.usefixtures("organization")
def test_a_team_and_a_role_of_ones_own(run: Run) -> None:
    """They are made, listed and removed; a role that is held stays."""
    assert (
        run("role", "set", "teacher", "--permission", "see", "--permission", "teach").exit_code == 0
    )
    run("user", "add", "Maud", "--grant", "teacher@harbor")
    assert run("role", "remove", "teacher").exit_code == 1
    assert run("team", "add", "Desk", "--member", "Maud").exit_code == 0
    (team,) = listed(run, "team", "list")
    (user,) = listed(run, "user", "list")
    assert (team["name"], team["members"]) == ("Desk", [user["id"]])
    assert run("team", "set", "desk", "--name", "Front desk").exit_code == 0
    assert "Front desk" in run("team", "list").stdout
    assert run("team", "remove", "front desk").exit_code == 0
    assert listed(run, "team", "list") == []
    permits = {one["slug"]: one["permissions"] for one in listed(run, "role", "list")}
    assert permits["teacher"] == ["see", "teach"]


def test_tokens_of_an_older_postern_belong_to_users(home: Path, run: Run) -> None:
    """Each opens what it opened, the revoked one nothing; one name with two powers is two users."""
    home.mkdir()
    path = home / "control.duckdb"
    scripts = Path(__file__).parents[3] / "data" / "sql" / "control"
    old = duckdb.connect(str(path))
    old.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
    for name in ("0001_start.sql", "0003_routes.sql"):
        old.execute((scripts / name).read_text(encoding="utf-8"))
        old.execute("INSERT INTO schema_version VALUES (?)", [int(name[:4])])
    old.execute(
        """
        INSERT INTO tokens VALUES
            ('a', 'maud', 'admin', NULL, now(), NULL),
            ('b', 'maud', 'reviewer', 'harbor', now(), NULL),
            ('c', 'maud', 'reviewer', 'harbor', now(), now()),
            ('d', 'ola', 'reviewer', NULL, now(), NULL)
        """
    )
    old.close()
    tokens = {one["id"]: one for one in listed(run, "token", "list")}
    powers = {key: (one["user"], one["role"], one["organization"]) for key, one in tokens.items()}
    assert powers == {
        "a": ("maud", "admin", None),
        "b": ("maud", "reviewer", "harbor"),
        "c": ("maud", "reviewer", "harbor"),
        "d": ("ola", "reviewer", None),
    }
    assert [key for key, one in tokens.items() if one["revoked_at"]] == ["c"]
    assert tokens["b"]["user_id"] == tokens["c"]["user_id"] != tokens["a"]["user_id"]
    Database(load_settings(home=home).home / "control.duckdb", "control").close()
