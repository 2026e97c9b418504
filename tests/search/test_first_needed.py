"""What takes seconds to load is loaded when it is first needed."""

import subprocess
import sys


def test_lancedb_and_dlt_are_not_loaded_with_the_engine() -> None:
    """Everything that the engine is made of can be imported without the two."""
    code = "import sys, flows.engine; print({'lancedb', 'dlt'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"
