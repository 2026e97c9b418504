-- Agents that people talk to: what is installed, who talks with whom, and the journal of their work.
CREATE TABLE agents (
    slug VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    accent_colour VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    tools VARCHAR[] NOT NULL,
    suggestions VARCHAR[] NOT NULL,
    template VARCHAR NOT NULL,
    installed_by VARCHAR NOT NULL,
    installed_at TIMESTAMPTZ NOT NULL
);

-- Every configuration that an agent has had; a turn is stamped with the version that it worked by.
CREATE TABLE agent_versions (
    agent VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    manifest VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (agent, version)
);

CREATE TABLE chats (
    id VARCHAR PRIMARY KEY,
    kind VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    owner VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE chat_messages (
    id VARCHAR PRIMARY KEY,
    chat_id VARCHAR NOT NULL,
    place INTEGER NOT NULL,
    author VARCHAR NOT NULL,
    author_id VARCHAR NOT NULL,
    author_name VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    sources JSON NOT NULL,
    turn_id VARCHAR NOT NULL,
    said_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX chat_messages_of_chat ON chat_messages (chat_id);

CREATE TABLE turns (
    id VARCHAR PRIMARY KEY,
    chat_id VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    agent_version INTEGER NOT NULL,
    asked VARCHAR NOT NULL,
    asked_by VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ
);

CREATE TABLE turn_moves (
    turn_id VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    given JSON NOT NULL,
    result JSON NOT NULL,
    began_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ
);
CREATE INDEX turn_moves_of_turn ON turn_moves (turn_id);
