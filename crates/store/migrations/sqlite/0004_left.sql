-- Whether the owner and the players, if they are users, have deleted the game for themselves.
ALTER TABLE games ADD COLUMN owner_left INTEGER NOT NULL DEFAULT 0 CHECK (owner_left IN (0, 1));
ALTER TABLE games ADD COLUMN white_left INTEGER NOT NULL DEFAULT 0 CHECK (white_left IN (0, 1));
ALTER TABLE games ADD COLUMN black_left INTEGER NOT NULL DEFAULT 0 CHECK (black_left IN (0, 1));

DROP INDEX games_by_owner;
CREATE INDEX games_by_owner ON games (
    owner, played_at, number, owner_left, status, source, result, speed, eco, opening_folded,
    white_folded, black_folded, white_level, black_level
) WHERE owner IS NOT NULL;
DROP INDEX games_by_white;
CREATE INDEX games_by_white ON games (white_user, played_at, number, white_left)
    WHERE white_user IS NOT NULL;
DROP INDEX games_by_black;
CREATE INDEX games_by_black ON games (black_user, played_at, number, black_left)
    WHERE black_user IS NOT NULL;
