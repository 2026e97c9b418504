"""What takes seconds to load is loaded when it is first needed."""

import subprocess
import sys


def test_lancedb_is_not_loaded_with_the_engine() -> None:
    """Everything that the engine is made of can be imported without LanceDB."""
    code = "import sys, flows.engine; print(sorted(n for n in sys.modules if n == 'lancedb'))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
