-- Whom a notification is for: a mail address in lower case, empty for everybody who works here.
ALTER TABLE notifications ADD COLUMN addressee VARCHAR DEFAULT '';
