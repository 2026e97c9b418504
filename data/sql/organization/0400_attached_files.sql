-- Files of our own that people attach to letters, by case; their bytes are in the archive. `left_out_at` says since
-- when a file is no part of the letter: before all of it is kept, and after somebody took it off again.
CREATE TABLE attached_files (
    id VARCHAR NOT NULL,
    case_id VARCHAR NOT NULL,
    filename VARCHAR NOT NULL,
    content_type VARCHAR NOT NULL,
    size_bytes BIGINT NOT NULL,
    sha256 VARCHAR NOT NULL,
    warnings VARCHAR[] NOT NULL,
    added_by VARCHAR NOT NULL,
    added_at TIMESTAMPTZ NOT NULL,
    left_out_at TIMESTAMPTZ
);
-- What of it went into the outbox with a letter, in the order of the message.
CREATE TABLE delivery_files (
    delivery_id VARCHAR NOT NULL,
    place INTEGER NOT NULL,
    filename VARCHAR NOT NULL,
    content_type VARCHAR NOT NULL,
    size_bytes BIGINT NOT NULL,
    sha256 VARCHAR NOT NULL
);
-- Who gets a blind copy, as a person chose: of a case's letter, and of what is in the outbox, where the addresses
-- are among `rcpt_to` as well.
ALTER TABLE cases ADD COLUMN bcc VARCHAR[];
ALTER TABLE deliveries ADD COLUMN bcc VARCHAR[];
-- How many files it carries, so that nothing is asked for where there are none.
ALTER TABLE cases ADD COLUMN files INTEGER DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN files INTEGER DEFAULT 0;
