-- What a name looks like: names that could be mistaken for each other have the same skeleton. It is
-- null for a user of an earlier version whose name looks like that of another.
ALTER TABLE users ADD COLUMN skeleton TEXT;
CREATE UNIQUE INDEX users_by_skeleton ON users (skeleton);
