"""Everything that can be set, from `postern.toml`, the environment and built-in defaults.

Precedence: environment (`POSTERN_…`, and `LLM_…` for the model), then the file named by
`POSTERN_CONFIG` (default `postern.toml` in the working folder), then the default here.
`docs/configuration.md` lists every setting; a test holds both to each other.
"""

import os
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import SettingsError as UnreadableVariableError

from data.host_names import HostName
from data.mailbox_names import MAILBOX_OF
from data.model_settings import ModelSettings
from data.setting_faults import checked_file, checked_variables, unreadable_variable, wrong_value
from data.tls import checked_pem

NetworkText = Annotated[str, AfterValidator(lambda text: str(ip_network(text, strict=False)))]
"""An address or a network, IPv4 or IPv6, e.g. `192.168.4.0/24`."""


def _refuse_empty_path(value: object) -> object:
    """Refuse an empty path, which would be the working folder itself."""
    if value == "":
        raise ValueError("name a folder; '.' is the working folder")
    return value


Folder = Annotated[Path, BeforeValidator(_refuse_empty_path)]
Host = Annotated[str, Field(min_length=1)]
"""A name or an address; an empty one would mean every address of this machine."""


class Settings(ModelSettings):
    """All settings; field docstrings are the help that `postern config` prints."""

    model_config = SettingsConfigDict(
        env_prefix="POSTERN_",
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        populate_by_name=True,
    )

    home: Folder = Path("var")
    """Folder of all run-time files: state, spool, mail archive, logs."""
    host: Host = "127.0.0.1"
    """Address that the API, the review window and the Prefect server listen on."""

    smtp_host: Host = "127.0.0.1"
    """Address that the SMTP receiver listens on; `0.0.0.0` faces the network."""
    smtp_port: int = Field(default=8025, ge=1, le=65535)
    """Port of the SMTP receiver."""
    api_port: int = Field(default=8080, ge=1, le=65535)
    """Port of the engine's HTTP API."""
    ui_port: int = Field(default=8501, ge=1, le=65535)
    """Port of the review window."""
    prefect_port: int = Field(default=4200, ge=1, le=65535)
    """Port of the Prefect server."""

    smtp_hostname: HostName = "postern.localdomain"
    """Name that the receiver greets with and that Message-IDs of replies end in."""
    message_size_limit: int = Field(default=33_554_432, ge=1024)
    """Largest message accepted, bytes."""
    smtp_connections: int = Field(default=200, ge=1)
    """Connections at the same time, in total."""
    smtp_connections_per_address: int = Field(default=50, ge=1)
    """Connections at the same time from one address."""
    smtp_recipients: int = Field(default=100, ge=100)
    """Recipients of one message; RFC 5321 section 4.5.3.1.8 asks for at least 100."""
    spool_limit: int = Field(default=100_000, ge=1)
    """Messages waiting in the spool from which the receiver answers 451."""

    receiver_processes: int = Field(default=1, ge=1, le=32)
    """Processes that receive on the same port, for more than one core."""
    smtp_tls_certificate: Path | None = None
    """Certificate chain (PEM) with which the receiver offers STARTTLS, TLS 1.2 and later."""
    smtp_tls_key: Path | None = None
    """Key of that certificate (PEM); not needed when it is in the same file."""
    smtp_users: Path | None = None
    """Users who may log in over TLS, with scrypt hashes; no AUTH without this file."""
    lmtp_listen: str = ""
    """Where a front server hands over by LMTP: `127.0.0.1:2424` or `unix:/path`; empty for none."""
    rate_sender: float = Field(default=10, ge=0)
    """Messages a minute from one envelope sender; 0 for no limit."""
    rate_sender_burst: float = Field(default=20, ge=1)
    """Messages that one envelope sender may send at once."""
    rate_block: float = Field(default=60, ge=0)
    """Messages a minute from one network (IPv4 /24, IPv6 /64); 0 for no limit."""
    rate_block_burst: float = Field(default=120, ge=1)
    """Messages that one network may send at once."""
    rate_overall: float = Field(default=0, ge=0)
    """Messages a minute in total; 0 for no limit."""
    rate_overall_burst: float = Field(default=600, ge=1)
    """Messages that all together may send at once."""
    rate_trusted_senders: bool = False
    """Whether the limit by sender also holds for what front servers hand over."""
    endpoint_allow_private: bool = False
    """Whether mail may be forwarded to webhooks on private or loopback addresses."""
    url_reputation_url: str = ""
    """Service that is asked about links in mail, an https URL; empty for none."""
    url_reputation_key: SecretStr = SecretStr("")
    """Key for that service, sent as a bearer token."""
    url_reputation_seconds: float = Field(default=3.0, gt=0, le=30)
    """How long that service may take for a batch, seconds."""
    url_reputation_failure: Literal["ignore", "flag"] = "ignore"
    """What a failure of that service does to mail with links: nothing, or it is flagged."""
    url_reputation_allow_private: bool = False
    """Whether that service may be on a private or loopback address, and without TLS."""

    safe_browsing_key: SecretStr = SecretStr("")
    """Key of Google Safe Browsing, which is asked about links in mail then; empty asks nobody."""
    spamassassin_address: str = ""
    """SpamAssassin's daemon that is asked about mail, `127.0.0.1:783` or `unix:/path`; or empty."""
    rspamd_url: str = ""
    """rspamd that is asked about mail, `http://127.0.0.1:11334`; empty for none."""
    rspamd_password: SecretStr = SecretStr("")
    """Password of rspamd's controller, where it has one."""
    filter_seconds: float = Field(default=5.0, gt=0, le=60)
    """How long SpamAssassin or rspamd may take for one message, seconds."""
    trusted_spam_headers: tuple[NetworkText, ...] = ()
    """Networks of servers whose X-Spam-* and X-Spamd-* fields are believed; empty for none."""
    trusted_authserv_ids: tuple[str, ...] = ()
    """Names under which a front server of ours writes Authentication-Results (RFC 8601)."""
    trusted_front_servers: tuple[NetworkText, ...] = ("127.0.0.0/8", "::1/128")
    """Networks of front servers of ours: no limit by network, and their results are believed."""
    trusted_arc_sealers: tuple[str, ...] = ()
    """Domains whose ARC seals are believed when they forward mail (RFC 8617)."""
    authenticate_senders: bool = True
    """Whether SPF, DKIM and DMARC of senders are checked here; asks this machine's resolver."""
    dmarc_policy_required: bool = True
    """Whether a sender's domain has to publish a DMARC record to be established."""

    coalesce_seconds: float = Field(default=30.0, ge=0)
    """Quiet window after a contact's last message before the burst is worked on, seconds."""
    coalesce_windows: int = Field(default=5, ge=1)
    """Windows after which a burst is worked on though more keeps coming."""
    thread_subject_days: float = Field(default=30.0, ge=0, le=3650)
    """Days within which the same contact and subject continue a conversation; 0 for never."""
    batch_size: int = Field(default=512, ge=1, le=4096)
    """Most messages or cases in one flow run."""
    parse_processes: int = Field(default=2, ge=1, le=64)
    """Child processes that read MIME."""
    parse_seconds: int = Field(default=10, ge=1)
    """Processor time one message may take to read, seconds."""
    parse_memory_mb: int = Field(default=512, ge=64)
    """Memory one reading process may use, MiB."""
    work_processes: int = Field(default=1, ge=0, le=64)
    """Processes beside the engine's that large batches are worked on in; 0 for none."""
    context_tokens: int = Field(default=4000, ge=200)
    """Token budget of a briefing."""
    context_recent_messages: int = Field(default=5, ge=1)
    """Messages of a thread kept verbatim when the context is compacted."""
    context_knowledge_entries: int = Field(default=10, ge=1)
    """Knowledge entries in a briefing."""

    owner_reminder_hours: float = Field(default=8, gt=0)
    """Hours after which an owner is reminded of a question."""
    owner_answer_hours: float = Field(default=48, gt=0)
    """Hours that a case waits for an owner's answer."""

    embedding_provider: Literal["local", "openai", "voyage", "ollama", "sentence-transformers"] = (
        "local"
    )
    """Who makes the vectors of the knowledge index; a change makes the index again."""
    embedding_model: str = ""
    """Its model; empty for the provider's usual one."""
    embedding_base_url: str = ""
    """Address of an OpenAI-compatible, Voyage or Ollama server; empty for the usual one."""
    embedding_plain_http: bool = False
    """Whether text and key may go there without encryption (`http://`) if it is another machine."""
    embedding_api_key: SecretStr = SecretStr("")
    """Key for that server."""
    embedding_seconds: float = Field(default=10.0, gt=0, le=120)
    """How long one request to it may take, seconds."""

    transport: Literal["file", "smtp"] = "file"
    """How approved replies leave: into a Maildir under `home`, or over SMTP."""
    relay_host: Host = "127.0.0.1"
    """Server that takes outgoing mail when `transport` is `smtp`."""
    relay_port: int = Field(default=25, ge=1, le=65535)
    """Port of that server."""
    relay_user: str = ""
    """Login at that server; empty for none."""
    relay_password: SecretStr = SecretStr("")
    """Password at that server."""
    relay_tls: Literal["starttls", "implicit", "none"] = "starttls"
    """Encryption towards that server; `none` only where the way is safe."""
    relay_ca: Annotated[str, Field(max_length=100_000), AfterValidator(checked_pem)] = ""
    """Certificates (PEM) of who signed that server's, where the system does not know them."""
    relay_mailbox: str = Field(default="", pattern=MAILBOX_OF)
    """Mailbox by whose access tokens that server is signed in to, as `organization/name`."""
    give_up_hours: float = Field(default=48, gt=0)
    """How long a deferred delivery is tried, hours."""

    letter_files: int = Field(default=10, ge=0, le=50)
    """Most files that people may attach to one letter; 0 for none."""
    letter_file_mb: int = Field(default=10, ge=1, le=100)
    """Largest file that people may attach to a letter, MB."""
    letter_total_mb: int = Field(default=15, ge=1, le=200)
    """Most that all files of one letter may have together, MB; encoded, they are a third more."""

    archive_days: int = Field(default=0, ge=0)
    """Days that raw mail is kept; 0 keeps it for ever."""
    chat_session_minutes: int = Field(default=60, ge=1)
    """Minutes of silence after which a chat begins anew: an agent is told of what came since."""
    program_chat_days: int = Field(default=30, ge=0)
    """Days that chats of chat programs are kept, which keep them by themselves; 0 for ever."""
    turn_seconds: float = Field(default=300, gt=0)
    """Seconds after which an agent's turn is ended that has not come to its end."""
    prefect_days: int = Field(default=7, ge=1)
    """Days that flow runs are kept in Prefect's own database."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """How much is logged."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read what is given in code, then the environment, then the file."""
        del dotenv_settings, file_secret_settings
        file = TomlConfigSettingsSource(settings_cls, toml_file=config_path())
        return (init_settings, env_settings, file)

    @property
    def spool(self) -> Path:
        """Folder of accepted messages that intake has not taken yet."""
        return self.home / "spool"

    @property
    def organizations(self) -> Path:
        """Folder with one folder per organization."""
        return self.home / "organizations"

    @property
    def logs(self) -> Path:
        """Folder of the log files."""
        return self.home / "logs"

    @property
    def secrets(self) -> Path:
        """Folder of keys and tokens, readable by the owner alone."""
        return self.home / "secrets"

    @property
    def routes_file(self) -> Path:
        """The routes as the engine last wrote them, for the receiver."""
        return self.home / "routes.json"

    @property
    def hostname_file(self) -> Path:
        """The receiver's name as administrators keep it in Postern, where settings name none."""
        return self.home / "hostname"

    @property
    def setup_file(self) -> Path:
        """The secret that lets the first organization be made; there until it is."""
        return self.secrets / "setup.token"

    @property
    def stop_file(self) -> Path:
        """The kill switch: while this file exists nothing is sent."""
        return self.home / "STOP"

    @property
    def api_url(self) -> str:
        """Address of the engine's HTTP API."""
        return f"http://{in_url(self.host)}:{self.api_port}"

    @property
    def prefect_url(self) -> str:
        """Address of the Prefect server's API."""
        return f"http://{in_url(self.host)}:{self.prefect_port}/api"


def in_url(host: str) -> str:
    """Return a host as a URL writes it: an IPv6 address in brackets (RFC 3986 section 3.2.2)."""
    return f"[{host}]" if ":" in host else host


def config_path() -> Path:
    """Return the settings file's path, whether or not it exists."""
    return Path(os.environ.get("POSTERN_CONFIG", "postern.toml"))


def load_settings(**given: object) -> Settings:
    """Read the settings; `given` wins over everything.

    Raises:
        SettingsError: a value cannot be used; the sentence names the setting.

    """
    path = config_path()
    checked_file(path, is_named="POSTERN_CONFIG" in os.environ)
    checked_variables(Settings.model_fields, os.environ)
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        raise wrong_value(Settings.model_fields, error, path) from error
    except UnreadableVariableError as error:
        raise unreadable_variable(str(error)) from error
