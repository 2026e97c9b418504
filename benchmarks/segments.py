"""How right and how fast bodies are cut into new text, history, forward and signature.

First on our own labelled messages (`tests/core/reading/segments/`), the half that was written
before the code had been tried on it and the half that was written beside it; then, if given, on a
file of lines such as `{"raw_text", "format", "expected_reply", "strips_signature"}` that nobody
here wrote. The outer file is only measured, never learned from.

    python -m benchmarks.segments [--quotes FILE] [--show]
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from data.records.core.parsed_mail import Segments
from tasks.core.markup.text import read_html
from tasks.core.parse.parsing import parse
from tasks.core.segment.segmenting import segment
from tests.core.reading.labelled_mail import (
    HALVES,
    Labelled,
    all_is_right,
    load,
    new_is_right,
    reply_is_right,
    squeezed,
)

TESTS: dict[str, Callable[[Labelled, Segments], bool]] = {
    "history cut": reply_is_right,
    "new text": new_is_right,
    "all segments": all_is_right,
}
SPEED_ROUNDS = 10


def own(half: str, *, show: bool) -> None:
    """Print how many messages of one half are exact, by language."""
    right: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(TESTS, 0))
    total: dict[str, int] = defaultdict(int)
    for one in load(half):
        cut = segment(one.mail())
        for group in ("all", one.format, one.name[:2]):
            total[group] += 1
            for name, test in TESTS.items():
                right[group][name] += test(one, cut)
        if show and not all_is_right(one, cut):
            print(f"--- {one.name}: new {cut.new!r} signature {cut.signature!r}")
    print(f"\n{half}: {'':12}{'messages':>9}" + "".join(f"{name:>14}" for name in TESTS))
    for group in total:
        print(f"{group:24}{total[group]:9}" + "".join(f"{right[group][name]:14}" for name in TESTS))


def outer_text(row: dict[str, Any]) -> bytes:
    """Return a row of an outer file as a message; a bare text is a reply, and says so."""
    if "raw_eml" in row and row["format"] == "eml":
        return str(row["raw_eml"]).encode()
    kind = "html" if row["format"] == "html" else "plain"
    return (
        f"Subject: {row.get('subject') or ''}\nIn-Reply-To: <parent@outer.example>\n"
        f"Content-Type: text/{kind}; charset=utf-8\n\n"
        f"{row['raw_text']}"
    ).encode()


def outer_is_right(row: dict[str, Any], cut: Segments) -> bool:
    """Whether a cut is what an outer row expects, white space aside.

    Rows that say that signatures are not stripped expect them with the new text; of HTML only the
    visible text is compared, and without any white space.
    """
    got = cut.new if row.get("strips_signature", True) else f"{cut.new}\n{cut.signature}"
    wanted = str(row["expected_reply"])
    if row["format"] == "html":
        if "<" in wanted:
            wanted = read_html(wanted).text
        return "".join(got.split()) == "".join(wanted.split())
    return squeezed(got) == squeezed(wanted)


def outer(path: Path, *, show: bool) -> None:
    """Print how many rows of an outer file are exact, by set."""
    right: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("expected_reply") is None:
                continue
            good = outer_is_right(row, segment(parse(outer_text(row))))
            for group in ("all", str(row.get("set", path.stem))):
                right[group] += good
                total[group] += 1
            if show and not good:
                print(f"--- {row.get('id')}")
    print(f"\n{path.name}: exact")
    for group in total:
        print(f"{group:24}{right[group]:5} of {total[group]}")


def speed() -> None:
    """Print how many bodies a second one core cuts."""
    mails = [one.mail() for half in HALVES for one in load(half)]
    mails += [mail.model_copy(update={"text": mail.text * 20}) for mail in mails[::4]]
    began = time.process_time()
    for _ in range(SPEED_ROUNDS):
        for mail in mails:
            segment(mail)
    seconds = time.process_time() - began
    characters = sum(len(mail.text) for mail in mails)
    print(
        f"\n{len(mails)} bodies of {characters / len(mails):.0f} characters on average:"
        f" {SPEED_ROUNDS * len(mails) / seconds:.0f} a second of processor time,"
        f" {SPEED_ROUNDS * characters / seconds / 1e6:.1f} million characters a second"
    )


def main() -> None:
    """Measure what is there."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--quotes", type=Path, help="an outer file of messages and replies")
    arguments.add_argument("--show", action="store_true", help="name what is not exact")
    given = arguments.parse_args()
    for half in HALVES:
        own(half, show=given.show)
    if given.quotes is None or not given.quotes.is_file():
        print(f"\nno outer file at {str(given.quotes or '')!r}: nothing more measured")
    else:
        outer(given.quotes, show=given.show)
    speed()


if __name__ == "__main__":
    main()
