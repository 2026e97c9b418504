"""SpamAssassin and rspamd as Debian packs them, on loopback, with local rules and no network."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

import httpx

from tests.ports import free_port

SPAM_RULES = """
loadplugin Mail::SpamAssassin::Plugin::Check
loadplugin Mail::SpamAssassin::Plugin::Bayes
required_score 5.0
body TEASEL_WATCHES /replica watches/i
describe TEASEL_WATCHES Offers replica watches
score TEASEL_WATCHES 7.5
body TEASEL_HURRY /only today/i
describe TEASEL_HURRY Says that it is for today alone
score TEASEL_HURRY 1.25
body BAYES_99 eval:check_bayes('0.9', '1')
tflags BAYES_99 learn
describe BAYES_99 Its words are those of spam
score BAYES_99 4.0
use_bayes 1
use_learner 1
bayes_auto_learn 0
bayes_min_spam_num 1
bayes_min_ham_num 1
bayes_path {root}/bayes/bayes
"""

RSPAMD = """
lua = "{root}/conf/rules.lua"
options {
  filters = "regexp"; url_tld = "{root}/conf/tld.dat";
  tempdir = "{root}/run"; hs_cache_dir = "{root}/run";
  dns { nameserver = ["127.0.0.1:1"]; timeout = 0.05s; retransmits = 1; }
  pidfile = "{root}/run/rspamd.pid";
}
logging { type = "file"; filename = "{root}/run/log"; level = "notice"; }
worker "controller" {
  bind_socket = "127.0.0.1:{controller}"; count = 1; secure_ip = [];
  password = "{password}"; enable_password = "{password}";
}
actions { reject = 15; add_header = 6; greylist = 4; }
group "teasel" { max_score = 20; }
classifier "bayes" {
  backend = "sqlite3";
  tokenizer { name = "osb"; }
  min_tokens = 11;
  min_learns = 1;
  statfile { symbol = "BAYES_HAM"; path = "{root}/run/ham.sqlite"; spam = false; }
  statfile { symbol = "BAYES_SPAM"; path = "{root}/run/spam.sqlite"; spam = true; }
}
"""
RSPAMD_RULES = """
config['regexp'] = {}
config['regexp']['TEASEL_WATCHES'] = {
  re = '/replica watches/i{sa_body}',
  score = 9.0,
  description = 'Offers replica watches',
  group = 'teasel',
}
"""
PASSWORD = "shuttle"


class Daemon:
    """A server of a test: its folder, its port, its process."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="postern-filter-"))
        self.root.chmod(0o777)
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Start it, and wait until it answers."""
        with (self.root / "err").open("wb") as err:
            self.process = subprocess.Popen(self.order(), stdout=subprocess.DEVNULL, stderr=err)
        end = time.monotonic() + 120
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"it does not start: {self.complaint()}")
            time.sleep(0.2)
        return self

    def order(self) -> list[str]:
        """Return the command line."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Whether it is there."""
        raise NotImplementedError

    def complaint(self) -> str:
        """Return what it said of its trouble."""
        err = self.root / "err"
        return err.read_text(errors="replace")[-2000:] if err.exists() else ""

    def stop(self) -> None:
        """End it."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(20)
        self.process = None

    def remove(self) -> None:
        """End it and take its folder away."""
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)


class SpamdDaemon(Daemon):
    """SpamAssassin's daemon with a few rules of its own."""

    program = "/usr/sbin/spamd"

    def __init__(self) -> None:
        super().__init__()
        for name in ("rules", "site", "bayes", "home"):
            (self.root / name).mkdir()
            (self.root / name).chmod(0o777)
        shutil.copy("/usr/share/spamassassin/10_default_prefs.cf", self.root / "rules")
        (self.root / "site" / "local.cf").write_text(SPAM_RULES.replace("{root}", str(self.root)))

    def order(self) -> list[str]:
        """Return the command line: local tests only, learning allowed."""
        user = ["-u", "nobody"] if os.getuid() == 0 else []
        return [
            self.program, "-L", "-x", "--allow-tell", "-m", "2", "-s", "stderr", *user,
            "-i", "127.0.0.1", "-p", str(self.port), "-A", "127.0.0.1",
            "-C", str(self.root / "rules"), f"--siteconfigpath={self.root / 'site'}",
            "-H", str(self.root / "home"), "-r", str(self.root / "pid"),
        ]  # fmt: skip

    def answers(self) -> bool:
        """Whether it says PONG."""
        import socket

        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as line:
                line.sendall(b"PING SPAMC/1.5\r\n\r\n")
                return b"PONG" in line.recv(100)
        except OSError:
            return False


class RspamdDaemon(Daemon):
    """rspamd with a rule of its own, and nothing that asks outside."""

    program = "/usr/bin/rspamd"

    def __init__(self) -> None:
        super().__init__()
        self.controller = free_port()
        for name in ("run", "conf"):
            (self.root / name).mkdir()
            (self.root / name).chmod(0o777)
        (self.root / "conf/rspamd.conf").write_text(self._filled(RSPAMD))
        (self.root / "conf/rules.lua").write_text(RSPAMD_RULES)
        (self.root / "conf/tld.dat").write_text("com\nexample\n")  # the whole list takes long

    def _filled(self, text: str) -> str:
        given = {
            "{root}": str(self.root),
            "{port}": str(self.port),
            "{controller}": str(self.controller),
            "{password}": PASSWORD,
        }
        for name, value in given.items():
            text = text.replace(name, value)
        return text

    @property
    def url(self) -> str:
        """The controller's address."""
        return f"http://127.0.0.1:{self.controller}"

    def order(self) -> list[str]:
        """Return the command line, with its own folders."""
        user = ["-u", "_rspamd", "-g", "_rspamd"] if os.getuid() == 0 else []
        return [
            self.program, "-f", *user, "-c", str(self.root / "conf/rspamd.conf"),
        ]  # fmt: skip

    def answers(self) -> bool:
        """Whether it says pong."""
        try:
            return "pong" in httpx.get(f"{self.url}/ping", trust_env=False, timeout=5).text
        except httpx.HTTPError:
            return False

    def complaint(self) -> str:
        """Return what it said, and what its log says."""
        log = self.root / "run/log"
        return super().complaint() + (log.read_text()[-3000:] if log.exists() else "")


def missing(program: str) -> str:
    """Return why a daemon cannot be run here, empty when it can."""
    return "" if Path(program).exists() else f"{program} is not installed"
