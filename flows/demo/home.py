"""The demo's home: made afresh each time, beside the real one and never in its place."""

import re
import shutil
from pathlib import Path

from data.errors import SettingsError
from data.settings import Settings
from flows.demo.timeline import SAMPLE
from flows.operating.engine_api import Engine
from flows.operating.organization_folder import (
    POLICY,
    copy_sources,
    make_profile,
    read_profile,
    sources_folder,
)

MARK = ".postern-demo"
FRONT = "mx.fieldfare.example"
"""The front server of the played inbox: it vouches for the sender of one mail."""
WINDOW = 2.0
"""Quiet window of a burst in the demo, seconds."""


def fresh_home(settings: Settings) -> Settings:
    """Empty the demo's home and return the settings that point to it.

    Raises:
        SettingsError: the folder is there and no demo made it.

    """
    home = settings.home / "demo"
    if home.is_symlink() or (home.exists() and not _is_ours(home)):
        raise SettingsError(
            f"{str(home)!r} was not made by a demo, so it is left alone; move it away, or give "
            "'home' another folder"
        )
    if home.exists():
        shutil.rmtree(home)
    home.mkdir(parents=True, mode=0o700)
    (home / MARK).write_text("Made by `postern demo`, which removes it.\n", encoding="utf-8")
    return settings.model_copy(
        update={
            "home": home,
            "trusted_authserv_ids": (FRONT,),
            "transport": "file",  # mail of invented people reaches nobody
        }
    )


def _is_ours(home: Path) -> bool:
    return home.is_dir() and ((home / MARK).is_file() or not any(home.iterdir()))


def add_sample(settings: Settings) -> str:
    """Make the sample organization with a short quiet window; return its slug."""
    organization = make_profile(read_profile(SAMPLE))
    copy_sources(SAMPLE, settings, organization.slug)
    policy = sources_folder(settings, organization.slug) / POLICY
    text = policy.read_text(encoding="utf-8")
    line = f"coalesce_seconds: {WINDOW:g}"
    changed, count = re.subn(r"(?m)^coalesce_seconds:.*$", line, text)
    policy.write_text(changed if count else f"{text}\n{line}\n", encoding="utf-8")
    with Engine.open(settings) as engine:
        engine.post("/v1/organizations", organization.model_dump(mode="json"))
    return organization.slug
