"""Making and keeping organizations: profiles, holidays, backups; for administrators."""
