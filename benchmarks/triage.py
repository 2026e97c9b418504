"""Recognizing what people say to agents: share taken, precision, out-of-scope, and its time.

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
from pathlib import Path

from tasks.agents.triage import Triage, is_plain, triage

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


def _meant(recognized: Triage) -> str:
    """Return what was taken; empty for nothing."""
    if not is_plain(recognized):
        return ""
    if recognized.order is not None:
        return recognized.order.kind
    return str(recognized.intent) if recognized.intent is not None else ""


def main(arguments: list[str]) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clinc", type=Path, help="folder of CLINC150")
    folder = parser.parse_args(arguments).clinc
    if folder is None:
        print("left out: name the folder of CLINC150 with --clinc")
        return 0
    data = json.loads((folder / "data_oos_plus.json").read_text(encoding="utf-8"))
    triage("what time is it")  # reads the word lists
    seconds: list[float] = []
    mine = taken = right = outside = 0
    for text, intent in data["test"] + data["oos_test"]:
        began = time.process_time()
        meant = _meant(triage(text))
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
