"""Mailboxes that are named over the API: kept beside the file, checked against a real server."""

import asyncio
import stat
from pathlib import Path

import httpx
import pytest

from data.mailbox_files import keep_mailboxes, load_mailboxes, read_password
from tests.core.small import SLUG, Line
from tests.mail.mailboxes.dovecot import PASSWORD, USER, Dovecot

ROOT = f"/v1/{SLUG}/mailboxes"


def secret_files(line: Line) -> list[Path]:
    """Return the files that hold secrets of mailboxes."""
    return sorted((line.house.settings.secrets / "mailboxes").glob("*"))


async def test_a_mailbox_is_kept_checked_changed_and_removed(
    line: Line, client: httpx.AsyncClient, dovecot: Dovecot
) -> None:
    """Its password is a file for us alone, in no answer and no event; a change may leave it out."""
    order = {"host": "127.0.0.1", "port": dovecot.port, "tls": "none", "user": USER}
    bare = await client.put(f"{ROOT}/support", json=order)
    assert (bare.status_code, "give the mailbox's password" in bare.text) == (422, True)
    kept = await client.put(f"{ROOT}/support", json=order | {"password": PASSWORD})
    assert kept.status_code == 200, kept.text
    assert PASSWORD not in kept.text
    (secret,) = secret_files(line)
    assert stat.S_IMODE(secret.stat().st_mode) & 0o077 == 0
    sight = await client.post(f"{ROOT}/support/check")
    assert (sight.status_code, sight.json()["folders"][0]["folder"]) == (200, "INBOX"), sight.text
    changed = await client.put(f"{ROOT}/support", json=order | {"enabled": False})
    assert changed.json()[0]["kept"]["enabled"] is False
    assert (await client.post(f"{ROOT}/support/check")).status_code == 200
    assert (await client.delete(f"{ROOT}/support")).status_code == 204
    assert secret_files(line) == []
    assert load_mailboxes(line.workspace.folder) == ()
    events = await line.rows("SELECT action, detail FROM audit_events ORDER BY sequence")
    assert [one["action"] for one in events] == ["keep-mailbox", "keep-mailbox", "remove-mailbox"]
    assert PASSWORD not in str(events)


async def test_earlier_settings_count_again_and_a_removed_mailbox_comes_back(
    line: Line, client: httpx.AsyncClient
) -> None:
    """Each change is a version with its author; no version holds a password."""
    order = {"host": "imap.one.example", "user": "help", "password": "first secret"}
    assert (await client.put(f"{ROOT}/support", json=order)).status_code == 200
    moved = {"host": "imap.two.example", "user": "help", "password": "second secret"}
    assert (await client.put(f"{ROOT}/support", json=moved)).status_code == 200
    told = (await client.get(f"{ROOT}/support/diff", params={"before": 1, "after": 2})).json()
    assert told["lines"] == ["-host: imap.one.example", "+host: imap.two.example", " port: 0"]
    unsaid = await client.post(f"{ROOT}/support/restore", json={"number": 1, "was": 2})
    assert (unsaid.status_code, "given for another machine" in unsaid.text) == (422, True)
    first = {"number": 1, "was": 2, "password": "first secret"}
    back = await client.post(f"{ROOT}/support/restore", json=first)
    assert back.json()[0]["host"] == "imap.one.example"
    late = await client.post(f"{ROOT}/support/restore", json={"number": 2, "was": 2})
    assert (late.status_code, "ida has changed" in late.text) == (409, True)
    assert (await client.post(f"{ROOT}/support/restore", json={"number": 9})).status_code == 404
    assert (await client.delete(f"{ROOT}/support")).status_code == 204
    bare = await client.post(f"{ROOT}/support/restore", json={"number": 3})
    assert (bare.status_code, "password" in bare.text) == (422, True)
    again = {"number": 3, "password": "third secret"}
    assert (await client.post(f"{ROOT}/support/restore", json=again)).status_code == 200
    (kept,) = load_mailboxes(line.workspace.folder)
    assert kept.host == "imap.one.example"
    listed = await client.get(f"/v1/{SLUG}/mailbox-versions", params={"name": "support"})
    assert [(one["number"], one["removed"]) for one in listed.json()["items"]] == [
        (5, False), (4, True), (3, False), (2, False), (1, False),
    ]  # fmt: skip
    assert "secret" not in listed.text
    events = await line.rows("SELECT action FROM audit_events ORDER BY sequence")
    assert [one["action"] for one in events] == [
        *("keep-mailbox", "keep-mailbox", "restore-mailbox", "remove-mailbox", "restore-mailbox"),
    ]


