-- An agent's own picture, as a `data:` address; empty where its manifest has none.
ALTER TABLE agents ADD COLUMN avatar VARCHAR DEFAULT '';
