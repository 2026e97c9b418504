-- Who works with Postern: users with grants of roles, and teams. A token belongs to a user.

CREATE TABLE roles (
    slug VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    permissions VARCHAR[] NOT NULL,
    built_in BOOLEAN NOT NULL
);

INSERT INTO roles VALUES
    ('admin', 'Administrator', ['see', 'decide', 'teach', 'manage_users', 'administer'], true),
    ('lead', 'Team lead', ['see', 'decide', 'teach', 'manage_users'], true),
    ('reviewer', 'Reviewer', ['see', 'decide', 'teach'], true),
    ('viewer', 'Viewer', ['see'], true);

CREATE TABLE users (
    id VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    email VARCHAR NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ
);

CREATE TABLE grants (
    user_id VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    organization VARCHAR
);

CREATE TABLE teams (
    id VARCHAR PRIMARY KEY,
    organization VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE team_members (
    team_id VARCHAR NOT NULL,
    user_id VARCHAR NOT NULL
);

-- Tokens of one name with different powers become different users, so that no token opens more than
-- it did. The name is hashed with its length before it, so that no two of them meet.
CREATE TABLE access_tokens (
    hash VARCHAR PRIMARY KEY,
    user_id VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ
);

INSERT INTO access_tokens
SELECT hash,
    'user-' || md5(concat_ws('|', length(user_name), user_name, role, organization))[:20],
    created_at, revoked_at
FROM tokens;

INSERT INTO users
SELECT 'user-' || md5(concat_ws('|', length(user_name), user_name, role, organization))[:20],
    any_value(user_name), '', min(created_at), NULL
FROM tokens GROUP BY ALL;

INSERT INTO grants
SELECT DISTINCT 'user-' || md5(concat_ws('|', length(user_name), user_name, role, organization))[:20],
    role, organization
FROM tokens;

DROP TABLE tokens;
ALTER TABLE access_tokens RENAME TO tokens;
