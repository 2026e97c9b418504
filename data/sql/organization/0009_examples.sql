-- What people said about cases, and what the organization's classifier learned from it. Nothing here
-- is shared between organizations: every one has its own file.

-- One row per case: what a person corrected, or let stand when they approved the reply. No words are
-- kept, only hashes of them, and what the general model said (natural logarithms of probabilities).
CREATE TABLE examples (
    case_id VARCHAR NOT NULL,
    category VARCHAR NOT NULL,
    priority VARCHAR NOT NULL,
    intent VARCHAR NOT NULL,
    corrected BOOLEAN NOT NULL,
    hashes UINTEGER[] NOT NULL,
    opinion FLOAT[] NOT NULL,
    given_by VARCHAR NOT NULL,
    given_at TIMESTAMPTZ NOT NULL
);

-- Every training, taken or not; the newest that was taken and not undone is in use.
CREATE TABLE trainings (
    id VARCHAR NOT NULL,
    trained_at TIMESTAMPTZ NOT NULL,
    corrections INTEGER NOT NULL,
    confirmed INTEGER NOT NULL,
    held INTEGER NOT NULL,
    right_before INTEGER NOT NULL,
    right_after INTEGER NOT NULL,
    taken BOOLEAN NOT NULL,
    undone_at TIMESTAMPTZ,
    layer BLOB NOT NULL
);