async def test_the_second_of_two_who_change_a_mailbox_is_told(
    line: Line, client: httpx.AsyncClient
) -> None:
    """Who was faster; a name that is new to both is the first one's."""
    order = {"host": "imap.one.example", "user": "help", "password": "secret"}
    first = await client.put(f"{ROOT}/support", json=order | {"was": 0})
    assert first.json()[0]["version"] == 1
    late = await client.put(f"{ROOT}/support", json=order | {"user": "shop", "was": 0})
    assert (late.status_code, "ida has changed mailbox 'support'" in late.text) == (409, True)
    assert (await client.put(f"{ROOT}/support", json=order | {"was": 1})).status_code == 200
    assert (await client.delete(f"{ROOT}/support")).status_code == 204
    late = await client.put(f"{ROOT}/support", json=order | {"was": 2})
    assert late.status_code == 409, "it was removed meanwhile"
    assert (await client.put(f"{ROOT}/support", json=order | {"was": 0})).status_code == 200
    assert [one.name for one in load_mailboxes(line.workspace.folder)] == ["support"]


async def test_what_was_kept_before_versions_were_is_the_first_of_them(
    line: Line, client: httpx.AsyncClient
) -> None:
    """Nothing that stood there is lost, whoever wrote it."""
    order = {"host": "imap.one.example", "user": "help", "password": "secret"}
    assert (await client.put(f"{ROOT}/support", json=order)).status_code == 200
    await line.workspace.db.write(lambda cursor: cursor.execute("DELETE FROM mailbox_versions"))
    assert (await client.put(f"{ROOT}/support", json=order | {"user": "shop"})).status_code == 200
    listed = (await client.get(f"/v1/{SLUG}/mailbox-versions")).json()["items"]
    assert [(one["number"], one["author"], one["mailbox"]["user"]) for one in listed] == [
        (2, "ida", "shop"), (1, "before versions were kept", "help"),
    ]  # fmt: skip


async def test_what_the_file_names_is_changed_there(line: Line, client: httpx.AsyncClient) -> None:
    """And what cannot be meant is refused with the field."""
    (line.workspace.folder / "mailboxes.yaml").write_text(
        "mailboxes: [{name: shop, host: imap.example, user: a, password_env: SHOP}]\n"
    )
    order = {"host": "imap.example", "user": "a", "password": "b"}
    refused = await client.put(f"{ROOT}/shop", json=order)
    assert (refused.status_code, "stands in mailboxes.yaml" in refused.text) == (409, True)
    assert (await client.delete(f"{ROOT}/shop")).status_code == 404
    plain = await client.put(f"{ROOT}/other", json=order | {"tls": "none"})
    assert (plain.status_code, "loopback alone" in plain.text) == (422, True)
    assert (await client.put(f"{ROOT}/No.Name", json=order)).status_code == 422
    assert [one.name for one in load_mailboxes(line.workspace.folder)] == ["shop"]


async def test_mailboxes_that_are_named_at_the_same_time_are_all_kept(
    line: Line, client: httpx.AsyncClient
) -> None:
    """Each change writes the file of all of them; none may be lost by that."""
    order = {"host": "imap.one.example", "user": "help", "password": "secret"}
    names = [f"box-{number}" for number in range(6)]
    answers = await asyncio.gather(*(client.put(f"{ROOT}/{name}", json=order) for name in names))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert sorted(one.name for one in load_mailboxes(line.workspace.folder)) == names


async def test_a_change_that_is_cut_off_offers_no_password_to_another_host(
    line: Line, client: httpx.AsyncClient
) -> None:
    """The settings cannot be written: the old host and its password stay together, and count."""
    old = {"host": "imap.one.example", "user": "help", "password": "first secret"}
    assert (await client.put(f"{ROOT}/support", json=old)).status_code == 200
    in_the_way = line.workspace.folder / ".mailboxes.kept.yaml"
    in_the_way.mkdir()
    moved = {"host": "imap.two.example", "user": "help", "password": "second secret"}
    with pytest.raises(IsADirectoryError):
        await client.put(f"{ROOT}/support", json=moved)
    (kept,) = load_mailboxes(line.workspace.folder)
    assert (kept.host, read_password(kept)) == ("imap.one.example", "first secret")
    in_the_way.rmdir()
    assert (await client.put(f"{ROOT}/support", json=moved)).status_code == 200
    (kept,) = load_mailboxes(line.workspace.folder)
    assert (kept.host, read_password(kept)) == ("imap.two.example", "second secret")
    assert len(secret_files(line)) == 1, "what the cut off change had written went with the next"


async def test_a_password_that_a_removal_left_goes_to_no_new_mailbox(
    line: Line, client: httpx.AsyncClient
) -> None:
    """Killed after the settings went, the secret lies there and belongs to nothing."""
    order = {"host": "imap.one.example", "user": "help", "password": "first secret"}
    assert (await client.put(f"{ROOT}/support", json=order)).status_code == 200
    keep_mailboxes(line.workspace.folder, [])
    other = {"host": "imap.two.example", "user": "help"}
    bare = await client.put(f"{ROOT}/support", json=other)
    assert (bare.status_code, "give the mailbox's password" in bare.text) == (422, True)
