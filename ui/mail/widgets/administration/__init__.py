"""Forms of who administers: how mail comes, leaves, is kept and is decided on."""
