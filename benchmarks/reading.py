"""Reading against mail-parser, the standard library and fast-mail-parser: right fields and speed.

Fields: odd messages written for this (`_reading_truth.py`), right answers per field and parser.
Speed: processor time, all parsers over the same messages in turn, best of several rounds; the ratio
to mail-parser is what compares between machines. `--mail DIR` reads every file below a folder
besides: no exception, and, where a file `*_index.jsonl` beside it states what is in a message, how
often the reading agrees.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._reading_parsers import PARSERS, TIMED
from benchmarks._reading_truth import truths
from data.errors import UnreadableMailError
from tasks.core.markup.text import read_html
from tasks.core.parse.part_tree import read_tree
from tasks.mail.read import read_mail

SAMPLES = Path(__file__).parent.parent / "data" / "samples"
ROUNDS = 5


def right(field: str, wanted: object, found: object) -> bool:
    """Whether a parser's answer is the right one; white space around and between lines is free."""
    if field == "text":
        return " ".join(str(found or "").split()) == " ".join(str(wanted).split())
    if field in ("subject", "sender_name"):
        return str(found or "") == str(wanted or "")
    return (found or None) == (wanted or None)


def score_fields() -> None:
    """Print right answers by field and parser."""
    asked: Counter[str] = Counter()
    hits: Counter[tuple[str, str]] = Counter()
    raised: Counter[str] = Counter()
    messages = list(truths())
    for truth in messages:
        asked.update(truth.fields.keys())
        for name, read in PARSERS.items():
            try:
                found: dict[str, Any] = read(truth.raw)
            except Exception as error:  # noqa: BLE001 - any exception of another's parser is a fault
                raised[name] += 1
                if name == "postern":
                    print(f"  postern raised {type(error).__name__} for {truth.name!r}")
                continue
            for field, wanted in truth.fields.items():
                good = right(field, wanted, found[field])
                hits[name, field] += good
                if name == "postern" and not good:
                    print(f"  postern, {truth.name!r}: {field} {found[field]!r}, not {wanted!r}")
    print(f"right fields in {len(messages)} odd messages")
    print(f"  {'':18}" + "".join(f"{field:>13}" for field in asked) + "          all  raised")
    for name in PARSERS:
        cells = "".join(f"{hits[name, field]:>7} /{asked[field]:>4}" for field in asked)
        total = sum(hits[name, field] for field in asked)
        print(f"  {name:18}{cells}{total:>7} /{asked.total():>4}{raised[name]:>8}")


def sample_messages() -> list[bytes]:
    """Return the messages of the sample organizations, some hundred times."""
    files = sorted(SAMPLES.rglob("*.eml"))
    return [path.read_bytes() for path in files] * max(1, 600 // max(1, len(files)))


def compare_speed(raws: list[bytes], title: str) -> None:
    """Print messages per second of processor time, and the ratio to mail-parser."""
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, read in TIMED.items():
            seconds = _spent(read, raws)
            best[name] = min(best.get(name, seconds), seconds)
    size = sum(map(len, raws)) / len(raws) / 1000
    print(f"speed over {len(raws)} {title} of {size:.1f} kB, per second of processor time")
    for name, seconds in best.items():
        ratio = best["mail-parser"] / seconds
        print(f"  {name:24}{len(raws) / seconds:>9,.0f}   {ratio:>5.2f} x mail-parser")


def _spent(read: Callable[[bytes], object], raws: list[bytes]) -> float:
    """Return the processor time of one round; what a parser raises costs it nothing."""
    before = time.process_time()
    for raw in raws:
        try:
            read(raw)
        except Exception:  # noqa: BLE001, S112 - counted in `read_folder` and `score_fields`
            continue
    return time.process_time() - before


def read_folder(folder: Path) -> list[bytes]:
    """Read every file below a folder; print what could not be read, and what raised."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    raws = [path.read_bytes() for path in paths]
    refused, faults, slowest = 0, 0, 0.0
    for path, raw in zip(paths, raws, strict=True):
        before = time.process_time()
        try:
            read_mail(raw)
        except UnreadableMailError:
            refused += 1
        except Exception as error:  # noqa: BLE001 - the fault that is looked for
            faults += 1
            print(f"  {path.name}: {type(error).__name__}: {error}")
        slowest = max(slowest, time.process_time() - before)
    print(f"{folder.name}: {len(raws)} files, {faults} raised, {refused} refused as unreadable; "
          f"slowest {slowest * 1000:.0f} ms")  # fmt: skip
    for name, read in PARSERS.items():
        wrong = 0
        for raw in raws:
            try:
                read(raw)
            except Exception:  # noqa: BLE001
                wrong += 1
        print(f"  {name:18} raised for {wrong}")
    return raws


def agree_with_index(folder: Path) -> None:
    """Print how often the tree has as many parts as an index beside the folder states."""
    index = folder.parent / f"{folder.name}_index.jsonl"
    if not index.exists():
        return
    counts: Counter[str] = Counter()
    for line in index.read_text("utf-8").splitlines():
        entry = json.loads(line)
        tree = (entry.get("expected") or {}).get("tree")
        path = folder.parent / entry["path"]
        if not tree or not path.exists():
            continue
        try:
            parts = list(read_tree(path.read_bytes(), []).walk())
        except UnreadableMailError:
            counts["refused"] += 1
            continue
        kinds = [part.content_type for part in parts]
        counts["messages with a stated tree"] += 1
        counts["as many messages inside"] += tree["messages"] == 1 + kinds.count("message/rfc822")
        multiparts = sum(kind.startswith("multipart/") for kind in kinds)
        counts["as many multiparts"] += tree["multiparts"] == multiparts
    if counts:
        print(f"{index.name}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))


def large_pages() -> None:
    """Print the processor time of a megabyte of newsletter, ordinary and styled."""
    cell = '<td style="color:#333;font-size:14px" class="a">hello <b>big</b> world</td>'
    row = f"<table><tr>{cell}</tr></table>"
    rows = row * (1_000_000 // len(row))
    for title, sheet in (
        ("no style sheet", ""),
        ("simple rules", ".a{padding:1px;color:#000}"),
        ("descendants", "table td.a{color:#111} tr > .a{font-size:12px} td:first-child{color:red}"),
    ):
        before = time.process_time()
        read_html(f"<style>{sheet}</style>{rows}")
        print(f"  1 MB of HTML, {title}: {time.process_time() - before:.2f} s")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mail", type=Path, action="append", default=[], metavar="DIR")
    arguments = parser.parse_args()
    score_fields()
    compare_speed(sample_messages(), "sample messages")
    large_pages()
    for folder in arguments.mail:
        raws = read_folder(folder)
        agree_with_index(folder)
        compare_speed(raws, f"messages of {folder.name}")


if __name__ == "__main__":
    main()
