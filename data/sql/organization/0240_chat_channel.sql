-- By what a chat is held: in the window, or by a program that talks in its person's name.
ALTER TABLE chats ADD COLUMN channel VARCHAR DEFAULT 'window';
