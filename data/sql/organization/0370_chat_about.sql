-- What a chat is about: `case:` and the id of a case; empty for a chat about nothing in particular.
ALTER TABLE chats ADD COLUMN about VARCHAR DEFAULT '';
