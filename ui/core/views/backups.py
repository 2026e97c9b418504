"""Backups: copies of everything, made and read again while mail goes on; and putting one back."""

from pathlib import PurePosixPath

import streamlit as st

from data.counting import plural
from data.records.core.backup_views import BackupEntry, BackupState, NewBackup
from ui.core.chips import Piece, chip, chips, empty, make_muted, moment, section
from ui.core.session import attempt, core_desk, guard_refusals, me, say
from ui.core.text.clock import now
from ui.core.text.inert import make_inert
from ui.core.widgets.heading import heading
from ui.core.widgets.plain_text import words

LEAD = "Copies of all mail, state, files and keys, from which everything can be put back."
SIZES = (("GB", 10**9), ("MB", 10**6), ("kB", 10**3))


def show() -> None:
    """Draw the page."""
    heading("Backups", LEAD)
    with guard_refusals():
        if not me().administers:
            st.info("Only an administrator makes backups.", icon=":material/info:")
            return
        left, right = st.columns([3, 2], gap="medium")
        with right:
            _make()
            _restore()
        with left:
            _draw_backups()


def _make() -> None:
    with st.container(key="card-backup-new"):
        section("Make one")
        st.text(
            "Mail is taken in and answered meanwhile. A backup holds mail and keys: keep it where "
            "only you can read it, and on another machine."
        )
        folder = st.text_input(
            "Folder on the machine that Postern runs on",
            key="backup-folder",
            max_chars=1000,
            placeholder="Its own, under Postern's home",
        ).strip()
        wrong = bool(folder) and not folder.startswith("/")
        if wrong:
            st.error("Write the whole path, from /.", icon=":material/error:")
        st.button(
            "Back up now",
            key="backup-now",
            type="primary",
            icon=":material/backup:",
            disabled=wrong,
            on_click=_begin,
            args=(folder,),
        )


def _begin(folder: str) -> None:
    if attempt(lambda: core_desk().installation.begin_backup(NewBackup(folder=folder))) is not None:
        say("done", "The backup is being made.")


@st.fragment(run_every="3s")
def _draw_backups() -> None:
    """Draw the backups; what is being made or read is looked at again by itself."""
    with guard_refusals(leaving=False):
        items = core_desk().installation.backups().items
        if not items:
            empty("No backup was made yet.", "One is made in a minute; mail goes on meanwhile.")
        for item in items:
            _backup(item)


def _backup(backup: BackupEntry) -> None:
    with st.container(key=f"card-backup-{backup.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            chips(
                _state(backup),
                moment(backup.begun_at, now()),
                make_muted(f"by {backup.made_by}"),
            )
        words(backup.folder, "small", f"backup-{backup.id}")
        if backup.state is BackupState.MADE:
            messages = sum(backup.organizations.values())
            raw = (
                f", {backup.missing:,} of them without the mail as it came: that is kept less long"
                if backup.missing
                else ""
            )
            chips(make_muted(f"{plural(messages, 'message')}{raw}; {plural(backup.files, 'file')}, "
                        f"{_size(backup.size)}"))  # fmt: skip
        if backup.fault:
            st.error(make_inert(backup.fault, limit=400), icon=":material/error:")
        if backup.verify_fault:
            st.error(make_inert(f"It is not whole: {backup.verify_fault}", limit=400),
                     icon=":material/error:")  # fmt: skip
        if backup.state is BackupState.MADE and backup.there and not backup.busy:
            st.button(
                "Read it again",
                key=f"backup-verify-{backup.id}",
                icon=":material/fact_check:",
                help="Every file is read and compared with what was copied.",
                on_click=_verify,
                args=(backup.id,),
            )


def _verify(id: str) -> None:
    if attempt(lambda: core_desk().installation.verify_backup(id)) is not None:
        say("note", "The backup is being read.")


def _state(backup: BackupEntry) -> Piece:
    if backup.busy:
        return chip("being made" if backup.state is BackupState.RUNNING else "being read", "accent")
    if backup.state is BackupState.FAILED:
        return chip("failed", "bad")
    if not backup.there:
        return chip("no longer in its folder", "warn")
    if backup.verify_fault:
        return chip("not whole", "bad")
    return chip("read again, whole", "good") if backup.verified_at else chip("made", "good")


def _size(size: int) -> str:
    for unit, least in SIZES:
        if size >= least:
            return f"{size / least:.1f} {unit}"
    return f"{size} bytes"


def _restore() -> None:
    """Say how a backup is put back; Postern cannot do that while it runs."""
    whole = [
        item
        for item in core_desk().installation.backups().items
        if item.state is BackupState.MADE and item.there
    ]
    folder = whole[0].folder if whole else "FOLDER"
    aside = str(PurePosixPath(folder))
    with st.container(key="card-backup-restore"):
        section("Put one back")
        st.text(
            "Postern has to stand still for that, so it is done at the machine's terminal. What is "
            "there is set aside, nothing is deleted. Sending is stopped afterwards, because "
            "replies that waited may have left since the backup was made."
        )
        st.code(
            f"postern restore {_quoted(aside)} --check\n"
            "# stop Postern (Ctrl-C, or systemctl stop postern)\n"
            f"postern restore {_quoted(aside)} --replace\n"
            "postern up\n"
            "# compare the outbox with what has left, then:\n"
            "postern resume-sending",
            language=None,
            wrap_lines=True,
        )
        st.caption("On another machine: install Postern, copy the folder there, and begin with the "
                   "first line. Settings (postern.toml) are in the folder; put them where they "
                   "were.")  # fmt: skip


def _quoted(path: str) -> str:
    plain = all(letter.isalnum() or letter in "/._-" for letter in path)
    return path if plain else "'" + path.replace("'", "'\\''") + "'"


if __name__ == "__main__":
    show()
