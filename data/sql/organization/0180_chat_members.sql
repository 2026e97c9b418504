-- Chats of several people and agents: who takes part, what belongs together, and what was thought of answers.
ALTER TABLE chats ADD COLUMN team VARCHAR DEFAULT '';
ALTER TABLE chat_messages ADD COLUMN session INTEGER DEFAULT 1;
ALTER TABLE chat_messages ADD COLUMN reply_to VARCHAR DEFAULT '';

CREATE TABLE chat_members (
    chat_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    listening VARCHAR NOT NULL,
    joined_at TIMESTAMPTZ NOT NULL,
    left_at TIMESTAMPTZ
);
CREATE INDEX chat_members_of_chat ON chat_members (chat_id);

INSERT INTO chat_members
    SELECT id, 'agent', agent, agent, 'proactive', created_at, NULL FROM chats;

-- What a person thought of an answer; the newest of a person counts.
CREATE TABLE chat_ratings (
    message_id VARCHAR NOT NULL,
    user_id VARCHAR NOT NULL,
    helpful BOOLEAN NOT NULL,
    words VARCHAR NOT NULL,
    rated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (message_id, user_id)
);

-- How a person likes answers.
CREATE TABLE chat_preferences (
    user_id VARCHAR PRIMARY KEY,
    style VARCHAR NOT NULL,
    language VARCHAR NOT NULL
);
