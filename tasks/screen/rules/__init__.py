"""The rules of the screen, one per file; `tasks.screen.chain` is the table of them."""
