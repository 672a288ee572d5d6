-- The accuracies of both sides, and the number of moves: what a list of games shows of a review. The
-- number is null until the report of an earlier version has been read.
ALTER TABLE reviews ADD COLUMN IF NOT EXISTS white DOUBLE PRECISION;
ALTER TABLE reviews ADD COLUMN IF NOT EXISTS black DOUBLE PRECISION;
ALTER TABLE reviews ADD COLUMN IF NOT EXISTS moves BIGINT;
