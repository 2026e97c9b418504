-- Backups that were made or tried, and what came of reading them again. The folder may be gone by now.
CREATE TABLE backups (
    id VARCHAR NOT NULL,
    folder VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    begun_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    organizations VARCHAR NOT NULL DEFAULT '{}',
    files INTEGER NOT NULL DEFAULT 0,
    size BIGINT NOT NULL DEFAULT 0,
    missing INTEGER NOT NULL DEFAULT 0,
    fault VARCHAR NOT NULL DEFAULT '',
    verified_at TIMESTAMPTZ,
    verify_fault VARCHAR NOT NULL DEFAULT ''
);
