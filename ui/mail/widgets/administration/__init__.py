"""How mail comes, leaves, is kept and is decided on: the forms of who administers."""
