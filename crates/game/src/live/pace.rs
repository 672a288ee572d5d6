//! How long a person thinks: a weak level of the engine can take as much time for its moves.

use std::time::Duration;

use super::{LiveGame, Moment};
use crate::Level;

/// From this rating on, the engine moves as soon as it can.
const STRONG: u32 = 2_000;

/// What a move takes on average without clocks.
const WITHOUT_CLOCKS: Duration = Duration::from_millis(2_500);

/// What it takes to see the opponent's move and to move a piece.
const SHORTEST: Duration = Duration::from_millis(400);

/// Nobody wants to wait longer for a weak move.
const LONGEST: Duration = Duration::from_secs(12);

/// Time that is kept for the end of the game: with less, nobody waits.
const RESERVE: Duration = Duration::from_secs(3);

/// Moves that the rest of the time must last for.
const MOVES_TO_GO: u32 = 40;

/// Moves that most people play from memory.
const OPENING: u16 = 5;

impl LiveGame {
    /// How long a person of this level would take for the move that is to be made now; nothing for strong levels.
    /// People differ, so `now` decides about a part of it.
    pub fn human_time(&self, level: Level, now: Moment) -> Duration {
        if level.rating() >= STRONG {
            return Duration::ZERO;
        }
        let turn = self.turn();
        let left = self.left(now).map(|left| left[turn.index()]);
        let usual = match (left, &self.clock) {
            (Some(left), Some(clock)) => {
                let moves = clock.moves_to_go(turn).unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO);
                left / moves + clock.bonus(turn) / 2
            }
            _ => WITHOUT_CLOCKS,
        };
        let time = usual.mul_f64(self.difficulty() * self.mood(now)).clamp(SHORTEST, LONGEST);
        left.map_or(time, |left| time.min(left.saturating_sub(RESERVE) / 10))
    }

    /// The share of the usual time that a move in this position takes.
    fn difficulty(&self) -> f64 {
        let position = self.line.position();
        let moves = position.legal_moves();
        let last = self.line.moves().next_back();
        let retakes = |last: chess::Move| {
            let before = self.line.positions().rev().nth(1);
            let took = before.is_some_and(|before| before.piece_on(last.to()).is_some());
            took && moves.iter().any(|m| m.to() == last.to())
        };
        if moves.len() == 1 {
            0.2
        } else if position.fullmoves() <= OPENING || last.is_some_and(retakes) {
            0.4
        } else {
            1.0
        }
    }

    /// A factor between 0.4 and 2.2, on average 1: mostly less.
    fn mood(&self, now: Moment) -> f64 {
        let mixed =
            (self.line.position().key() ^ now.0.unsigned_abs()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let chance = (mixed >> 32) as f64 / f64::from(u32::MAX);
        0.4 + 1.8 * chance * chance
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;
    use crate::live::{Command, Sides, Terms};

    fn game(start: &str, control: Option<&str>) -> LiveGame {
        let start: Position = start.parse().expect("a legal position");
        let control = control.map(|text| text.parse().expect("a time control"));
        let engine = Some(start.turn());
        LiveGame::new(Terms { start, control, engine, rated: false, waiting: false })
    }

    /// The shortest, the mean and the longest time at many moments.
    fn times(game: &LiveGame, level: u8) -> [Duration; 3] {
        let level = Level::new(level).expect("a level");
        let times: Vec<Duration> =
            (0..1000).map(|n| game.human_time(level, Moment(n * 977))).collect();
        let mean = times.iter().sum::<Duration>() / 1000;
        let ends = (times.iter().min(), times.iter().max());
        [*ends.0.expect("some"), mean, *ends.1.expect("some")]
    }

    const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";

    #[test]
    fn strong_levels_do_not_wait() {
        let game = game(MIDDLE, None);
        assert_eq!(times(&game, 7), [Duration::ZERO; 3]);
        assert!(times(&game, 6)[0] >= SHORTEST);
    }

    #[test]
    fn the_clock_is_shared_out() {
        let blitz = times(&game(MIDDLE, Some("300+3")), 3);
        assert!((4.0..12.0).contains(&blitz[1].as_secs_f64()), "{blitz:?}");
        let bullet = times(&game(MIDDLE, Some("60+0")), 3);
        assert!((0.5..2.0).contains(&bullet[1].as_secs_f64()), "{bullet:?}");
        let long = times(&game(MIDDLE, Some("5400+30")), 3);
        assert_eq!(long[2], LONGEST);
    }

    #[test]
    fn the_last_seconds_are_not_slept_away() {
        let mut game = game(MIDDLE, Some("60+0"));
        let level = Level::new(2).expect("a level");
        let move_of = |game: &LiveGame| game.line().position().legal_moves()[0];
        // The first move is free; then White thinks for almost all of the minute.
        for now in [0, 100] {
            let play = Command::play(game.plies(), move_of(&game));
            let event = game.judge(Sides::Both, &play, Moment(now)).expect("it is legal");
            game.apply(&event.expect("it is played"), Moment(now));
        }
        let time = game.human_time(level, Moment(100 + 58_000));
        assert!(time <= Duration::from_millis(200), "{time:?}");
    }

    #[test]
    fn no_clock_runs_out_by_waiting() {
        for seconds in 1..=60 {
            let longest = times(&game(MIDDLE, Some(&format!("{seconds}+0"))), 1)[2];
            let spare = Duration::from_secs(seconds).saturating_sub(RESERVE);
            assert!(longest <= spare / 10, "{seconds} seconds: {longest:?}");
            assert_eq!(longest.is_zero(), seconds <= 3, "{seconds} seconds: {longest:?}");
        }
    }

    #[test]
    fn a_forced_move_is_made_at_once() {
        let forced = times(&game("7k/8/8/8/8/8/r7/7K w - - 0 30", None), 3);
        let free = times(&game(MIDDLE, None), 3);
        assert!(forced[1] * 2 < free[1], "{forced:?} {free:?}");
    }
}
