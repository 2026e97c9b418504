"""A fresh home is started, and set up by the link that the terminal prints."""

import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from data.settings import load_settings
from flows.operating.startup_lines import begin_lines, ready_lines
from tests.core.commands.fixtures import Run, start

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def started(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start everything, as `make up` does, in a home that is not there yet."""
    with start("up", home=home) as process:
        yield process
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=200)
        finally:
            process.kill()


def test_a_fresh_start_prints_a_link_that_makes_the_organization(
    started: subprocess.Popen[bytes], home: Path, run: Run
) -> None:
    """No organization is no error: the secret of the link makes the first one."""
    assert started.stdout is not None
    guard = threading.Timer(300, started.kill)
    guard.start()
    link = next(line.split("?setup=")[1].strip() for line in map(bytes.decode, started.stdout)
                if "?setup=" in line)  # fmt: skip
    guard.cancel()
    settings = load_settings(home=home)
    shown = run("setup")
    assert link in shown.output
    order = {
        "name": "Harbor",
        "address": "help@harbor.example",
        "administrator": "Maud",
    }
    made = httpx.post(
        f"{settings.api_url}/v1/beginning",
        json=order,
        headers={"Authorization": f"Bearer {link}"},
        trust_env=False,
        timeout=60,
    )
    assert made.status_code == 201, made.text
    assert "harbor" in run("organization", "list").output
    assert "Harbor answers for help@harbor.example." in run("setup").output


def test_the_lines_name_the_link_as_long_as_it_is_good(home: Path) -> None:
    """With the secret there is a link and no signed-in one; without, there is no link to begin."""
    settings = load_settings(home=home)
    assert begin_lines(settings) == []
    settings.secrets.mkdir(parents=True)
    settings.setup_file.write_text("pset_abc", encoding="utf-8")
    (settings.secrets / "operator.token").write_text("pst_operator", encoding="utf-8")
    lines = "\n".join(ready_lines(settings))
    assert "/?setup=pset_abc" in lines
    assert "pst_operator" not in lines
    settings.setup_file.unlink()
    lines = "\n".join(ready_lines(settings))
    assert "setup" not in lines
    assert "/?token=pst_operator" in lines
