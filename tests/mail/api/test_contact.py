"""One contact's data over the API, for administrators."""

import io
import zipfile

from tests.core.api.fixtures import Api
from tests.core.small import CUSTOMER, SLUG


async def test_an_administrator_exports_and_erases(api: Api) -> None:
    """Counts, zip and erasure are of the same contact; afterwards nothing is held."""
    item = api.line.send("When are you open?")
    await api.line.intake()
    held = (await api.get("/contact", address=CUSTOMER)).json()
    assert (held["rows"]["messages"], held["files"], held["on_hold"]) == (1, 1, [])
    packed = await api.get("/contact/export", address=CUSTOMER)
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert {"messages.jsonl", "journal.jsonl", f"mail/{item}.eml"} <= set(archive.namelist())
    done = (await api.post("/contact/erase", {"address": CUSTOMER})).json()
    assert (done["finished"], done["rows"]["messages"]) == (True, 1)
    gone = await api.post("/contact/erase", {"address": CUSTOMER})
    assert gone.status_code == 404
    assert await api.line.status(item) == "gone"


async def test_a_reviewer_may_neither_look_nor_erase(api: Api) -> None:
    """It is an administrator's, and what cannot be an address is told."""
    made = await api.client.post("/v1/tokens", json={"user": "maud", "organization": SLUG})
    theirs = {"Authorization": f"Bearer {made.json()['token']}"}
    root = f"/v1/{SLUG}/contact"
    looked = await api.client.get(root, params={"address": CUSTOMER}, headers=theirs)
    erased = await api.client.post(f"{root}/erase", json={"address": CUSTOMER}, headers=theirs)
    assert (looked.status_code, erased.status_code) == (403, 403)
    assert (await api.get("/contact", address="mara")).status_code == 422
