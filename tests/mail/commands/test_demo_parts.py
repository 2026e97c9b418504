"""The parts of the demo: the timeline, the ledger's sums, its home, and the children's settings."""

import re
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from data.errors import SettingsError
from data.policy_files import load_policy
from data.settings import load_settings
from flows.core.services import build_process_environment, list_addresses, list_services
from flows.demo.home import MARK, add_sample, fresh_home
from flows.demo.inbox_tally import summarize
from flows.demo.player import PlayedMail
from flows.demo.timeline import Expected, TimelineEntry, message_of, read_timeline

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


def test_every_entry_of_the_timeline_can_be_sent() -> None:
    """What is sent has CRLF lines only, a date, and no token of the player left."""
    entries = read_timeline()
    assert len(entries) >= 80
    assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)
    for entry in entries:
        raw = message_of(entry, NOON)
        assert raw.count(b"\n") == raw.count(b"\r\n")
        assert b"@@" not in raw


def test_the_large_mail_is_made_when_it_is_sent() -> None:
    """The made-up attachment has the size that the timeline names."""
    (entry,) = [one for one in read_timeline() if one.pad_attachment]
    assert entry.pad_attachment is not None
    mail = message_from_bytes(message_of(entry, NOON))
    (pdf,) = [part for part in mail.walk() if part.get_content_type() == "application/pdf"]
    content = pdf.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert len(content) == entry.pad_attachment.size_bytes
    assert re.search(r"Wed, 06 May 2026 12:00:00", str(mail["Date"]))


def sent(
    name: str, content: str = "", verdict: str = "clean", answer: str = "250 ok"
) -> PlayedMail:
    """Return a line of the ledger."""
    expected = Expected(verdict=verdict, automated=False)
    entry = TimelineEntry(id=name, at=0, file="", envelope_from="", to=(), expect=expected)
    return PlayedMail(entry, f"id-{name}", content or name, answer)


def message(name: str, **more: object) -> dict[str, object]:
    """Return a row of the export of messages."""
    row = {"id": f"id-{name}", "status": "draft_ready", "verdict": "clean", "duplicate_of": None}
    return row | more


def case(name: str, *messages: str, state: str = "in_review", wait: float = 5.0) -> dict[str, Any]:
    """Return a row of the export of cases."""
    return {
        "id": name, "state": state, "message_ids": [f"id-{one}" for one in messages],
        "has_draft": True, "drafted_at": NOON + timedelta(seconds=wait), "received_at": NOON,
        "burst_reason": "quiet",
    }  # fmt: skip


def sums(
    ledger: list[PlayedMail], messages: list[dict[str, object]], cases: list[dict[str, Any]]
) -> Any:  # noqa: ANN401
    """Return the summary of a run."""
    frame = pl.DataFrame(messages, infer_schema_length=None)
    return summarize(ledger, frame, pl.DataFrame(cases), window=2.0, seconds=9.0)


def test_a_good_run_lost_and_doubled_nothing() -> None:
    """A copy that was stored counts as neither; the quiet window is not part of the wait."""
    ledger = [sent("a"), sent("b", "same"), sent("c", "same"), sent("d", answer="550 no")]
    messages = [message("a"), message("b"), message("c", status="stored", duplicate_of="id-b")]
    found = sums(ledger, messages, [case("1", "a"), case("2", "b", wait=4.0)])
    assert (found["sent"], found["accepted"]) == (4, 3)
    assert (found["lost"], found["duplicated"], found["unfinished"]) == (0, 0, 0)
    assert found["final_states"] == {"draft_ready": 2, "stored": 1}
    assert found["seconds_to_draft"] == {"cases": 2, "median": 2.5, "p95": 3.0, "max": 3.0}
    assert [one["id"] for one in found["refused"]] == ["d"]


def test_what_is_missing_doubled_or_undone_is_counted() -> None:
    """An accepted message without a row is lost; one content in two cases is doubled."""
    ledger = [sent("a"), sent("b", "same"), sent("c", "same"), sent("e")]
    messages = [message("a", status="threaded"), message("b"), message("c")]
    cases = [case("1", "a"), case("2", "b"), case("3", "c"), case("4", "a", state="superseded")]
    found = sums(ledger, messages, cases)
    assert (found["lost"], found["lost_ids"]) == (1, ["e"])
    assert found["duplicated"] == 1
    assert found["unfinished"] == 1


def test_at_least_flagged_is_enough_where_flagged_is_expected() -> None:
    """A verdict that is laxer or stricter than a person's is listed, except above `flagged`."""
    ledger = [sent("a", verdict="flagged"), sent("b", verdict="flagged"), sent("c")]
    rows = [message("a", verdict="quarantine"), message("b"), message("c", verdict="flagged")]
    found = sums(ledger, rows, [case("1", "a")])
    assert [one["id"] for one in found["verdicts_unexpected"]] == ["b", "c"]
    assert found["verdicts_as_expected"] == 1


def test_a_demo_starts_afresh_and_removes_only_what_is_its_own(tmp_path: Path) -> None:
    """The second demo empties the first one's home; a folder of somebody else is left alone."""
    settings = load_settings(home=tmp_path / "var", transport="smtp")
    first = fresh_home(settings)
    assert build_process_environment(first)["POSTERN_TRANSPORT"] == "file", "it writes to nobody"
    assert first.home == tmp_path / "var" / "demo"
    (first.home / "left-over").write_text("x", encoding="utf-8")
    assert not (fresh_home(settings).home / "left-over").exists()
    (first.home / MARK).unlink()
    (first.home / "letters.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SettingsError, match="was not made by a demo"):
        fresh_home(settings)
    assert (first.home / "letters.txt").read_text("utf-8") == "mine"


def test_the_sample_organization_waits_two_seconds_in_the_demo(tmp_path: Path) -> None:
    """The demo's copy of the policy has a short quiet window; the sample stays as it is."""
    settings = fresh_home(load_settings(home=tmp_path))
    slug = add_sample(settings)
    policy = load_policy(settings.organizations / slug / "sources" / "policy.yaml")
    assert policy.coalesce_seconds == 2
    assert policy.confidence_threshold == 0.85


def test_children_get_the_home_the_ports_and_no_telemetry(tmp_path: Path) -> None:
    """Whatever starts the service, its processes open the same home and phone nobody."""
    settings = load_settings(home=tmp_path / "house", api_port=45_399)
    found = {spec.name: spec for spec in list_services(settings)}
    assert list(found) == ["prefect", "engine", "receiver", "ui"]
    for spec in found.values():
        assert spec.env["POSTERN_HOME"] == str(tmp_path / "house")
        assert spec.env["POSTERN_API_PORT"] == "45399"
        assert spec.env["DO_NOT_TRACK"] == "1"
    assert build_process_environment(settings)["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
    assert "--browser.gatherUsageStats=false" in found["ui"].argv
    assert list_addresses(settings, "t-1")["Review window"].endswith("/?token=t-1")
