"""The sample organization is complete, consistent and on reserved domains only."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from email import message_from_bytes
from pathlib import Path
from typing import Any

import yaml

HOME = Path(__file__).parents[1] / "data" / "samples" / "fieldfare-audio"
INBOX = HOME / "inbox"
CATALOGUE = HOME.parents[2] / "manifests" / "catalogue"
CATEGORIES = {"support", "sales", "billing", "feature_request"} | {"complaint", "spam"}
CATEGORIES |= {"internal", "other"}
KNOWLEDGE_KEYS = {"id", "title", "kind", "language", "tags", "significance", "public"}
KNOWLEDGE_KEYS |= {"valid_from", "valid_until"}
DOMAIN = re.compile(r"(?<![\w.+-])[\w.+=-]+@([\w-]+(?:\.[\w-]+)+)")
HOST = re.compile(r"https?://([\w.-]+)")


def load(name: str) -> dict[str, Any]:
    """One YAML file of the organization."""
    return dict(yaml.safe_load((HOME / name).read_text(encoding="utf-8")))


def front_matter(folder: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """File stem, front matter and body of every Markdown file of a folder."""
    for path in sorted((HOME / folder).glob("*.md")):
        _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
        yield path.stem, yaml.safe_load(head), body


ENTRIES: list[dict[str, Any]] = load("inbox/timeline.yaml")["entries"]
EXPECTED = [entry["expect"] for entry in ENTRIES]
HISTORY = [json.loads(x) for x in (HOME / "history.jsonl").read_text("utf-8").splitlines()]
CONTACTS = list(csv.DictReader((HOME / "contacts.csv").read_text("utf-8").splitlines()))


def header(entry: dict[str, Any], name: str) -> str:
    """One header of an entry's mail, unfolded; empty when it is missing."""
    mail = message_from_bytes((INBOX / entry["file"]).read_bytes())
    return " ".join(str(mail.get(name, "")).split())


def test_the_organization_answers_for_its_addresses_and_names_its_people() -> None:
    """Every escalation of the policy ends at a person of the organization."""
    organization, policy = load("organization.yaml"), load("policy.yaml")
    assert organization["slug"] == HOME.name
    assert len(organization["addresses"]) >= 3
    people = {person["email"] for person in organization["people"]}
    assert set(policy["escalation"].values()) <= people
    never = {rule["category"] for rule in policy["autonomy_rules"] if not rule["auto_send"]}
    assert (policy["mode"], "complaint" in never) == ("shadow", True)
    assert {rule["category"] for rule in policy["autonomy_rules"]} == CATEGORIES


def test_knowledge_is_complete_and_long_enough() -> None:
    """Every entry has all its fields, its file's name as id, and 60 to 250 words."""
    entries = list(front_matter("knowledge"))
    for stem, head, body in entries:
        assert set(head) == KNOWLEDGE_KEYS, stem
        assert head["id"] == stem
        assert head["kind"] in {"fact", "procedure", "policy", "faq", "decision"}, stem
        assert 0 <= head["significance"] <= 1, stem
        assert (head["valid_until"] or date.max) > head["valid_from"], stem
        assert 60 <= len(body.split()) <= 250, stem
    languages = Counter(head["language"] for _, head, _ in entries)
    assert len(entries) >= 30
    assert languages >= Counter(de=4, fr=2, es=2)
    assert {head["public"] for _, head, _ in entries} == {True, False}


def test_saved_replies_can_be_filled() -> None:
    """Every template greets by first name and is signed by the organization."""
    replies = list(front_matter("saved_replies"))
    assert len(replies) >= 6
    for stem, head, body in replies:
        assert head["id"] == stem
        assert set(head) == {"id", "title", "language", "intent", "categories"}, stem
        assert set(re.findall(r"{(\w+)}", body)) >= {"first_name", "organization"}, stem


def test_contacts_and_history_belong_together() -> None:
    """Contacts are unique, and every earlier message is of one of them, dated and resolved."""
    emails = [row["email"] for row in CONTACTS]
    assert len(emails) == len(set(emails)) >= 25
    seen: set[str] = set()
    for line in HISTORY:
        assert line["contact"] in emails
        assert line["direction"] in {"inbound", "outbound"}
        assert datetime.fromisoformat(line["at"]).tzinfo is not None
        assert line["message_id"] not in seen
        assert line["in_reply_to"] is None or line["in_reply_to"] in seen
        seen.add(line["message_id"])
    assert len(HISTORY) >= 120


