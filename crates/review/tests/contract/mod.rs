//! What each claim promises, checked on the board by other means than those that found it.

use chess::{Bitboard, Color, Move, Position, Role, Square, between};
use review::{Claim, GameReport, Motif, MoveReport, Whose};

/// Checks every claim of a report; the error says which one is broken, and how.
pub fn check(report: &GameReport) -> Result<usize, String> {
    let mut position: Position = report.start.parse().map_err(|_| "no start".to_owned())?;
    let mut seen = vec![placement(&position)];
    let mut count = 0;
    for (ply, one) in report.moves.iter().enumerate() {
        let played = one.played.to_move(&position).ok_or("illegal move")?;
        for claim in &one.claims {
            let shown = Shown::new(&position, played, one, claim, &seen);
            shown.and_then(|shown| shown.check()).map_err(|what| {
                let line: Vec<&str> = claim.line.iter().map(|m| m.san.as_str()).collect();
                format!(
                    "ply {ply}, {position}, {}: {claim:?} {}: {what}",
                    one.played.san,
                    line.join(" ")
                )
            })?;
            count += 1;
        }
        position = position.after(played);
        seen.push(placement(&position));
    }
    Ok(count)
}

/// Pieces, turn, castling and en passant: what counts for a repetition.
fn placement(position: &Position) -> String {
    position.to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// A claim on the board.
struct Shown<'a> {
    root: &'a Position,
    played: Move,
    one: &'a MoveReport,
    claim: &'a Claim,
    /// The placements of the game so far.
    seen: &'a [String],
    moves: Vec<Move>,
    /// One more than moves.
    positions: Vec<Position>,
    targets: Vec<Square>,
}

