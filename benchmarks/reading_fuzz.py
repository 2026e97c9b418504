"""Coverage-guided fuzzing of reading with atheris: no bytes raise, hang, or give what is no JSON.

atheris is not among the dependencies. In an environment that has both it and Postern:
`pip install atheris`, then `python -m benchmarks.reading_fuzz --seconds 600`. The seeds are the odd
messages of `_reading_truth.py`. libFuzzer prints its progress; what it finds is written to a file
`crash-…` or `timeout-…` in the present folder, and the exit status is not 0.
"""

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

SLOW_SECONDS = 5
"""Seconds for one message from which it counts as a hang; messages have at most 20,000 bytes."""


def main() -> int:
    """Fuzz for the time asked for; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    if importlib.util.find_spec("atheris") is None:
        print("skipped: atheris is not installed (pip install atheris)")
        return 0
    fuzz(arguments.seconds)
    return 0


def fuzz(seconds: int) -> None:
    """Run libFuzzer over `read` for some seconds; it ends the process."""
    import atheris

    from benchmarks._reading_truth import truths
    from data.errors import UnreadableMailError

    with atheris.instrument_imports(include=["tasks"]):
        from tasks.mail.read import Reading, read

    def one(octets: bytes) -> None:
        try:
            answer = read(octets)
        except UnreadableMailError:
            return
        reading = Reading.model_validate_json(answer)
        if "\x00" in reading.mail.text:
            raise ValueError("a NUL in the text")

    corpus = Path(tempfile.mkdtemp(prefix="postern-fuzz-"))
    for number, truth in enumerate(truths()):
        (corpus / f"{number}").write_bytes(truth.raw)
    options = [f"-max_total_time={seconds}", "-max_len=20000", f"-timeout={SLOW_SECONDS}"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
