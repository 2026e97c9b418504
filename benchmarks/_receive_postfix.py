"""A Postfix of its own for comparison: private folders, loopback only, no system service.

What it accepts goes to its `hold` queue, so that like our spool in the benchmark it is written and
synced and not worked on. Limits that would slow a single client down are off.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

MAIN = """compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
command_directory = {commands}
daemon_directory = {daemons}
meta_directory = /etc/postfix
shlib_directory = {libraries}
mail_owner = postfix
setgid_group = postdrop
myhostname = bench.example
mydestination =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
relay_domains = bench.example
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_error_sleep_time = 0
in_flow_delay = 0
alias_maps =
alias_database =
"""
HOLD = "smtpd_client_restrictions = check_client_access static:HOLD"

MASTER = """127.0.0.1:{port} inet n - n - 100 smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
smtp unix - - n - - discard
relay unix - - n - - discard
local unix - n n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
"""


def program(name: str) -> str | None:
    """Return the path of a program of the Postfix package, None when it is not installed."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/lib/postfix/sbin")


def missing() -> str:
    """Return why there can be no Postfix here; empty when there can."""
    if program("postfix") is None or program("smtp-source") is None:
        return "Debian's postfix (with smtp-source) is not installed"
    if os.geteuid() != 0:
        return "starting a Postfix needs root, for its own user"
    return ""


@contextlib.contextmanager
def postfix(folder: str | None, port: int, settings: str = HOLD) -> Iterator[Path]:
    """Run a Postfix on 127.0.0.1 with its queue below `folder`; gives its queue directory.

    `settings` are lines of `main.cf`; by default what is accepted is held.
    """
    home = Path(tempfile.mkdtemp(prefix="postfix-", dir=folder))
    config, queue, data = home / "etc", home / "queue", home / "data"
    commands = Path(program("postfix") or "").parent
    daemons = next(p for p in ("/usr/lib/postfix/sbin", "/usr/libexec/postfix") if Path(p).exists())
    for path in (config, queue, data):
        path.mkdir()
    home.chmod(0o755)
    shutil.chown(data, "postfix")
    names = {"home": home, "port": port, "commands": commands, "daemons": daemons}
    libraries = "/usr/lib/postfix" if Path("/usr/lib/postfix").exists() else "no"
    main = MAIN.format(**names, libraries=libraries) + settings + "\n"
    (config / "main.cf").write_text(main)
    (config / "master.cf").write_text(MASTER.format(**names))
    command = [program("postfix") or "postfix", "-c", str(config)]
    try:
        subprocess.run([*command, "start"], check=True, capture_output=True)
        yield queue
    finally:
        subprocess.run([*command, "stop"], check=False, capture_output=True)
        for _ in range(100):
            if not (queue / "pid" / "master.pid").exists():
                break
            time.sleep(0.02)
        shutil.rmtree(home, ignore_errors=True)


def held(queue: Path) -> int:
    """Return how many messages its hold queue has."""
    return sum(1 for path in (queue / "hold").rglob("*") if path.is_file())