/// Fails with a text unless something holds.
fn ensure(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

impl<'a> Shown<'a> {
    fn new(
        root: &'a Position,
        played: Move,
        one: &'a MoveReport,
        claim: &'a Claim,
        seen: &'a [String],
    ) -> Result<Self, String> {
        let start = if claim.whose == Whose::Allowed { root.after(played) } else { root.clone() };
        let (mut moves, mut positions) = (Vec::new(), vec![start]);
        for text in &claim.line {
            let position = positions.last().expect("there is a start");
            let m = text.to_move(position).ok_or_else(|| format!("{} is illegal", text.san))?;
            moves.push(m);
            positions.push(position.after(m));
        }
        let targets = claim.targets.iter().map(|target| target.square.parse());
        let targets = targets.collect::<Result<_, _>>().map_err(|_| "no square".to_owned())?;
        Ok(Self { root, played, one, claim, seen, moves, positions, targets })
    }

    /// The side that gains.
    fn winner(&self) -> Color {
        self.positions[0].turn()
    }

    fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    fn target(&self, index: usize) -> Result<Square, String> {
        self.targets.get(index).copied().ok_or_else(|| "a target is missing".to_owned())
    }

    /// The key move, and the next own move.
    fn blow(&self) -> Result<(Move, Move), String> {
        let key = self.claim.key;
        let next = self.moves.get(key + 2).ok_or("the line ends before the blow")?;
        Ok((self.moves[key], *next))
    }

    fn check(&self) -> Result<(), String> {
        ensure(self.claim.key < self.moves.len(), "no key move")?;
        ensure(self.claim.key.is_multiple_of(2), "the key move is the other side's")?;
        match self.claim.motif {
            Motif::Mate | Motif::BackRank => self.proved_mate(),
            Motif::EngineMate | Motif::FasterMate => {
                ensure(is_mate(self.end()), "the line doesn't mate")
            }
            Motif::Stalemate => {
                let stuck = !self.end().is_check() && self.end().legal_moves().is_empty();
                ensure(stuck, "the line doesn't end in stalemate")
            }
            Motif::Repetition => self.repetition(),
            Motif::Win => ensure(
                self.one.best_points >= 75.0 && self.one.played_points < 75.0,
                "75 points aren't crossed",
            ),
            Motif::Draw => ensure(
                self.one.best_points >= 25.0 && self.one.played_points < 25.0,
                "25 points aren't crossed",
            ),
            Motif::ExposedKing => {
                let checks = (0..self.moves.len()).step_by(2);
                let checks = checks.filter(|&index| self.positions[index + 1].is_check()).count();
                ensure(checks >= 2, "fewer than two checks")
            }
            Motif::BadTrade => {
                let back = self.moves[0].to() == self.played.to();
                let (gave, got) =
                    (role_on(self.root, self.played.from()), role_on(self.root, self.played.to()));
                ensure(back && gave.map(value) == got.map(value), "no even trade")
            }
            Motif::OnlyMove => {
                let other = self.one.other_points.ok_or("no other move")?;
                ensure(self.one.played_points - other >= 9.9, "another move is as good")
            }
            Motif::Sacrifice => {
                ensure(self.moves[0] == self.played, "the line is about another move")
            }
            Motif::KingSafety => self.king_safety(),
            Motif::Passer => {
                let strong = |square: Square| {
                    is_passed(self.end(), square) && advance(square, self.winner()) >= 4
                };
                let pawns = self.end().pieces(Role::Pawn.of(self.winner()));
                ensure(pawns.into_iter().any(strong), "no passed pawn across the middle")
            }
            Motif::Structure => {
                let loser = !self.winner();
                let more = weak_pawns(self.end(), loser) > weak_pawns(self.root, loser);
                ensure(more, "no pawn got weak")
            }
            Motif::KingActivity => {
                let way = |position: &Position| {
                    let king = position.king(self.winner());
                    let pawns = position.pieces(Role::Pawn.of(!self.winner()));
                    let steps = |pawn: Square| {
                        let ranks = pawn.rank() as i32 - king.rank() as i32;
                        (file(pawn) - file(king)).abs().max(ranks.abs())
                    };
                    pawns.into_iter().map(steps).min()
                };
                ensure(way(self.end()) < way(self.root), "the king comes no nearer")
            }
            Motif::BishopPair => {
                let bishops =
                    |position: &Position| position.pieces(Role::Bishop.of(!self.winner())).count();
                ensure(bishops(self.end()) < bishops(self.root), "no bishop is gone")
            }
            Motif::Prophylaxis => self.prophylaxis(),
            // The better line has more room; the line alone can't show it.
            Motif::Activity => Ok(()),
            _ => self.material(),
        }
    }

    /// Material is won, and in the way that is claimed.
    fn material(&self) -> Result<(), String> {
        let before = balance(self.root, self.winner());
        let gain = balance(self.end(), self.winner()) - before;
        ensure(gain >= 1, "nothing is won")?;
        ensure(gain >= self.claim.gain.cast_signed(), "less is won than is claimed")?;
        match self.claim.motif {
            Motif::Hanging | Motif::Exchange => self.hanging(),
            Motif::Fork => self.fork(),
            Motif::Skewer => self.skewer(),
            Motif::Discovered => self.discovered(),
            Motif::Trapped => self.trapped(),
            Motif::RemovedDefender => self.removed_defender(),
            Motif::Deflection | Motif::Overload => self.deflection(),
            Motif::Pin => self.pin(),
            Motif::PassedPawn => self.passed_pawn(),
            _ => Ok(()),
        }
    }

    /// The reply can't be made after the better move, or its piece can be taken then.
    fn prophylaxis(&self) -> Result<(), String> {
        let better = self.one.best.first().and_then(|text| text.to_move(self.root));
        let then = self.root.after(better.ok_or("no better move")?);
        let reply = self.moves[0];
        let is_lost = || {
            let later = then.after(reply);
            later.legal_moves().into_iter().any(|m| m.to() == reply.to() && later.is_capture(m))
        };
        ensure(!then.is_legal(reply) || is_lost(), "the reply is still possible")
    }

    /// The king has fewer pawns before it, or has left home without castling.
    fn king_safety(&self) -> Result<(), String> {
        let loser = !self.winner();
        let cover = |position: &Position| {
            let king = position.king(loser);
            let near = |pawn: &Square| {
                let ahead = advance(*pawn, loser) - advance(king, loser);
                (file(*pawn) - file(king)).abs() <= 1 && (ahead == 1 || ahead == 2)
            };
            position.pieces(Role::Pawn.of(loser)).into_iter().filter(near).count()
        };
        let moved = self.end().king(loser) != self.root.king(loser);
        let rights = |position: &Position| {
            (position.castling_rooks() & Bitboard::rank(loser.back_rank())).any()
        };
        let lost = rights(self.root) && !rights(self.end());
        ensure(
            cover(self.end()) < cover(self.root) || moved || lost,
            "the king is as safe as before",
        )
    }

    fn hanging(&self) -> Result<(), String> {
        let target = self.target(0)?;
        ensure(takes(&self.positions[0], self.moves[0]) == Some(target), "nothing is taken there")?;
        let worth = exchange(&self.positions[0], self.moves[0]);
        ensure(worth >= 1, "the exchange doesn't pay")
    }

    fn fork(&self) -> Result<(), String> {
        let (key, next) = self.blow()?;
        let after = &self.positions[self.claim.key + 1];
        let (first, second) = (self.target(0)?, self.target(1)?);
        ensure(attacks(after, key.to(), first), "the first target isn't attacked")?;
        ensure(attacks(after, key.to(), second), "the second target isn't attacked")?;
        let then = &self.positions[self.claim.key + 2];
        ensure(next.from() == key.to(), "another piece takes")?;
        ensure(takes(then, next) == Some(first), "the target isn't taken")
    }

    fn skewer(&self) -> Result<(), String> {
        let (key, next) = self.blow()?;
        let (rear, front) = (self.target(0)?, self.target(1)?);
        ensure(between(key.to(), rear).has(front), "the targets aren't in line")?;
        ensure(self.moves[self.claim.key + 1].from() == front, "the front piece stays")?;
        ensure(next.from() == key.to() && next.to() == rear, "the rear piece isn't taken")
    }

    fn discovered(&self) -> Result<(), String> {
        let (key, next) = self.blow()?;
        let then = &self.positions[self.claim.key + 2];
        let target = self.target(0)?;
        ensure(takes(then, next) == Some(target), "the target isn't taken")?;
        let after = &self.positions[self.claim.key + 1];
        let king = after.king(after.turn());
        let opened = between(next.from(), target).has(key.from());
        let check = next.from() == key.to()
            && after
                .checkers()
                .into_iter()
                .any(|checker| checker != key.to() && between(checker, king).has(key.from()));
        ensure(opened || check, "no line was opened")
    }

    fn trapped(&self) -> Result<(), String> {
        let key = self.claim.key;
        let after = &self.positions[key + 1];
        let square = self.target(0)?;
        let reply = *self.moves.get(key + 1).ok_or("the line ends before the blow")?;
        let there = if reply.from() == square { reply.to() } else { square };
        let taken =
            |index: usize| self.moves.get(index).and_then(|&m| takes(&self.positions[index], m));
        let falls = taken(key + 2) == Some(there) || taken(key + 4) == Some(square);
        ensure(falls, "it isn't taken")?;
        let worth = role_on(after, square).map_or(0, value);
        for m in after.legal_moves() {
            let later = after.after(m);
            let there = if m.from() == square { m.to() } else { square };
            let paid = takes(after, m).and_then(|taken| role_on(after, taken)).map_or(0, value);
            let captures = later.legal_moves().into_iter();
            let lost = captures
                .filter(|&m| takes(&later, m) == Some(there))
                .any(|m| exchange(&later, m) >= 1);
            ensure(lost || paid >= worth, "it can be saved")?;
        }
        Ok(())
    }

    fn removed_defender(&self) -> Result<(), String> {
        let (key, next) = self.blow()?;
        let before = &self.positions[self.claim.key];
        let (prize, defender) = (self.target(0)?, self.target(1)?);
        ensure(takes(before, key) == Some(defender), "the defender isn't taken")?;
        ensure(attacks(before, defender, prize), "it defended nothing")?;
        let then = &self.positions[self.claim.key + 2];
        ensure(takes(then, next) == Some(prize), "what it defended isn't taken")
    }

    fn deflection(&self) -> Result<(), String> {
        let (_, next) = self.blow()?;
        let key = self.claim.key;
        let (prize, defender) = (self.target(0)?, self.target(1)?);
        let reply = self.moves[key + 1];
        ensure(reply.from() == defender, "the defender stays")?;
        ensure(attacks(&self.positions[key + 1], defender, prize), "it defended nothing")?;
        let then = &self.positions[key + 2];
        ensure(!attacks(then, reply.to(), prize), "it still defends")?;
        ensure(takes(then, next) == Some(prize), "what it defended isn't taken")
    }

    fn pin(&self) -> Result<(), String> {
        let key = self.claim.key;
        let before = &self.positions[key];
        ensure(takes(before, self.moves[key]) == Some(self.target(0)?), "nothing is taken there")?;
        let pinned = *self.targets.last().ok_or("a target is missing")?;
        // Before the move that let it fall, or after the capture that it can't answer.
        let earlier = key.checked_sub(1).map(|index| &self.positions[index]);
        let held = |position: &Position| {
            let side = !self.winner();
            let king = position.king(side);
            let mut without = position.occupied();
            without &= !Bitboard::of(pinned);
            let attackers = position.attackers(king, without) & position.color(self.winner());
            attackers.into_iter().any(|attacker| between(attacker, king).has(pinned))
        };
        let after = &self.positions[key + 1];
        ensure(held(after) || earlier.is_some_and(held), "nothing is pinned")
    }

    fn passed_pawn(&self) -> Result<(), String> {
        let own = (0..self.moves.len()).step_by(2);
        let promotes = own.clone().any(|index| self.moves[index].promotion().is_some());
        let costs = own.skip(1).any(|index| {
            let reply = self.moves[index - 1];
            let gave = takes(&self.positions[index - 1], reply)
                .and_then(|square| role_on(&self.positions[index - 1], square));
            gave == Some(Role::Pawn) && self.moves[index].to() == reply.to()
        });
        ensure(promotes || costs, "no pawn promotes or costs a piece")
    }

    fn proved_mate(&self) -> Result<(), String> {
        ensure(is_mate(self.end()) && self.end().turn() != self.winner(), "it is no mate")?;
        let moves = self.moves.len().div_ceil(2);
        ensure(moves <= 3 && moves == self.claim.gain as usize, "the number of moves is wrong")?;
        ensure(wins(&self.positions[0], moves, Some(self.moves[0])), "there is a defence")
    }

    fn repetition(&self) -> Result<(), String> {
        let last = placement(self.end());
        let own = self.positions[..self.moves.len()].iter().map(placement);
        let after_the_move = placement(&self.root.after(self.played));
        let again = self.seen.contains(&last) || own.into_iter().any(|one| one == last);
        ensure(again || after_the_move == last, "nothing is repeated")
    }
}

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

fn role_on(position: &Position, square: Square) -> Option<Role> {
    position.piece_on(square).map(chess::Piece::role)
}

fn balance(position: &Position, side: Color) -> i32 {
    let all = position.occupied().into_iter().filter_map(|square| position.piece_on(square));
    all.map(|piece| if piece.color() == side { value(piece.role()) } else { -value(piece.role()) })
        .sum()
}

fn is_mate(position: &Position) -> bool {
    position.is_check() && position.legal_moves().is_empty()
}

/// The square of what a move takes.
fn takes(position: &Position, m: Move) -> Option<Square> {
    let after = position.after(m);
    let them = position.color(!position.turn()).into_iter();
    let mut gone = them.filter(|&square| {
        let piece = after.piece_on(square);
        piece.is_none_or(|piece| piece.color() == position.turn())
    });
    gone.next()
}

/// What a capture and all that can follow on its square are worth in pawns, by trying everything.
fn exchange(position: &Position, m: Move) -> i32 {
    let Some(square) = takes(position, m) else { return 0 };
    let taken = role_on(position, square).map_or(0, value);
    let promoted = m.promotion().map_or(0, |role| value(role) - 1);
    let after = position.after(m);
    let replies = after.legal_moves().into_iter().filter(|&m| takes(&after, m) == Some(m.to()));
    let best = replies.filter(|reply| reply.to() == m.to()).map(|reply| exchange(&after, reply));
    taken + promoted - best.max().unwrap_or(0).max(0)
}

/// Whether the piece on a square attacks another one.
fn attacks(position: &Position, from: Square, to: Square) -> bool {
    position.attackers(to, position.occupied()).has(from)
}

/// Whether the side to move mates in so many moves, whatever the other side does.
fn wins(position: &Position, moves: usize, first: Option<Move>) -> bool {
    let mut own = position.legal_moves().into_iter().collect::<Vec<_>>();
    own.sort_by_key(|&m| (Some(m) != first, !position.after(m).is_check()));
    own.into_iter().any(|m| {
        let after = position.after(m);
        let replies = after.legal_moves();
        match (moves, replies.is_empty()) {
            (_, true) => after.is_check(),
            (1, false) => false,
            _ => replies.into_iter().all(|reply| wins(&after.after(reply), moves - 1, None)),
        }
    })
}

/// The file of a square, from 0.
fn file(square: Square) -> i32 {
    square.file() as i32
}

/// How far a square is from a side's back rank.
fn advance(square: Square, side: Color) -> i32 {
    let rank = square.rank() as i32;
    if side == Color::White { rank } else { 7 - rank }
}

/// Whether no pawn of the other side stands before a pawn or beside its way.
fn is_passed(position: &Position, pawn: Square) -> bool {
    let Some(piece) = position.piece_on(pawn) else { return false };
    let stops = |other: Square| {
        let beside = (file(other) - file(pawn)).abs() <= 1;
        beside && advance(other, piece.color()) > advance(pawn, piece.color())
    };
    !position.pieces(Role::Pawn.of(!piece.color())).into_iter().any(stops)
}

/// Number of pawns without a neighbour, or behind another one on the same file.
fn weak_pawns(position: &Position, side: Color) -> usize {
    let pawns: Vec<Square> = position.pieces(Role::Pawn.of(side)).into_iter().collect();
    let weak = |pawn: &&Square| {
        let alone = pawns.iter().all(|other| (file(*other) - file(**pawn)).abs() != 1);
        let behind = pawns.iter().any(|other| {
            file(*other) == file(**pawn) && advance(*other, side) > advance(**pawn, side)
        });
        alone || behind
    };
    pawns.iter().filter(weak).count()
}
