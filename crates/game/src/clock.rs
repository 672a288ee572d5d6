//! Time controls and the two clocks. Nothing here reads the time: the caller says how long a move
//! took.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chess::Color;

/// Time gained on each move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Bonus {
    /// Added after each move (Fischer).
    Increment(Duration),
    /// The clock waits this long before it runs (US delay).
    Delay(Duration),
}

impl Bonus {
    /// Its time, added or waited for.
    pub const fn time(self) -> Duration {
        let (Self::Increment(time) | Self::Delay(time)) = self;
        time
    }
}

/// A stage of a time control.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Number of moves in the stage; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// Time added when the stage starts.
    pub time: Duration,
    /// The increment or delay of each move.
    pub bonus: Bonus,
}

/// A time control: at least one stage, the last of which repeats.
///
/// The text form is that of PGN's `TimeControl` tag, in seconds: `300+3`, `40/7200:3600`, with `d`
/// for a delay instead of an increment: `300d3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl(Vec<Stage>);

/// How fast a game is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Speed {
    UltraBullet,
    Bullet,
    Blitz,
    Rapid,
    Classical,
}

chess::names! {
    Speed, schema "Speed" "The speed of a game." {
        UltraBullet = "ultrabullet",
        Bullet = "bullet",
        Blitz = "blitz",
        Rapid = "rapid",
        Classical = "classical",
    }
}

impl TimeControl {
    /// A base time with an increment.
    pub fn new(time: Duration, increment: Duration) -> Self {
        Self(vec![Stage { moves: None, time, bonus: Bonus::Increment(increment) }])
    }

    /// A sequence of stages; `None` if it is empty, if a stage has no moves, or if a stage before
    /// the last has no end.
    pub fn from_stages(stages: Vec<Stage>) -> Option<Self> {
        let ordered = stages.iter().rev().skip(1).all(|stage| stage.moves.is_some());
        let counted = stages.iter().all(|stage| stage.moves != Some(0));
        (!stages.is_empty() && ordered && counted).then_some(Self(stages))
    }

    /// The stages in order.
    pub fn stages(&self) -> &[Stage] {
        &self.0
    }

    /// The speed, by the estimated time of a game of forty moves.
    pub fn speed(&self) -> Speed {
        let Stage { time, bonus, .. } = self.0[0];
        match time.saturating_add(bonus.time().saturating_mul(40)).as_secs() {
            ..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            1500.. => Speed::Classical,
        }
    }
}

/// The text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time control such as 300, 300+3, 300d3 or 40/7200:3600")]
pub struct ParseTimeControlError(String);

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        text.split(':')
            .map(parse_stage)
            .collect::<Option<Vec<_>>>()
            .and_then(Self::from_stages)
            .ok_or_else(|| ParseTimeControlError(text.chars().take(40).collect()))
    }
}

fn parse_stage(text: &str) -> Option<Stage> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok()?), rest),
        None => (None, text),
    };
    let (time, bonus) = if let Some((time, bonus)) = rest.split_once('+') {
        (time, Bonus::Increment(parse_seconds(bonus)?))
    } else if let Some((time, bonus)) = rest.split_once('d') {
        (time, Bonus::Delay(parse_seconds(bonus)?))
    } else {
        (rest, Bonus::Increment(Duration::ZERO))
    };
    Some(Stage { moves, time: parse_seconds(time)?, bonus })
}

/// Seconds, to the millisecond, of at most a year.
fn parse_seconds(text: &str) -> Option<Duration> {
    if text.is_empty() || !text.bytes().all(|c| c.is_ascii_digit() || c == b'.') {
        return None;
    }
    let seconds: f64 = text.parse().ok().filter(|seconds| *seconds <= 31_536_000.0)?;
    Some(Duration::from_millis((seconds * 1000.0).round() as u64))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, stage) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = stage.moves {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", stage.time.as_millis() as f64 / 1000.0)?;
            match stage.bonus {
                Bonus::Increment(Duration::ZERO) => {}
                Bonus::Increment(time) => write!(f, "+{}", time.as_millis() as f64 / 1000.0)?,
                Bonus::Delay(time) => write!(f, "d{}", time.as_millis() as f64 / 1000.0)?,
            }
        }
        Ok(())
    }
}

