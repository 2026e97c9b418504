-- Groups within the organization's own domains by which mail came and which its profile does not name.
CREATE TABLE group_proposals (
    -- In lower case.
    address VARCHAR NOT NULL,
    seen_at TIMESTAMPTZ NOT NULL,
    -- Who said that it is none; empty while nobody has.
    dismissed_by VARCHAR NOT NULL DEFAULT ''
);
