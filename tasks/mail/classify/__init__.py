"""The stage *classify*: what a message wants, how soon, and in which mood."""