/// The clocks of both sides, one of which is running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    turn: Color,
    sides: [Side; 2],
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Side {
    left: Duration,
    stage: usize,
    /// Moves made in this stage.
    moves: u32,
}

/// A side has used up its time.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}'s time is up", .0.name())]
pub struct FlagFall(pub Color);

impl Clock {
    /// Full clocks; `turn` moves first. With an increment and no base time, a side starts with the
    /// increment, or its flag would fall at once.
    pub fn new(control: TimeControl, turn: Color) -> Self {
        let left = match control.0[0] {
            Stage { time: Duration::ZERO, bonus: Bonus::Increment(increment), .. } => increment,
            Stage { time, .. } => time,
        };
        let side = Side { left, stage: 0, moves: 0 };
        Self { control, turn, sides: [side; 2] }
    }

    /// The time control.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The side whose clock is running.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The time a side has left, not counting the current move.
    pub fn left(&self, color: Color) -> Duration {
        self.sides[color.index()].left
    }

    /// The time the side to move has left after thinking for `elapsed`.
    pub fn left_after(&self, elapsed: Duration) -> Duration {
        let charged = match self.stage(self.turn).bonus {
            Bonus::Increment(_) => elapsed,
            Bonus::Delay(delay) => elapsed.saturating_sub(delay),
        };
        self.left(self.turn).saturating_sub(charged)
    }

    /// How long the side to move can think before its flag falls.
    pub fn flag_in(&self) -> Duration {
        let left = self.left(self.turn);
        match self.stage(self.turn).bonus {
            Bonus::Increment(_) => left,
            Bonus::Delay(delay) => left.saturating_add(delay),
        }
    }

    /// How long the side to move has thought if its clock shows `left` after its move; none if that
    /// is impossible. Used to restore clocks from stored times.
    pub fn thought(&self, left: Duration) -> Option<Duration> {
        let mut at_once = self.clone();
        at_once.press(Duration::ZERO).ok()?;
        let charged = at_once.left(self.turn).checked_sub(left)?;
        let elapsed = match self.stage(self.turn).bonus {
            Bonus::Delay(delay) if !charged.is_zero() => charged.saturating_add(delay),
            _ => charged,
        };
        // A stored time may have been rounded down to zero while there was still time left.
        let flag_in = self.flag_in();
        if elapsed == flag_in {
            flag_in.checked_sub(Duration::from_nanos(1))
        } else {
            Some(elapsed)
        }
        .filter(|elapsed| *elapsed < flag_in)
    }

    /// The side to move has moved after thinking for `elapsed`: its clock stops and the other's
    /// starts.
    pub fn press(&mut self, elapsed: Duration) -> Result<(), FlagFall> {
        let color = self.turn;
        let left = self.left_after(elapsed);
        if elapsed >= self.flag_in() {
            self.sides[color.index()].left = Duration::ZERO;
            return Err(FlagFall(color));
        }
        let stage = self.stage(color);
        let side = &mut self.sides[color.index()];
        side.left = left;
        if let Bonus::Increment(increment) = stage.bonus {
            side.left = side.left.saturating_add(increment);
        }
        side.moves += 1;
        if stage.moves == Some(side.moves) {
            // The last stage repeats.
            side.stage = (side.stage + 1).min(self.control.0.len() - 1);
            side.left = side.left.saturating_add(self.control.0[side.stage].time);
            side.moves = 0;
        }
        self.turn = !color;
        Ok(())
    }

    /// The current stage of a side.
    pub fn stage(&self, color: Color) -> Stage {
        self.control.0[self.sides[color.index()].stage]
    }

    /// The increment or delay of a side's next move.
    pub fn bonus(&self, color: Color) -> Duration {
        self.stage(color).bonus.time()
    }

