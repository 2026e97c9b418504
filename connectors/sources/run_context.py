"""The surroundings that dlt runs in: none but what is said here.

dlt looks for settings and secrets in the environment, in `.dlt` below the working directory and
the home, and in Streamlit's secrets, for which it imports all of Streamlit. None of these may
change how an organization's files are loaded, so its context is given no place to look.
Imports dlt: import it when there is work.
"""

from functools import cache

from dlt.common.configuration.container import Container
from dlt.common.configuration.providers import DictionaryProvider
from dlt.common.configuration.providers.provider import ConfigProvider
from dlt.common.configuration.specs.pluggable_run_context import PluggableRunContext
from dlt.common.runtime.run_context import RunContext

_SETTINGS = {
    "runtime": {
        "dlthub_telemetry": False,
        "log_level": "CRITICAL",  # failures are raised, not printed
    }
}


class _FixedSettings(DictionaryProvider):
    """The settings above, and no others."""

    def __init__(self) -> None:
        super().__init__()
        self._config_doc = _SETTINGS


class _SealedContext(RunContext):
    """A context whose settings are fixed."""

    def initial_providers(self) -> list[ConfigProvider]:
        """Return the one place where settings come from."""
        return [_FixedSettings()]


@cache
def seal_context() -> None:
    """Let dlt take its settings from here alone, in this process."""
    Container()[PluggableRunContext] = PluggableRunContext(_SealedContext(None))
