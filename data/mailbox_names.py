"""The pattern of mailboxes' names, `organization/name`."""

MAILBOX_OF = r"^([a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]{0,62})?$"
"""A mailbox of an organization, as `organization/name`; empty for none."""
