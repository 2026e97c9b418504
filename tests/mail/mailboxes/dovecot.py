"""A private Dovecot on loopback: own configuration, own ports, ended by its process id."""

import datetime
import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from imapclient import IMAPClient

from tests.mail.gate.conftest import wait_for_port
from tests.ports import free_port

USER, PASSWORD = "inbox@teasel.example", "a loom & 2 shuttles"
NOBODY = 65534

CONFIG = """
protocols = imap
base_dir = {root}/run
state_dir = {root}/run
log_path = {root}/log
listen = 127.0.0.1
ssl = yes
ssl_cert = <{root}/certificate.pem
ssl_key = <{root}/key.pem
disable_plaintext_auth = {secure}
mail_location = maildir:{root}/mail/%u
first_valid_uid = 1
default_process_limit = 40
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {root}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={uid} home={root}/mail/%u
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Sent {{
    special_use = \\Sent
    auto = create
  }}
}}
{more}
"""


def missing() -> str:
    """Return why there can be no Dovecot here, empty when there can."""
    if shutil.which("dovecot") is None:
        return "dovecot is not installed (package dovecot-imapd)"
    version = subprocess.run(["dovecot", "--version"], capture_output=True, text=True, check=False)
    if not version.stdout.startswith("2.3."):
        return f"the configuration here is for Dovecot 2.3, not {version.stdout.split()[0]}"
    return ""


@dataclass
class Dovecot:
    """One server with one user."""

    root: Path
    port: int
    tls_port: int
    more: str = ""
    secure: bool = False
    process: subprocess.Popen[bytes] | None = None
    clients: list[IMAPClient] = field(default_factory=list)

    @classmethod
    def make(cls, more: str = "", *, secure: bool = False) -> Self:
        """Make a folder that the server's user may enter, and its configuration."""
        root = Path(tempfile.mkdtemp(prefix="postern-dovecot-"))
        root.chmod(0o755)
        made = cls(root, free_port(), free_port(), more, secure)
        make_certificate(root, "localhost")
        (root / "run").mkdir(mode=0o755)
        (root / "mail").mkdir()
        (root / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
        made.configure(more)
        return made

    def configure(self, more: str = "") -> None:
        """Write the configuration; counts from the next start."""
        uid = os.getuid() or NOBODY
        if os.getuid() == 0:
            os.chown(self.root / "mail", NOBODY, NOBODY)
        else:
            name = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout
            more += f"\ndefault_internal_user = {name}default_login_user = {name}"
            group = subprocess.run(["id", "-gn"], capture_output=True, text=True, check=True).stdout
            more += f"default_internal_group = {group}"
        (self.root / "dovecot.conf").write_text(
            CONFIG.format(
                root=self.root,
                port=self.port,
                tls_port=self.tls_port,
                uid=uid,
                secure="yes" if self.secure else "no",
                more=more,
            )
        )

    def start(self) -> Self:
        """Start it and wait for its ports."""
        self.process = subprocess.Popen(
            ["dovecot", "-F", "-c", str(self.root / "dovecot.conf")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for_port(self.port)
        wait_for_port(self.tls_port)
        return self

    def stop(self) -> None:
        """End the server and its children, which cuts every connection."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(100)
        self.process = None

    def remove(self) -> None:
        """End it and take everything away."""
        for client in self.clients:
            try:
                client.shutdown()
            except OSError:
                continue
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)

    # -- being its user ------------------------------------------------------------------

    def client(self) -> IMAPClient:
        """Return a connection of a person with a mail program."""
        made = IMAPClient("127.0.0.1", self.port, ssl=False, timeout=60)
        made.login(USER, PASSWORD)
        self.clients.append(made)
        return made

    def put(
        self,
        *raws: bytes,
        folder: str = "INBOX",
        flags: tuple[bytes, ...] = (),
        at: datetime.datetime | None = None,
    ) -> None:
        """Put messages into a folder, as a delivery would."""
        client = self.client()
        if not client.folder_exists(folder):
            client.create_folder(folder)
        for raw in raws:
            client.append(folder, raw, flags=flags, msg_time=at)
        client.logout()
        self.clients.remove(client)

    def flags(self, folder: str = "INBOX") -> dict[int, set[str]]:
        """Return the flags of each message by UID, without the one for recent ones."""
        client = self.client()
        client.select_folder(folder, readonly=True)
        found = client.get_flags(client.search(["ALL"]))
        client.logout()
        self.clients.remove(client)
        return {
            uid: {flag.decode() for flag in flags if flag != b"\\Recent"}
            for uid, flags in found.items()
        }

    def go_back(self, *gone: int) -> None:
        """Remove messages of the inbox and count UIDs from 1 again, under the same UIDVALIDITY."""
        client = self.client()
        client.select_folder("INBOX")
        client.delete_messages(list(gone))
        client.expunge()
        client.logout()
        self.clients.remove(client)
        place = self.root / "mail" / USER
        words = (place / "dovecot-uidlist").read_text().splitlines()[0].split()
        for name in ("dovecot.index", "dovecot.index.log", "dovecot.index.cache"):
            (place / name).unlink(missing_ok=True)
        kept = [word for word in words if not word.startswith("N")]
        (place / "dovecot-uidlist").write_text(" ".join([*kept, "N1"]) + "\n")

    def renumber(self, folder: str = "INBOX") -> None:
        """Give the folder another UIDVALIDITY and its messages other UIDs, as a restore may."""
        place = self.root / "mail" / USER
        if folder != "INBOX":
            place /= f".{folder}"
        for name in (
            "dovecot-uidlist",
            "dovecot.index",
            "dovecot.index.log",
            "dovecot.index.cache",
        ):
            (place / name).unlink(missing_ok=True)
        time.sleep(1.1)  # Dovecot makes the new one from the seconds of the clock
        for name in self.root.joinpath("mail", USER).glob("dovecot-uidvalidity*"):
            name.unlink()


def make_certificate(folder: Path, name: str) -> None:
    """Write a key and a certificate of its own that says `name`."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
