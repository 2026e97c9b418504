-- Settings that administrators keep in Postern: every change once, the newest of a name counts. `value` is
-- JSON. A password is never here, but in a file.
CREATE TABLE kept_settings (
    number INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    written_at TIMESTAMPTZ NOT NULL
);
