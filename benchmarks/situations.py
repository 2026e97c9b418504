"""Letters that tell what has happened: whether the draft holds the sentence that helps most.

The set (`sets/situations.yaml`) holds small organizations whose entries say what to do in a case
(*If a parcel has not arrived …*), letters whose writers are in such a case, and plain questions to
the same entries, which need none of that. *Helped* counts drafts with the piece that helps;
*beside* those that tell what the letter is not about; the last column the sentences told in all.
"""

import argparse
from pathlib import Path
from typing import Any

import yaml

from data.records.core.briefing import Briefing, Snippet, SourceKind
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
    Sentiment,
)
from data.records.mail.drafting import Draft
from data.records.mail.planning import ActionType, Plan
from tasks.mail.actions import make_action
from tasks.mail.draft.drafting import draft

SET = Path(__file__).parent / "sets" / "situations.yaml"


def drafted(house: dict[str, Any], text: str) -> Draft:
    """Return what a letter to an organization is answered."""
    language = house["language"]
    snippets = tuple(
        Snippet(
            source=SourceKind.KNOWLEDGE,
            ref=f"knowledge:{row[0]}",
            title=row[1],
            text=row[2],
            trusted=True,
            language=language,
        )
        for row in house["entries"]
    )
    intent = Intent(
        intent=IntentKind.QUESTION, category=Category.SUPPORT, text=text, confidence=0.9
    )
    said = Classification(
        category=Category.SUPPORT,
        priority=Priority.NORMAL,
        sentiment=Sentiment.NEUTRAL,
        language=language,
        confidence=0.9,
        intents=(intent,),
    )
    return draft(
        intents=(intent,),
        new_text=text,
        subject="",
        sender=Address(email="ada@quill.example"),
        classification=said,
        briefing=Briefing(snippets=snippets),
        plans=(Plan(actions=(make_action(ActionType.REPLY, "Asked."),)),),
        organization=Organization(
            slug="house", name="House", addresses=("a@house.example",), language=language
        ),
        policy=Policy(),
        saved_replies=(),
    )


def main(arguments: list[str]) -> None:
    """Print how many letters of each half are helped, and with `--list` which are not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks situations", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name what is missing or beside")
    given = parser.parse_args(arguments)
    houses = yaml.safe_load(SET.read_text(encoding="utf-8"))["houses"]
    print(f"{'':10}{'letters':>9}{'helped':>9}{'beside':>9}{'sentences':>11}")
    for tuned, name in ((True, "seen"), (False, "kept")):
        letters = helped = beside = told = 0
        for house in houses:
            if bool(house.get("tuned")) is not tuned:
                continue
            for text, piece, never in house["letters"]:
                made = drafted(house, text)
                wrong = [one for one in never if one in made.body]
                letters += 1
                helped += piece in made.body
                beside += bool(wrong)
                told += len(made.citations)
                if given.list and (piece not in made.body or wrong):
                    print(f"  {house['name']}: {text!r} lacks {piece!r}, beside it {wrong}")
                    print("     told:", " | ".join(cited.sentence for cited in made.citations))
        print(f"{name:10}{letters:>9}{helped:>9}{beside:>9}{told:>11}")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
