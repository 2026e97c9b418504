-- What the organization's own systems know of its customers: the plan that its file of contacts
-- names, and account records, which are loaded anew with each sync.

ALTER TABLE contacts ADD COLUMN plan VARCHAR DEFAULT '';

CREATE TABLE accounts (
    id VARCHAR NOT NULL,
    email VARCHAR NOT NULL,
    account VARCHAR NOT NULL DEFAULT '',
    plan VARCHAR NOT NULL DEFAULT '',
    status VARCHAR NOT NULL DEFAULT '',
    renewal DATE,
    balance VARCHAR NOT NULL DEFAULT '',
    orders VARCHAR NOT NULL DEFAULT ''
);