def test_accounts_are_of_contacts() -> None:
    """Every account record is of a contact, and each contact has one at most."""
    rows = list(csv.DictReader((HOME / "accounts.csv").read_text("utf-8").splitlines()))
    emails = [row["email"] for row in rows]
    assert emails
    assert len(emails) == len(set(emails))
    assert set(emails) <= {row["email"] for row in CONTACTS}


def test_the_timeline_and_the_mails_are_the_same_set() -> None:
    """Every file exists and is referenced, ids are unique, and time only goes forward."""
    assert {entry["file"] for entry in ENTRIES} == {path.name for path in INBOX.glob("*.eml")}
    assert len(ENTRIES) == len({entry["id"] for entry in ENTRIES}) >= 90
    assert [e["at"] for e in ENTRIES] == sorted(e["at"] for e in ENTRIES)
    assert 80 <= ENTRIES[-1]["at"] <= 120
    files = {entry["id"]: entry["file"] for entry in ENTRIES}
    copies = [entry for entry in ENTRIES if "duplicate_of" in entry["expect"]]
    assert copies
    assert all(files[entry["expect"]["duplicate_of"]] == entry["file"] for entry in copies)


def test_every_reply_finds_its_parent() -> None:
    """In-Reply-To names an earlier mail of the play or the history, unless a note says not."""
    known = {line["message_id"] for line in HISTORY}
    for entry in ENTRIES:
        parent = header(entry, "In-Reply-To")
        if parent and "deliberately unknown" not in entry["note"]:
            assert parent in known, entry["id"]
            assert parent in header(entry, "References"), entry["id"]
        known.add(header(entry, "Message-ID"))


def test_expectations_cover_the_closed_sets() -> None:
    """All verdicts, categories and priorities occur, and no other ones."""
    assert {e["verdict"] for e in EXPECTED} == {"clean", "flagged", "quarantine"}
    assert {e["category"] for e in EXPECTED} == CATEGORIES
    assert {e["priority"] for e in EXPECTED} == {"urgent", "normal", "low"}
    assert sum(e["automated"] for e in EXPECTED) >= 4
    clean = Counter(e["language"] for e in EXPECTED if e["verdict"] == "clean")
    assert clean >= Counter(de=6, fr=5, es=5)
    assert all(e["verdict"] != "quarantine" for e in EXPECTED if e["category"] == "complaint")


def test_the_padded_mail_is_marked_for_the_player() -> None:
    """A mail asks for padding exactly when its file holds the token on a line of its own."""
    for entry in ENTRIES:
        lines = (INBOX / entry["file"]).read_bytes().splitlines()
        assert (b"@@PAD@@" in lines) == ("pad_attachment" in entry), entry["id"]
        assert sum(line.startswith(b"Date: ") for line in lines) >= 1, entry["id"]


def test_only_reserved_domains() -> None:
    """No address and no link leads to a domain that somebody could own (RFC 2606)."""
    for path in HOME.rglob("*.*"):
        text = path.read_bytes().replace(b"=\n", b"").decode("latin-1")
        for domain in DOMAIN.findall(text) + HOST.findall(text):
            assert re.search(r"\.(example|test|invalid)\.?$", domain), f"{path.name}: {domain}"


def test_people_of_the_organization_talk_with_agents_of_the_catalogue() -> None:
    """Who speaks in a chat is one of its people; agents are named that take part in it."""
    people = {person["email"] for person in load("organization.yaml")["people"]}
    catalogue = {path.stem for path in (CATALOGUE / "agents").glob("*.yaml")}
    for chat in load("chats.yaml")["chats"]:
        assert set(chat["agents"]) <= catalogue
        assert {one["by"] for one in chat["says"] if "by" in one} <= people
        named = {name for one in chat["says"] for name in re.findall(r"(?<!\w)@(\w+)", one["text"])}
        assert named <= set(chat["agents"])
