-- What Postern knows about its tenants: who they are, where their mail goes, who may look.

CREATE TABLE organizations (
    slug VARCHAR PRIMARY KEY,
    profile VARCHAR NOT NULL,
    webhook_secret VARCHAR NOT NULL,
    loop_secret VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE routes (
    pattern VARCHAR PRIMARY KEY,
    organization VARCHAR NOT NULL,
    mode VARCHAR NOT NULL
);

CREATE TABLE tokens (
    hash VARCHAR PRIMARY KEY,
    user_name VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    organization VARCHAR,
    created_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ
);
