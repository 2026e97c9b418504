-- What people have asked agents to note: tasks with an owner and a time, and events of the calendar.

CREATE TABLE tasks (
    id VARCHAR NOT NULL,
    owner VARCHAR NOT NULL,
    owner_email VARCHAR NOT NULL DEFAULT '',
    title VARCHAR NOT NULL,
    due_at TIMESTAMPTZ,
    timed BOOLEAN NOT NULL DEFAULT false,
    state VARCHAR NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    reminded_at TIMESTAMPTZ
);

-- An event without an owner is the organization's. `uid` is its identity in files of calendars (RFC 5545).
CREATE TABLE calendar_events (
    id VARCHAR NOT NULL,
    uid VARCHAR NOT NULL,
    owner VARCHAR NOT NULL DEFAULT '',
    title VARCHAR NOT NULL,
    place VARCHAR NOT NULL DEFAULT '',
    starts_at TIMESTAMPTZ NOT NULL,
    ends_at TIMESTAMPTZ NOT NULL,
    whole_day BOOLEAN NOT NULL DEFAULT false,
    added_by VARCHAR NOT NULL,
    added_at TIMESTAMPTZ NOT NULL
);
