"""Clients that write down every 250, and the account of what the spool holds of it."""

import hashlib
import smtplib
import threading
import time
from collections import Counter
from pathlib import Path

from connectors.spool import Spool


class Ledger:
    """Clients that send for as long as they are let, and write down every 250."""

    def __init__(self, port: int, wanted: int, clients: int = 6) -> None:
        self.acknowledged: dict[str, str] = {}
        self.permanent: list[int] = []
        """The 5xx answers, of which there should be none."""
        self._port, self._wanted = port, wanted
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run, args=(n,)) for n in range(clients)]

    def __enter__(self) -> "Ledger":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._wanted = 0
        for thread in self._threads:
            thread.join(100)

    @property
    def full(self) -> bool:
        """Whether as many were acknowledged as are wanted."""
        return len(self.acknowledged) >= self._wanted

    def wait_full(self, seconds: float) -> bool:
        """Wait until enough were acknowledged; return whether that came about."""
        end = time.monotonic() + seconds
        while not self.full and time.monotonic() < end:
            time.sleep(0.02)
        return self.full

    def _run(self, number: int) -> None:
        sent = 0
        while not self.full:
            try:
                with smtplib.SMTP("127.0.0.1", self._port, "client.example", timeout=5) as smtp:
                    for _ in range(20):
                        sent += 1
                        self._send(smtp, number, sent)
                        if self.full:
                            break
            except smtplib.SMTPResponseException as error:
                if error.smtp_code >= 500:
                    self.permanent.append(error.smtp_code)
            except (OSError, smtplib.SMTPException):
                pass
            time.sleep(0.01)

    def _send(self, smtp: smtplib.SMTP, number: int, sent: int) -> None:
        body = b"X-Ledger: %d-%d\r\n\r\n%s\r\n" % (number, sent, b"x" * 3000)
        smtp.sendmail("l@out.example", ["help@harbor.example"], body)
        with self._lock:
            self.acknowledged[hashlib.sha256(body).hexdigest()] = f"{number}-{sent}"

    def account(self, home: Path) -> tuple[list[str], int]:
        """Return what was acknowledged and is not in the spool, and how many are there twice."""
        spool = Spool(home / "spool")
        kept = Counter(spool.read(entry)[0].sha256 for entry in spool.list_waiting(1_000_000))
        lost = [name for digest, name in self.acknowledged.items() if digest not in kept]
        return lost, sum(count - 1 for count in kept.values())
