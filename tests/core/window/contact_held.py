"""The stand-in's answers about one contact's data."""

from fastapi import FastAPI

from data.records.mail.contacts import EraseContact, Erased, Holdings


def contact_held(app: FastAPI) -> None:
    """Serve what is held on anybody: the same for all; addresses that begin with held are kept."""

    @app.get("/v1/{org}/contact")
    async def held(org: str, address: str) -> Holdings:
        hold = f"legal_hold.txt line 1 keeps {address!r} (dispute): take the line out first"
        return Holdings(
            addresses=(address,),
            rows={"messages": 2, "cases": 1, "sync_history": 8, "sync_staging_history": 8},
            files=2,
            replies_out=0,
            sources={"contacts.csv": 1},
            audit=0,
            on_hold=(hold,) if address.startswith("held") else (),
            stays=("What other people's mail quotes of them stays.",),
        )

    @app.post("/v1/{org}/contact/erase")
    async def erase(org: str, body: EraseContact) -> Erased:
        return Erased(id="1", finished=True, rows={"messages": 2, "cases": 1}, files=2)
