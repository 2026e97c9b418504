-- When the organization's files were loaded, and what was said of them; the newest are kept.
CREATE TABLE syncs (
    synced_at TIMESTAMPTZ NOT NULL,
    changed BOOLEAN NOT NULL,
    errors VARCHAR[] NOT NULL,
    warnings VARCHAR[] NOT NULL
);
