-- The policy as it stood, each wording once: the newest is what counts. `place` says where the policy
-- is kept from then on: 'file' is sources/policy.yaml, 'window' is this table. `policy` is the wording
-- merged over the defaults of its day, for a day on which it can no longer be read.
CREATE TABLE policy_versions (
    number INTEGER NOT NULL,
    place VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    policy VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    note VARCHAR NOT NULL DEFAULT '',
    written_at TIMESTAMPTZ NOT NULL
);
