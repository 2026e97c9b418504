"""The command `postern`: its groups of commands, and how failures are told."""

import atexit
import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from data.errors import PosternError
from data.one_thread import ONE_THREAD
from flows.cli.agents.agents import register as agents
from flows.cli.agents.business import register as business
from flows.cli.agents.calendars import register as calendars
from flows.cli.agents.memories import register as memories
from flows.cli.core.backing_up import register as backing_up
from flows.cli.core.backups import register as backups
from flows.cli.core.caps import register as caps
from flows.cli.core.holidays import register as holidays
from flows.cli.core.hostname import register as hostname
from flows.cli.core.installation import register as installation
from flows.cli.core.knowledge import register as knowledge
from flows.cli.core.mending import register as mending
from flows.cli.core.model_setup import register as model_setup
from flows.cli.core.models import register as models
from flows.cli.core.organizations import register as organizations
from flows.cli.core.outgoing import register as outgoing
from flows.cli.core.processes import register as processes
from flows.cli.core.profiles import register as profiles
from flows.cli.core.setting_versions import register as setting_versions
from flows.cli.core.status_commands import register as looking
from flows.cli.core.tokens import register as tokens
from flows.cli.core.users import register as users
from flows.cli.mail.contacts import register as contacts
from flows.cli.mail.mailboxes import register as mailboxes
from flows.cli.mail.messages import register as messages
from flows.cli.mail.outbox import register as outbox
from flows.cli.mail.policies import register as policies
from flows.cli.mail.reporting import register as reporting
from flows.cli.mail.review.cases import register as cases
from flows.cli.mail.review.writing import register as writing
from flows.cli.mail.routes import register as routes
from flows.cli.mail.rules import register as rules
from flows.cli.mail.searching import register as searching
from flows.cli.mail.senders import register as senders
from flows.cli.mail.setting_up import register as setting_up
from flows.cli.mail.signing import register as signing
from flows.cli.mail.stored_mail import register as stored_mail
from flows.cli.mail.trying import register as trying
from flows.operating.command_context import Given

HELP = """A self-hosted agent pipeline for inbound mail.

Mail is received, screened, understood, planned and answered in draft; a person decides what leaves.

\b
Begin:
  postern demo                        the sample organization and a played inbox
  postern up                          everything, until Ctrl-C; prints a link to begin with

Settings come from the environment (POSTERN_…), then postern.toml; `postern config` shows them.
"""


class SentenceGroup(TyperGroup):
    """Tells an expected failure in its one sentence, and ends with status 1."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]  # typer's own Context
        """Run the command."""
        try:
            return super().invoke(ctx)
        except PosternError as error:
            typer.secho(f"postern: {error}", fg=typer.colors.RED, err=True)
            raise typer.Exit(1) from error
        except BrokenPipeError:  # the reader of our output has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except OSError as error:  # a folder that may not be written, a full disk
            what = f"{str(error.filename)!r}: " if error.filename else ""
            sentence = f"postern: {what}{error.strerror or error}; {_remedy(error)}"
            typer.secho(sentence, fg=typer.colors.RED, err=True)
            raise typer.Exit(1) from error


def _remedy(error: OSError) -> str:
    """Return what to do about a failure of the operating system."""
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return "it is a file where a folder has to be; name another folder (setting 'home')"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "make room on its disk, nothing was lost"
    if error.errno == errno.EROFS:
        return "name a folder on a disk that can be written (setting 'home')"
    return "see that this account may use it"


app = typer.Typer(
    cls=SentenceGroup,
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def before(
    ctx: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(help="Folder of all run-time files, instead of the setting 'home'."),
    ] = None,
) -> None:
    """Remember the options that stand before the command."""
    ctx.obj = Given(home=home)


for register in (
    organizations, profiles, routes, users, tokens, rules, signing, senders, contacts, processes,
    stored_mail, writing, mailboxes, trying, looking, reporting, searching, models, business, caps,
    agents, memories, mending, backing_up, backups, cases, outbox, messages, policies, knowledge,
    setting_up, holidays, calendars, installation, outgoing, model_setup, hostname,
    setting_versions,
):  # fmt: skip
    register(app)


def _fall_silent() -> None:
    """Write nothing more to the terminal while Python takes itself apart.

    DuckDB's binding lists there what of it has not been freed by then, in fifty lines.
    """
    with suppress(OSError, ValueError):  # whoever read it may have gone before
        sys.stderr.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def main() -> None:
    """Be the command `postern`; what it and its children write is for its owner alone to read."""
    atexit.register(_fall_silent)  # what is registered first is called last
    os.umask(0o077)
    for name, value in ONE_THREAD.items():  # numpy reads it when it is first loaded, later
        os.environ.setdefault(name, value)
    app(prog_name="postern")
