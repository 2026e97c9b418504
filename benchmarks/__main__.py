"""Run all benchmarks, or those named: `make bench ARGS="line memory"`."""

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def main() -> int:
    """Run what was asked for, one after another; return the exit status."""
    asked = sys.argv[1:] or NAMES
    unknown = [name for name in asked if name not in NAMES]
    if unknown:
        print(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(NAMES)}")
        return 2
    for name in asked:
        print(f"\n== {name}", flush=True)
        sys.argv = [name]
        try:
            runpy.run_module(f"benchmarks.{name}", run_name="__main__")
        except SystemExit as end:
            if end.code:
                print(f"{name} ended with {end.code}")
    return 0


sys.exit(main())
