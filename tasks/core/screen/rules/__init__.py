"""The rules of the screen, one per file; `tasks.core.screen.chain` is the table of them."""
