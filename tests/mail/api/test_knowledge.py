"""Knowledge over HTTP: entries with where they are from, and what was learned."""

from data.records.core.learning import LearnedOrigin, Proposed
from flows.mail.knowing.all_knowledge import known_entries
from flows.mail.knowing.proposing import propose
from flows.sync import sync_one
from tests.core.api.fixtures import Api


async def proposed(api: Api, title: str = "With what do you wax?") -> str:
    """Propose something after a clean message; return its id."""
    api.line.send("When is the workshop open?")
    await api.line.run()
    (case,) = await api.line.rows("SELECT id FROM cases")
    given = Proposed(title=title, body="We use carnauba wax.", origin=LearnedOrigin.REPLY)

    def act(cursor: object) -> str | None:
        return propose(
            cursor,  # type: ignore[arg-type]
            given,
            source="reply of ida",
            case_id=str(case["id"]),
            user="ida",
            now=api.line.clock(),
        )

    made = await api.line.workspace.db.write(act)
    assert made is not None
    return made


async def test_entries_are_listed_with_their_file_and_what_is_wrong(api: Api) -> None:
    """Each has its file; two that state other prices for one thing are warned of by the sync."""
    folder = api.line.workspace.sources / "knowledge"
    (folder / "repair-2.md").write_text(
        "---\ntitle: Repair of a loom\n---\nThe inspection costs 45 euros.\n"
    )
    (folder / "old.md").write_text(
        "---\ntitle: Old hours\nvalid_until: 2020-01-01\n---\nOpen on Sundays.\n"
    )
    await sync_one(api.line.house, api.line.workspace)
    found = (await api.get("/knowledge")).json()
    assert found["total"] == 5
    by = {entry["id"]: entry for entry in found["items"]}
    assert by["opening-hours"]["source"] == "knowledge/opening-hours.md"
    assert (by["old"]["found"], by["opening-hours"]["found"]) == (False, True)
    warned = (await api.get("/knowledge", which="warned")).json()["items"]
    assert {entry["id"] for entry in warned} == {"loom-repair", "repair-2"}
    assert "35 euros" in warned[0]["warnings"][0]
    searched = (await api.get("/knowledge", q="INVOICE working")).json()["items"]
    assert [entry["id"] for entry in searched] == ["invoice-copy"]


async def test_a_proposal_is_accepted_edited_rejected_and_undone(api: Api) -> None:
    """Each call answers with the entry as it is then; a second yes is a conflict."""
    identity = await proposed(api)
    listed = (await api.get("/proposals", state="proposed")).json()
    assert (listed["total"], listed["waiting"]) == (1, 1)
    assert identity not in {e["id"] for e in (await api.get("/knowledge")).json()["items"]}
    path = f"/proposals/{identity}"
    made = (await api.post(f"{path}/accept")).json()
    assert (made["state"], made["undoable"]) == ("accepted", True)
    assert (await api.get(path)).json() == made
    assert (await api.get("/proposals/none")).status_code == 404
    assert (await api.post(f"{path}/accept")).status_code == 409
    (entry,) = (await api.get("/knowledge", which="learned")).json()["items"]
    assert (entry["id"], entry["found"], entry["source"]) == (identity, True, "reply of ida")
    now = api.line.clock()
    zone = "Pacific/Kiritimati" if now.hour >= 10 else "Pacific/Pago_Pago"  # another day than UTC's
    own = api.line.workspace.organization.model_copy(update={"timezone": zone})
    entries = await api.line.workspace.db.read(known_entries, own.day)
    (day,) = [known.checked_on for known in entries if known.id == identity]
    assert day == own.day(now) != now.date()

    words = {"title": "Waxing", "body": "We use beeswax.", "supersedes": ["nothing"]}
    assert (await api.post(f"{path}/edit", words)).status_code == 409
    words["supersedes"] = ["opening-hours"]
    assert (await api.post(f"{path}/edit", words)).json()["state"] == "proposed"
    await api.post(f"{path}/accept")
    hours = (await api.get("/knowledge", q="Opening hours")).json()["items"][0]
    assert (hours["found"], hours["superseded_by"]) == (False, [identity])
    assert (await api.post(f"{path}/reject")).json()["state"] == "rejected"
    assert (await api.get("/knowledge", q="Opening hours")).json()["items"][0]["found"]
    assert (await api.post(f"{path}/undo")).json()["state"] == "accepted"
    assert (await api.post(f"{path}/undo")).status_code == 409
    assert (await api.post("/proposals/none/accept")).status_code == 404


async def test_a_yes_is_to_what_was_read(api: Api) -> None:
    """What somebody else has worded otherwise meanwhile is not accepted unseen."""
    path = f"/proposals/{await proposed(api)}"
    read = (await api.get(path)).json()
    worded = await api.post(f"{path}/edit", {"title": "Waxing", "body": "We use beeswax."})
    refused = await api.post(f"{path}/accept", {"was": read["mark"]})
    assert (refused.status_code, "meanwhile" in refused.text) == (409, True)
    accepted = await api.post(f"{path}/accept", {"was": worded.json()["mark"]})
    assert accepted.json()["state"] == "accepted"


async def test_only_the_organizations_own_token_opens_it(api: Api) -> None:
    """Without a token nothing is told, and nothing decided."""
    identity = await proposed(api)
    api.client.headers.pop("Authorization")
    assert (await api.get("/knowledge")).status_code == 401
    assert (await api.post(f"/proposals/{identity}/accept")).status_code == 401


async def test_saved_replies_are_listed(api: Api) -> None:
    """As files have them, by title, with whether a draft may cite them; words narrow the list."""
    folder = api.line.workspace.sources / "saved_replies"
    folder.mkdir()
    (folder / "vouchers.md").write_text(
        "---\ntitle: Vouchers\nintent: question\n---\nVouchers cost 20 euros.\n"
    )
    (folder / "frame.md").write_text("---\ntitle: Frame\nintent: question\n---\nYes.\n\n{answer}\n")
    await sync_one(api.line.house, api.line.workspace)
    found = (await api.get("/saved-replies")).json()
    assert [(one["title"], one["cited"]) for one in found["items"]] == [
        ("Frame", False),
        ("Vouchers", True),
    ]
    assert (await api.get("/saved-replies", q="20")).json()["total"] == 1
