-- There is one job for each game and number of nodes, whatever the engine of the server that queues
-- it: `review GAME NODES`. Of several jobs of earlier versions, the newest gets the key.
UPDATE jobs SET once = NULL WHERE kind = 'review' AND once LIKE 'review %' AND EXISTS (
    SELECT 1 FROM jobs other WHERE other.game = jobs.game AND other.id > jobs.id
    AND other.kind = 'review' AND other.once LIKE 'review %'
    AND split_part(other.once, ' ', 3) = split_part(jobs.once, ' ', 3));
UPDATE jobs SET once = 'review ' || game || ' ' || split_part(once, ' ', 3)
    WHERE kind = 'review' AND once LIKE 'review %' AND game IS NOT NULL;
