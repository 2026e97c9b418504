-- What replies that have left promise, with the day by which. One row per sentence and delivery.

CREATE TABLE promises (
    id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    delivery_id VARCHAR NOT NULL,
    thread_id VARCHAR NOT NULL,
    contact_email VARCHAR NOT NULL,
    sentence VARCHAR NOT NULL,
    due_on DATE NOT NULL,
    dated BOOLEAN NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    reminded_at TIMESTAMPTZ,
    closed_at TIMESTAMPTZ,
    closed_by VARCHAR NOT NULL DEFAULT '',
    note VARCHAR NOT NULL DEFAULT ''
);
