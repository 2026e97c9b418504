"""Memory of all processes together, idle: `postern up` with the sample organization and no mail.

RSS counts pages that processes share once for each; PSS shares them out, and is what the machine
is short of.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from benchmarks.line import SAMPLE, free_port

IDLE_SECONDS = 30


def figures(pid: int) -> tuple[float, float]:
    """Return RSS and PSS of a process, MiB."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    values = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in text.splitlines()[1:]}
    return values["Rss"], values["Pss"]


def family(pid: int) -> list[int]:
    """Return a process and everything it started, however deep."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def name_of(pid: int) -> str:
    """Return what a process is, in a word or two."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    known = ("prefect", "engine", "receive", "streamlit", "connectors.parse_child", "up")
    return next((name for name in known if any(name in word for word in words[1:])), words[0])


def main() -> None:
    """Start everything, wait, and print what it holds."""
    if not Path("/proc/self/smaps_rollup").exists():
        print("skipped: this machine has no /proc/*/smaps_rollup")
        return
    with tempfile.TemporaryDirectory() as folder:
        ports = {name: str(free_port()) for name in ("SMTP", "API", "UI", "PREFECT")}
        env = os.environ | {f"POSTERN_{name}_PORT": port for name, port in ports.items()}
        env["POSTERN_HOME"] = str(Path(folder) / "var")
        postern = [sys.executable, "-m", "flows.cli"]
        add = ["organization", "add", SAMPLE.name, "--from-folder", str(SAMPLE)]
        subprocess.run([*postern, *add], env=env, check=True, stdout=subprocess.DEVNULL)
        with subprocess.Popen(
            [*postern, "up"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as service:
            try:
                wait_for(f"http://127.0.0.1:{ports['API']}/healthz")
                wait_for(f"http://127.0.0.1:{ports['UI']}/_stcore/health")
                time.sleep(IDLE_SECONDS)
                report(service.pid)
            finally:
                service.send_signal(signal.SIGTERM)


def wait_for(address: str) -> None:
    """Wait until the address answers."""
    for _ in range(240):
        try:
            urllib.request.urlopen(address, timeout=2).read()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit(f"{address} did not answer")


def report(pid: int) -> None:
    """Print a line per process, and the sum."""
    total_rss = total_pss = 0.0
    for each in family(pid):
        rss, pss = figures(each)
        total_rss, total_pss = total_rss + rss, total_pss + pss
        print(f"  {name_of(each):<24} RSS {rss:6.0f} MiB   PSS {pss:6.0f} MiB")
    print(f"  {'together':<24} RSS {total_rss:6.0f} MiB   PSS {total_pss:6.0f} MiB")


if __name__ == "__main__":
    main()
