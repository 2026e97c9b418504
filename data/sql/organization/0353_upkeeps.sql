-- What the nightly upkeep has removed because it was kept long enough; the newest are kept.
CREATE TABLE upkeeps (
    tidied_at TIMESTAMPTZ NOT NULL,
    raw_mail BIGINT NOT NULL,
    program_chats BIGINT NOT NULL,
    notifications BIGINT NOT NULL
);
