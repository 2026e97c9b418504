-- Why a chat began with its agent, where nobody named one; empty where somebody did.
ALTER TABLE chats ADD COLUMN agent_why VARCHAR DEFAULT '';
