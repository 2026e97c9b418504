"""Run all benchmarks, or those named: `make bench ARGS="line memory"`; `--list` names them.

Options after one name are that benchmark's own: `python -m benchmarks automated --mail DIR`.
"""

import ast
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))
SECONDS = frozenset(
    {"answers", "automated", "segments", "situations", "spam_learning", "understanding_forks"}
    | {"understanding_inbox", "understanding_pairs"},
)
LONG = frozenset(
    {
        "agentdojo",
        "engine_deaths",
        "growth",
        "hostile_model",
        "line",
        "receive",
        "receive_faults",
        "receive_floods",
        "receive_kills",
        "receive_overload",
        "retrieval",
        "screening",
        "search",
    },
)
"""What takes several minutes; the rest takes a minute or two."""


def sentence(name: str) -> str:
    """Return what a benchmark measures: the first line of its docstring."""
    tree = ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").split("\n", 1)[0]


def duration(name: str) -> str:
    """Return roughly how long a benchmark takes as it is, on two cores that nothing else uses."""
    if name in SECONDS:
        return "seconds"
    return "several minutes" if name in LONG else "a minute or two"


def announce(names: Sequence[str]) -> None:
    """Print what will run and how long it roughly takes."""
    width = max(map(len, names))
    for name in names:
        print(f"  {name:{width}}  {duration(name):15}  {sentence(name)}")


def run(name: str, options: Sequence[str]) -> int:
    """Run one benchmark in a process of its own, so that none finds what another left."""
    print(f"\n== {name}", flush=True)
    began = time.monotonic()
    code = subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *options]).returncode
    ended = f", ended with {code}" if code else ""
    print(f"== {name}: {time.monotonic() - began:.0f} s{ended}", flush=True)
    return code


def main() -> int:
    """Run what was asked for, one after another; return 1 if one of them failed."""
    given = sys.argv[1:]
    if given == ["--list"]:
        announce(NAMES)
        return 0
    at = next((place for place, word in enumerate(given) if word.startswith("-")), len(given))
    asked, options = given[:at] or NAMES, given[at:]
    if options and at != 1:
        print(f"{options[0]!r} is an option of one benchmark; name that one before it")
        return 2
    unknown = [name for name in asked if name not in NAMES]
    if unknown:
        print(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(NAMES)}")
        return 2
    if not given:
        print("All benchmarks, about an hour; name those that you want to have only these:")
        announce(asked)
    codes = [run(name, options) for name in asked]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
