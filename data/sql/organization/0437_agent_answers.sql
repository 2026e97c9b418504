-- What people have answered to an agent's questions to each of them; without a value it is asked.
CREATE TABLE agent_answers (
    agent VARCHAR NOT NULL,
    user_id VARCHAR NOT NULL,
    field VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    began_by VARCHAR NOT NULL,
    answered_by VARCHAR NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL
);
