-- Who or what began a turn; when people have ended a chat; when an item of memory was told last.
ALTER TABLE turns ADD COLUMN caller JSON;
ALTER TABLE chats ADD COLUMN completed_at TIMESTAMPTZ;
CREATE TABLE memory_uses (
    memory_id VARCHAR PRIMARY KEY,
    used_at TIMESTAMPTZ NOT NULL
);
