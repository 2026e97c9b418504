"""`python -m flows.cli`, as the supervisor starts our own processes."""

from flows.cli.application import main

main()