    /// Number of moves until a side gets more time, if it will.
    pub fn moves_to_go(&self, color: Color) -> Option<u32> {
        let made = self.sides[color.index()].moves;
        self.stage(color).moves.map(|moves| moves.saturating_sub(made))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().expect("a time control"), Color::White)
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["300", "300+3", "0.5+0.01", "40/7200:3600", "40/7200+30:20/3600+30:900+30"] {
            assert_eq!(text.parse::<TimeControl>().map(|tc| tc.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "?", "-", "*180", "300+", "x", "0/300", "300:40/20", "1e9", "-5", "nan"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_increment_is_added_after_the_move() {
        let mut clock = clock("60+2");
        clock.press(seconds(10)).expect("in time");
        assert_eq!(clock.left(Color::White), seconds(52));
        assert_eq!(clock.turn(), Color::Black);
        assert_eq!(clock.press(seconds(60)), Err(FlagFall(Color::Black)));
    }

    #[test]
    fn an_increment_alone_is_there_from_the_first_move_on() {
        let mut clock = clock("0+2");
        clock.press(seconds(1)).expect("in time");
        assert_eq!(clock.left(Color::White), seconds(3));
        assert_eq!(clock.press(seconds(2)), Err(FlagFall(Color::Black)));
    }

    #[test]
    fn a_delay_is_not_saved_up() {
        let mut clock = clock("60d5");
        clock.press(seconds(3)).expect("in time");
        clock.press(seconds(15)).expect("in time");
        assert_eq!(clock.left(Color::White), seconds(60));
        assert_eq!(clock.left(Color::Black), seconds(50));
        assert_eq!(clock.flag_in(), seconds(65));
        assert_eq!(clock.press(seconds(65)), Err(FlagFall(Color::White)));
    }

    #[test]
    fn a_delay_is_time_to_move_in_even_with_an_empty_clock() {
        let mut clock = clock("0d5");
        clock.press(seconds(4)).expect("in time");
        assert_eq!(clock.press(seconds(5)), Err(FlagFall(Color::Black)));
    }

    #[test]
    fn times_without_end_do_not_overflow() {
        for bonus in [Bonus::Increment(Duration::MAX), Bonus::Delay(Duration::MAX)] {
            let stage = Stage { moves: Some(1), time: Duration::MAX, bonus };
            let control = TimeControl::from_stages(vec![stage]).expect("a stage");
            assert_eq!(control.speed(), Speed::Classical);
            let mut clock = Clock::new(control, Color::White);
            assert_eq!(clock.flag_in(), Duration::MAX);
            clock.press(seconds(1)).expect("in time");
            assert_eq!(clock.left(Color::White), Duration::MAX);
        }
    }

    #[test]
    fn a_stage_brings_its_time_when_the_one_before_is_played() {
        let mut clock = clock("2/100:50");
        for _ in 0..4 {
            clock.press(seconds(40)).expect("in time");
        }
        assert_eq!(clock.left(Color::White), seconds(70));
        assert_eq!(clock.left(Color::Black), seconds(70));
    }

    #[test]
    fn a_clock_is_brought_back_by_what_it_showed() {
        for control in ["60", "60+2", "60d5", "2/60+1:30d2", "1/60:1/30"] {
            let mut clock = clock(control);
            for millis in [0, 1, 1500, 4999, 5001, 9000, 2500] {
                let before = clock.clone();
                clock.press(Duration::from_millis(millis)).expect("in time");
                let mut again = before.clone();
                let left = clock.left(before.turn());
                let thought = before.thought(left).expect("it showed that");
                again.press(thought).expect("in time");
                assert_eq!(again, clock, "{control}");
                assert_eq!(before.thought(left + seconds(100)), None);
            }
        }
        let mut empty = clock("5");
        let thought = empty.thought(Duration::ZERO).expect("less than a nanosecond was left");
        empty.press(thought).expect("in time");
        assert_eq!(empty.left(Color::White).as_millis(), 0);
        assert_eq!(clock("0").thought(Duration::ZERO), None);
    }

    #[test]
    fn speeds_follow_the_estimated_length() {
        for (control, speed) in [
            ("15", Speed::UltraBullet),
            ("60", Speed::Bullet),
            ("180+2", Speed::Blitz),
            ("600", Speed::Rapid),
            ("1800", Speed::Classical),
        ] {
            assert_eq!(clock(control).control().speed(), speed, "{control}");
        }
    }
}
