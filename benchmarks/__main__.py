"""Run all benchmarks, or those named: `make bench ARGS="line memory"`.

Options after one name are that benchmark's own: `python -m benchmarks automated --mail DIR`.
"""

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def main() -> int:
    """Run what was asked for, one after another; return the exit status."""
    given = sys.argv[1:]
    at = next((place for place, word in enumerate(given) if word.startswith("-")), len(given))
    asked, options = given[:at] or NAMES, given[at:]
    if options and at != 1:
        print(f"{options[0]!r} is an option of one benchmark; name that one before it")
        return 2
    unknown = [name for name in asked if name not in NAMES]
    if unknown:
        print(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(NAMES)}")
        return 2
    for name in asked:
        print(f"\n== {name}", flush=True)
        sys.argv = [name, *options]
        try:
            runpy.run_module(f"benchmarks.{name}", run_name="__main__")
        except SystemExit as end:
            if end.code:
                print(f"{name} ended with {end.code}")
    return 0


sys.exit(main())
