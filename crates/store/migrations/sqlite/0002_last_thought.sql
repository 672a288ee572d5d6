-- Milliseconds for which the side to move had thought when the game ended by something else than a move.
ALTER TABLE games ADD COLUMN last_thought INTEGER;
