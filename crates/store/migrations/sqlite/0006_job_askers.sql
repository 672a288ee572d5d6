-- Who wants the job done, if it is a user, and the game it is about.
ALTER TABLE jobs ADD COLUMN asker INTEGER REFERENCES users (id) ON DELETE SET NULL;
ALTER TABLE jobs ADD COLUMN game TEXT;
-- The number of attempts after which it fails.
ALTER TABLE jobs ADD COLUMN allowed INTEGER NOT NULL DEFAULT 3;
-- Whether its report has been taken out.
ALTER TABLE jobs ADD COLUMN collected INTEGER NOT NULL DEFAULT 0 CHECK (collected IN (0, 1));
CREATE INDEX jobs_by_asker ON jobs (asker, state, id);
CREATE INDEX jobs_by_game ON jobs (game, id) WHERE game IS NOT NULL;
CREATE INDEX jobs_done ON jobs (updated) WHERE state = 'done';
