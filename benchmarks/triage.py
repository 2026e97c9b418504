"""Recognizing what people say to agents: share taken, precision, out-of-scope, and its time.

    python -m benchmarks triage              # our own set, `sets/triage.yaml`
    python -m benchmarks triage --clinc DIR

DIR holds CLINC150 (`data_oos_plus.json`, CC BY 3.0), which is measured on and never learned from.
Of its 150 intents we have the seventeen below; what we take of any other, or of no intent at all,
is wrong. *Taken* is what is answered without a model where there is one. A sentence that is not
taken costs nothing but the slower way.
"""

import argparse
import json
import sys
import time
from collections.abc import Collection
from pathlib import Path

import yaml

from tasks.agents.triage import LOOKUPS, Triage, is_plain, triage_message

OWN = Path(__file__).parent / "sets" / "triage.yaml"
LEFT = "model"
"""What of our own set is to be left to whoever thinks."""

OURS = {
    "greeting": "greeting", "thank_you": "thanks", "time": "time", "date": "time",
    "what_can_i_ask_you": "help", "what_is_your_name": "help", "are_you_a_bot": "help",
    "reminder_update": "remind", "reminder": "list_tasks",
    "todo_list": "list_tasks", "todo_list_update": "add_task finish_task drop_task move_task",
    "calendar": "list_events free_time", "calendar_update": "add_event move_event remove_event",
    "schedule_meeting": "add_event", "meeting_schedule": "list_events free_time",
    "yes": "agree", "no": "refuse",
}  # fmt: skip
"""What of ours is right for each of theirs; several are parted by blanks."""
PERCENTILE = 0.99


def measure_own() -> None:
    """Print how each part of our own set is recognized."""
    for part, sentences in yaml.safe_load(OWN.read_text(encoding="utf-8")).items():
        seconds: list[float] = []
        right = wrong = 0
        for meant_by_us, texts in sentences.items():
            for text in texts:
                began = time.process_time()
                recognized = triage_message(text)
                seconds.append(time.process_time() - began)
                meant = taken_for(recognized, LOOKUPS) or LEFT
                right += meant == meant_by_us
                wrong += meant not in (meant_by_us, LEFT)
        p95 = sorted(seconds)[int(len(seconds) * 0.95)]
        count = len(seconds)
        print(
            f"{part}: {right} of {count} right, {wrong} wrong, {count - right - wrong} left open;"
        )
        print(f"    processor time of one: p95 {p95 * 1000:.2f} ms")


def taken_for(recognized: Triage, switched_on: Collection[str] = ()) -> str:
    """Return what was taken; empty for nothing."""
    if not is_plain(recognized, switched_on):
        return ""
    if recognized.order is not None:
        return recognized.order.kind
    return str(recognized.intent) if recognized.intent is not None else ""


def main(arguments: list[str]) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clinc", type=Path, help="folder of CLINC150")
    folder = parser.parse_args(arguments).clinc
    triage_message("what time is it")  # reads the word lists
    measure_own()
    if folder is None:
        print("CLINC150 is left out: name its folder with --clinc")
        return 0
    data = json.loads((folder / "data_oos_plus.json").read_text(encoding="utf-8"))
    seconds: list[float] = []
    mine = taken = right = outside = 0
    for text, intent in data["test"] + data["oos_test"]:
        began = time.process_time()
        meant = taken_for(triage_message(text))
        seconds.append(time.process_time() - began)
        mine += intent in OURS
        outside += bool(meant) and intent == "oos"
        taken += bool(meant) and intent != "oos"
        right += bool(meant) and meant in OURS.get(intent, "").split()
    inside = len(data["test"])
    p99 = sorted(seconds)[int(len(seconds) * PERCENTILE)]
    print(f"{mine} of {inside} sentences are of intents that we have")
    print(f"taken and right: {right / max(1, mine):.1%} of these, {right / inside:.1%} of all")
    print(f"precision of what is taken: {right / max(1, taken):.1%} of {taken}")
    print(f"taken of what is out of scope: {outside / len(data['oos_test']):.2%}")
    print(f"processor time of one: p99 {p99 * 1000:.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
