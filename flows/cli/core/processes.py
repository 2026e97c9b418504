"""`postern up | engine | receive | ui | demo`: the processes."""

import asyncio
import atexit
import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Annotated

import typer

from flows.operating.command_context import settings_of

if TYPE_CHECKING:
    from data.settings import Settings
    from flows.running.supervisor import Supervisor

READY_SECONDS = 120.0


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.command(short_help="Start and watch everything, until Ctrl-C.")(up)
    app.command(short_help="Run the engine alone.")(engine)
    app.command(short_help="Run the SMTP receiver alone.")(receive)
    app.command(short_help="Run the review window alone.")(ui)
    app.command(short_help="Play the sample organization's inbox.")(demo)


def up(ctx: typer.Context) -> None:
    """Start and watch everything: receiver, engine, Prefect server, review window.

    A process that dies is started again. Ctrl-C stops all of them within 30 seconds; accepted
    mail is on disk and is worked on at the next start.
    """
    from flows.core.services import check_ports, list_services
    from flows.operating.engine_api import Engine
    from flows.running.supervisor import Supervisor

    settings = settings_of(ctx)
    from connectors.receiver import check_receiver
    from data.errors import ConflictError

    with Engine.open(settings) as engine_found:
        if engine_found.running:
            raise ConflictError(
                f"an engine runs already at {settings.api_url!r}; stop it, or look at it with "
                "`postern status`"
            )
    check_ports(settings)
    check_receiver(settings)
    settings.check_models()
    asyncio.run(_up(settings, Supervisor(list_services(settings), settings.logs)))


async def _up(settings: "Settings", supervisor: "Supervisor") -> None:
    telling = asyncio.create_task(_tell_when_ready(settings, supervisor))
    try:
        await supervisor.run()
    finally:
        telling.cancel()


async def _tell_when_ready(settings: "Settings", supervisor: "Supervisor") -> None:
    late = await supervisor.wait_ready(READY_SECONDS)
    if late:
        supervisor.say(
            "postern",
            f"not ready after {READY_SECONDS:.0f} s: {', '.join(late)}; their lines "
            f"above and the files in {settings.logs} say why",
        )
    while late:  # a slow machine gets there, and its operator still needs the link
        late = await supervisor.wait_ready(READY_SECONDS)
    from flows.operating.startup_lines import ready_lines

    for line in ready_lines(settings):
        supervisor.say("postern", line)


def engine(ctx: typer.Context) -> None:
    """Run the engine alone: the stages, the state, the HTTP API. It needs a Prefect server."""
    settings = settings_of(ctx)
    _set_up_log("engine", settings)
    from flows.core.garbage_collection import pause_collector
    from flows.core.prefect_env import set_prefect_environment
    from flows.core.services import check_ports

    check_ports(settings, ["api_port"])
    set_prefect_environment(settings)
    with pause_collector():
        from flows.engine import run_engine

    stopped = threading.Event()
    atexit.register(_end_process, stopped)
    run_engine(settings)
    stopped.set()


def _end_process(stopped: threading.Event) -> None:
    """End the process of an engine that has stopped, after every other exit handler.

    While Python lets go of its modules DuckDB's binding would write a list of "leaked" objects to
    the terminal, as the last that a person sees of a service that stopped in order.
    """
    if stopped.is_set():
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def receive(ctx: typer.Context) -> None:
    """Run the SMTP receiver alone: it takes mail into the spool, whether or not an engine runs."""
    from connectors.receiver import run_receiver

    settings = settings_of(ctx)
    _set_up_log("receiver", settings)
    # Each of several processes has a log of its own: two must not rotate the same file.
    run_receiver(settings, lambda number: _set_up_log(f"receiver-{number}", settings))


def ui(ctx: typer.Context) -> None:
    """Run the review window alone; it shows what the engine's API gives."""
    from flows.core.services import build_process_environment, build_window_command, check_ports

    settings = settings_of(ctx)
    check_ports(settings, ["ui_port"])
    sys.stdout.flush()
    environment = {**os.environ, **build_process_environment(settings)}
    command = build_window_command(settings)
    os.execve(command[0], command, environment)  # noqa: S606  # our own interpreter, no shell


def demo(
    ctx: typer.Context,
    exit_: Annotated[
        bool, typer.Option("--exit", help="Stop everything at the end; 1 if mail was lost.")
    ] = False,
    fast: Annotated[
        bool, typer.Option("--fast", help="Play the inbox as quickly as the receiver takes it.")
    ] = False,
) -> None:
    """Play the inbox of the sample organization over SMTP, in a fresh home under 'demo'.

    \b
    postern demo           stays up at the end, for the review window
    postern demo --exit    prints the summary and ends
    """  # noqa: D301  # \b keeps the lines of the examples
    from flows.demo import run_demo

    settings = settings_of(ctx)
    raise typer.Exit(run_demo(settings, leave=exit_, fast=fast))


def _set_up_log(name: str, settings: "Settings") -> None:
    from data.errors import SettingsError
    from flows.core.logs import setup_logging

    try:
        setup_logging(name, settings.logs, settings.log_level)
    except OSError as error:
        raise SettingsError(
            f"cannot write the logs under {str(settings.logs)!r}: {error.strerror}; "
            "give 'home' a folder that this account may write"
        ) from error
