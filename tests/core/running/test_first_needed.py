"""What takes seconds to load is loaded when it is first needed."""

import subprocess
import sys


def test_lancedb_and_dlt_are_not_loaded_with_the_engine() -> None:
    """Everything that the engine is made of can be imported without the two."""
    code = "import sys, flows.engine; print({'lancedb', 'dlt'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"


def test_a_child_that_reads_mail_is_ready_at_once() -> None:
    """Each is started anew after a message that ends it: it loads no rules of the screen."""
    code = (
        "import sys, connectors.parse_child, tasks.mail.read;"
        "print([name for name in sys.modules if name.startswith('tasks.core.screen')])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
