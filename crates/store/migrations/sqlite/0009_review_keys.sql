-- There is one job for each game and number of nodes, whatever the engine of the server that queues
-- it: `review GAME NODES`. Of several jobs of earlier versions, the newest gets the key. Game ids have
-- 14 characters, so the number begins at the 23rd.
UPDATE jobs SET once = NULL WHERE kind = 'review' AND once LIKE 'review %' AND EXISTS (
    SELECT 1 FROM jobs other WHERE other.game = jobs.game AND other.id > jobs.id
    AND other.kind = 'review' AND other.once LIKE 'review %'
    AND CAST(substr(other.once, 23) AS INTEGER) = CAST(substr(jobs.once, 23) AS INTEGER));
UPDATE jobs SET once = 'review ' || game || ' ' || CAST(substr(once, 23) AS INTEGER)
    WHERE kind = 'review' AND once LIKE 'review %' AND game IS NOT NULL;
