"""What a tiny organization knows, for the tests of the mind."""

from data.records.core.knowledge import KnowledgeEntry


def entry(name: str, title: str, body: str, **more: object) -> KnowledgeEntry:
    """Return a knowledge entry."""
    return KnowledgeEntry.model_validate({"id": name, "title": title, "body": body} | more)


KNOWLEDGE = (
    entry(
        "rental-price",
        "Rental prices",
        "A single kayak costs 31.50 euros per day. A double kayak costs 47 euros per day. "
        "Paddles and vests are included in the price.",
        tags=("price", "kayak"),
    ),
    entry(
        "opening-hours",
        "Opening hours",
        "The boathouse is open from 08:30 to 19:00 between April and October. "
        "In winter the boathouse is closed on Mondays.",
    ),
    entry(
        "cancel",
        "Cancelling a booking",
        "A booking can be cancelled free of charge until 3 days before it starts. "
        "Later cancellations cost 40 percent of the price.",
    ),
    entry("dogs", "Dogs on board", "Dogs are not allowed in double kayaks.", significance=0.2),
    entry(
        "margin",
        "Margin",
        "The margin on kayak rentals is 23 percent after the insurance of the fleet is paid.",
        public=False,
    ),
    entry(
        "preise",
        "Mietpreise",
        "Ein Einer-Kajak kostet 31,50 Euro pro Tag. Ein Zweier-Kajak kostet 47 Euro pro Tag.",
        language="de",
    ),
)
